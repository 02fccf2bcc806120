/* SPDX-License-Identifier: MIT */
/*
 * hpt.hpp - libhpt for C++11 and later: clocks of std::chrono, times, and sleeps that end on time; see hpt.hpp(3).
 *
 * Header-only, over hpt.h, which the program links with (pkg-config libhpt). C++14 to C++23 add what their standard
 * library has: [[nodiscard]], the operator <=>, std::stop_token.
 *
 * Errors are thrown: hpt::error with the errno value of the C function, std::overflow_error where a result does not
 * fit. Sleeps throw for wrong use alone, never because they were interrupted: they return hpt::wake. Where exceptions
 * are disabled (-fno-exceptions), std::abort() is called instead of a throw.
 *
 * Threads: as for the C functions. Any thread may call const members and interrupt() at any time; an object that is
 * moved, assigned or destroyed must not be in use. A moved-from clock is the default clock. Another moved-from object
 * refuses sleeps with EINVAL and ignores the rest.
 */
#ifndef LIBHPT_HPT_HPP
#define LIBHPT_HPT_HPP

#if __cplusplus < 201103L
#error "hpt.hpp needs C++11 or later"
#endif

#include <hpt/hpt.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <ratio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <sys/time.h>

#if __cplusplus >= 202002L
#include <version>
#endif
#if defined(__cpp_lib_three_way_comparison)
#include <compare>
#endif
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#if __cplusplus >= 201703L
#define LIBHPT_NODISCARD [[nodiscard]]
#else
#define LIBHPT_NODISCARD
#endif

namespace hpt {

using std::chrono::nanoseconds;

/* ---- Errors -------------------------------------------------------------------------------------------- */

/* A C function failed. code() has its errno value, in the category that std::errc compares with. */
class error : public std::system_error {
public:
	error(int code, const char *what) : std::system_error(code, std::generic_category(), what)
	{
	}
};

namespace detail {

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
[[noreturn]] inline void fail(int code, const char *what)
{
	if (code == -ERANGE)
		throw std::overflow_error(std::string(what) + ": the result does not fit");
	throw error(-code, what);
}
#else
[[noreturn]] inline void fail(int, const char *)
{
	std::abort();
}
#endif

inline int check(int result, const char *what)
{
	if (result < 0)
		fail(result, what);
	return result;
}

} // namespace detail

/* ---- Constants of the C API ---------------------------------------------------------------------------- */

enum class source : std::uint32_t {
	automatic = HPT_SOURCE_AUTO,
	tsc = HPT_SOURCE_TSC,
	hpet = HPT_SOURCE_HPET,
	os = HPT_SOURCE_OS,
	arch = HPT_SOURCE_ARCH,
	mmio = HPT_SOURCE_MMIO,
	manual = HPT_SOURCE_MANUAL
};

enum class state : std::uint32_t {
	ok = HPT_STATE_OK,
	reanchored = HPT_STATE_REANCHORED,
	disrupted = HPT_STATE_DISRUPTED,
	demoted = HPT_STATE_DEMOTED
};

enum class policy : std::uint32_t {
	balanced = HPT_SLEEP_BALANCED,
	frugal = HPT_SLEEP_FRUGAL,
	strict = HPT_SLEEP_STRICT,
	nospin = HPT_SLEEP_NOSPIN,
	spin = HPT_SLEEP_SPIN,
	inherit = HPT_SLEEP_INHERIT
};

/* What a ticker does with missed ticks. */
enum class missed : std::uint32_t { skip = HPT_TICKER_SKIP, catch_up = HPT_TICKER_CATCH_UP };

/* What a signal handler does to a sleep on an object. */
enum class on_signal : std::uint32_t { sleep_on = 0, end = HPT_WAIT_EINTR };

/* Why a sleep ended. */
enum class wake {
	reached,     /* the deadline has come */
	reanchored,  /* the system's clocks moved during the sleep, which may be early: HPT_STATE_REANCHORED */
	disrupted,   /* the counter jumped or stopped, likewise: HPT_STATE_DISRUPTED */
	demoted,     /* the kernel left the counter, likewise: HPT_STATE_DEMOTED */
	interrupted, /* by interrupt(), notify_all() or a stop request */
	signal,      /* a signal handler ran, and the object has on_signal::end */
	closed,      /* the gate is closed */
	ended        /* the ticker's only tick has been returned */
};

namespace detail {

inline wake woke(int result, const char *what)
{
	switch (result) {
	case HPT_STATE_OK:
		return wake::reached;
	case HPT_STATE_REANCHORED:
		return wake::reanchored;
	case HPT_STATE_DEMOTED:
		return wake::demoted;
	case -ECANCELED:
		return wake::interrupted;
	case -EINTR:
		return wake::signal;
	case -ESHUTDOWN:
		return wake::closed;
	case -ENODATA:
		return wake::ended;
	default: /* also a state that only a later library knows */
		check(result, what);
		return wake::disrupted;
	}
}

/* ---- Durations as nanoseconds -------------------------------------------------------------------------- */

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

enum class rounding { up, nearest };

/* Nanoseconds, and whether they are clamped to the range of 64 bits. */
struct whole_ns {
	std::int64_t ns;
	bool fits;
};

constexpr whole_ns beyond(bool is_negative) noexcept
{
	return is_negative ? whole_ns{ least, false } : whole_ns{ most, false };
}

inline std::int64_t add_clamped(std::int64_t a, std::int64_t b) noexcept
{
	if (b < 0)
		return a < least - b ? least : a + b;
	return a > most - b ? most : a + b;
}

/* count * Num / Den, where Num / Den is in lowest terms. */
template <std::intmax_t Num, std::intmax_t Den>
whole_ns times_ratio(std::int64_t count, rounding how) noexcept
{
	static_assert(Num <= most / Den, "the duration's period is no usable fraction of a nanosecond");
	const std::int64_t whole = count / Den, rest = count % Den * Num, part = rest % Den;
	std::int64_t ns = rest / Den;

	if (how == rounding::up)
		ns += part > 0;
	else
		ns += (part >= Den - part) - (-part >= Den + part);
	if (whole > most / Num || whole < least / Num)
		return beyond(count < 0);
	const std::int64_t sum = add_clamped(whole * Num, ns);

	return whole_ns{ sum, sum != most && sum != least };
}

template <class Period, class Rep>
typename std::enable_if<std::is_integral<Rep>::value, whole_ns>::type to_ns(Rep count, rounding how) noexcept
{
	using ratio = std::ratio_divide<Period, std::nano>;

	if (count > 0 && static_cast<std::uint64_t>(count) > static_cast<std::uint64_t>(most))
		return beyond(false);
	return times_ratio<ratio::num, ratio::den>(static_cast<std::int64_t>(count), how);
}

/* A duration that is not a number counts as 0 and does not fit. */
template <class Period, class Rep>
typename std::enable_if<std::is_floating_point<Rep>::value, whole_ns>::type to_ns(Rep count, rounding how) noexcept
{
	using ratio = std::ratio_divide<Period, std::nano>;
	long double ns = static_cast<long double>(count) * static_cast<long double>(ratio::num) /
			 static_cast<long double>(ratio::den);

	ns = how == rounding::up ? std::ceil(ns) : std::round(ns);
	if (std::isnan(ns))
		return whole_ns{ 0, false };
	if (ns >= 9223372036854775807.0L || ns <= -9223372036854775808.0L)
		return beyond(ns < 0);
	return whole_ns{ static_cast<std::int64_t>(ns), true };
}

/* For sleeps: rounded up, and clamped where it does not fit. */
template <class Rep, class Period>
std::int64_t ns_up(const std::chrono::duration<Rep, Period> &d) noexcept
{
	return to_ns<Period>(d.count(), rounding::up).ns;
}

/* For sums: rounded to nearest, and thrown where it does not fit. */
template <class Rep, class Period>
std::int64_t ns_nearest(const std::chrono::duration<Rep, Period> &d)
{
	const whole_ns whole = to_ns<Period>(d.count(), rounding::nearest);

	if (!whole.fits)
		fail(-ERANGE, "hpt: a duration in nanoseconds");
	return whole.ns;
}

/* ---- The clamp of steady_clock ------------------------------------------------------------------------- */

/*
 * Carries a line of nanoseconds over the places where it steps back. A step back is added to all later times, so that
 * they go on from where they were, and do not stand still for the length of the step.
 *
 * floor_ is a time that has been returned, and no returned time is `step` or more above it. So a time below the floor
 * proves that the line stepped back, and no later time is smaller by `step` or more. Raising the floor once in `step`
 * ns of use keeps a read at two loads and a comparison. Smaller steps could only be seen by a store in each read,
 * which would make the threads of a program wait for each other's reads.
 */
class clamp {
public:
	static constexpr std::int64_t step = 10000;

	constexpr clamp() noexcept : floor_(least), lift_(0)
	{
	}
	clamp(const clamp &) = delete;
	clamp &operator=(const clamp &) = delete;

	/* The present time; read() returns that of the line. */
	template <class Read> std::int64_t now(Read read) noexcept
	{
		const std::int64_t ns = read() + lift_.load(std::memory_order_relaxed);

		if (gap(floor_.load(std::memory_order_relaxed), ns) < static_cast<std::uint64_t>(step))
			return ns;
		return settle(read);
	}

	/* A time of the line as a time of the clamp, or back by the negative. */
	std::int64_t lift() const noexcept
	{
		return lift_.load(std::memory_order_acquire);
	}

private:
	static std::uint64_t gap(std::int64_t from, std::int64_t to) noexcept
	{
		return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
	}

	/*
	 * Both loads come before the read: then a time below the floor means that the line stepped back, and not that
	 * another thread has read a later one.
	 */
	template <class Read>
#if defined(__GNUC__)
	__attribute__((noinline, cold))
#endif
	std::int64_t settle(Read read) noexcept
	{
		for (;;) {
			std::int64_t lift = lift_.load(std::memory_order_acquire);
			std::int64_t floor = floor_.load(std::memory_order_acquire);
			const std::int64_t ns = read() + lift;

			if (ns >= floor) {
				while (floor < ns && !floor_.compare_exchange_weak(floor, ns))
					;
				return ns;
			}
			/* At least every returned time: those are below the floor and a STEP. */
			lift_.compare_exchange_strong(lift, lift + (floor - ns) + step);
		}
	}

	std::atomic<std::int64_t> floor_, lift_;
};

/* One clamp for the whole process, also where libraries are compiled with hidden symbols. Needs no constructor. */
template <class Unused> struct
#if defined(__GNUC__)
	__attribute__((visibility("default")))
#endif
	shared_clamp {
	static clamp line;
};
template <class Unused> clamp shared_clamp<Unused>::line;

inline clamp &steady() noexcept
{
	return shared_clamp<void>::line;
}

} // namespace detail

/* ---- Clocks of std::chrono, on the default clock ------------------------------------------------------- */

/*
 * hpt_now_ns(), kept from stepping back where a new generation begins or the counter steps back in place. The exception
 * are steps back by less than 10 us, which show once; hpt.hpp(3) has where they come from.
 */
struct steady_clock {
	using duration = nanoseconds;
	using rep = duration::rep;
	using period = duration::period;
	using time_point = std::chrono::time_point<steady_clock>;
	static constexpr bool is_steady = true;

	LIBHPT_NODISCARD static time_point now() noexcept
	{
		return time_point(duration(detail::steady().now([]() noexcept { return hpt_now_ns(nullptr); })));
	}

	/* A time on the line of hpt_now_ns(), which is this clock's until that line steps back. */
	LIBHPT_NODISCARD static time_point from_ns(std::int64_t ns) noexcept
	{
		return time_point(duration(detail::add_clamped(ns, detail::steady().lift())));
	}

	/* The reverse, rounded up. */
	template <class Duration>
	LIBHPT_NODISCARD static std::int64_t to_ns(const std::chrono::time_point<steady_clock, Duration> &t) noexcept
	{
		return detail::add_clamped(detail::ns_up(t.time_since_epoch()), -detail::steady().lift());
	}
};

/* hpt_now_unix_ns(), as time points of std::chrono::system_clock. */
struct system_clock {
	using duration = nanoseconds;
	using rep = duration::rep;
	using period = duration::period;
	using time_point = std::chrono::time_point<std::chrono::system_clock, duration>;
	static constexpr bool is_steady = false;

	LIBHPT_NODISCARD static time_point now() noexcept
	{
		return time_point(duration(hpt_now_unix_ns(nullptr)));
	}

	LIBHPT_NODISCARD static std::time_t to_time_t(const time_point &t) noexcept
	{
		return static_cast<std::time_t>(std::chrono::duration_cast<std::chrono::seconds>(
			t.time_since_epoch()).count());
	}

	LIBHPT_NODISCARD static time_point from_time_t(std::time_t t) noexcept
	{
		return time_point(std::chrono::seconds(t));
	}
};

class timer;

/* Plain ticks of the default clock, for traces. Their period is known at run time only: no clock of std::chrono. */
struct tick_clock {
	using rep = hpt_time_t;

	LIBHPT_NODISCARD static rep now() noexcept
	{
		return hpt_now(nullptr);
	}

	LIBHPT_NODISCARD static rep now_unordered() noexcept
	{
		return hpt_now_unordered(nullptr);
	}

	/* A difference of two times. */
	LIBHPT_NODISCARD static nanoseconds duration(rep ticks) noexcept
	{
		return nanoseconds(hpt_ticks_to_ns(nullptr, ticks));
	}

	LIBHPT_NODISCARD static timer time(rep ticks) noexcept;
};

/* ---- Facts --------------------------------------------------------------------------------------------- */

LIBHPT_NODISCARD inline const char *name(source s) noexcept
{
	return hpt_source_name(static_cast<std::uint32_t>(s));
}

LIBHPT_NODISCARD inline const char *name(state s) noexcept
{
	return hpt_state_name(static_cast<std::uint32_t>(s));
}

LIBHPT_NODISCARD inline hpt_source_info source_info(source s)
{
	hpt_source_info info;

	detail::check(hpt_source_get_info(static_cast<std::uint32_t>(s), &info, sizeof(info)), "hpt_source_get_info");
	return info;
}

LIBHPT_NODISCARD inline hpt_cpu_info cpu_info()
{
	hpt_cpu_info info;

	detail::check(hpt_cpu_get_info(&info, sizeof(info)), "hpt_cpu_get_info");
	return info;
}

/* ---- Clock --------------------------------------------------------------------------------------------- */

/* What hpt_clock_check() reports. */
struct check_result {
	hpt::state state;
	std::uint64_t generation;
};

/* A holder of a clock. Copies hold the same clock, which lives until its last holder is gone. */
class clock {
public:
	/* The default clock. */
	clock() noexcept : clk_(hpt_clock_default())
	{
	}

	LIBHPT_NODISCARD static clock open(source s, std::uint32_t flags = 0)
	{
		hpt_clock *clk = nullptr;

		detail::check(hpt_clock_open(static_cast<std::uint32_t>(s), flags, &clk), "hpt_clock_open");
		return clock(clk);
	}

	/* For tests: a clock that stands still until advance(). At 10^15 micro-hertz a tick is a nanosecond. */
	LIBHPT_NODISCARD static clock manual(std::uint64_t frequency_uhz = UINT64_C(1000000000000000),
					     hpt_time_t start = 0)
	{
		hpt_clock *clk = nullptr;

		detail::check(hpt_clock_new_manual(frequency_uhz, start, &clk), "hpt_clock_new_manual");
		return clock(clk);
	}

	/* One more holder of a clock of the C API. */
	LIBHPT_NODISCARD static clock share(hpt_clock *clk) noexcept
	{
		return clock(hpt_clock_ref(clk));
	}

	/* The source of the default clock, before its first use: the papers' SetTimerSource. */
	static void set_default(source s)
	{
		detail::check(hpt_clock_set_default(static_cast<std::uint32_t>(s)), "hpt_clock_set_default");
	}

	clock(const clock &other) noexcept : clk_(hpt_clock_ref(other.clk_))
	{
	}
	clock(clock &&other) noexcept : clk_(other.clk_)
	{
		other.clk_ = nullptr;
	}
	clock &operator=(clock other) noexcept
	{
		std::swap(clk_, other.clk_);
		return *this;
	}
	~clock()
	{
		hpt_clock_close(clk_);
	}

	/* NULL, which is the default clock too, after a move. */
	LIBHPT_NODISCARD hpt_clock *native_handle() const noexcept
	{
		return clk_;
	}

	LIBHPT_NODISCARD hpt_time_t now() const noexcept
	{
		return hpt_now(clk_);
	}
	LIBHPT_NODISCARD hpt_time_t now_unordered() const noexcept
	{
		return hpt_now_unordered(clk_);
	}
	LIBHPT_NODISCARD nanoseconds now_ns() const noexcept
	{
		return nanoseconds(hpt_now_ns(clk_));
	}
	LIBHPT_NODISCARD system_clock::time_point now_unix() const noexcept
	{
		return system_clock::time_point(nanoseconds(hpt_now_unix_ns(clk_)));
	}

	/* A difference of two of its times; clamped. */
	LIBHPT_NODISCARD nanoseconds duration(std::int64_t ticks) const noexcept
	{
		return nanoseconds(hpt_ticks_to_ns(clk_, ticks));
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD std::int64_t ticks(const std::chrono::duration<Rep, Period> &d) const
	{
		return hpt_ns_to_ticks(clk_, detail::ns_nearest(d));
	}

	LIBHPT_NODISCARD hpt_clock_info info() const
	{
		hpt_clock_info info;

		detail::check(hpt_clock_get_info(clk_, &info, sizeof(info)), "hpt_clock_get_info");
		return info;
	}

	check_result check() const noexcept
	{
		std::uint64_t generation = 0;
		const int s = hpt_clock_check(clk_, &generation);

		return check_result{ static_cast<hpt::state>(s), generation };
	}
	LIBHPT_NODISCARD std::uint64_t generation() const noexcept
	{
		return hpt_clock_generation(clk_);
	}

	/* Manual clocks. */
	void advance(std::int64_t ticks) const
	{
		detail::check(hpt_clock_advance(clk_, ticks), "hpt_clock_advance");
	}
	template <class Rep, class Period> void advance(const std::chrono::duration<Rep, Period> &d) const
	{
		advance(ticks(d));
	}
	LIBHPT_NODISCARD std::uint32_t sleepers() const noexcept
	{
		return hpt_clock_sleepers(clk_);
	}

	friend bool operator==(const clock &a, const clock &b) noexcept
	{
		return a.held() == b.held();
	}
	friend bool operator!=(const clock &a, const clock &b) noexcept
	{
		return !(a == b);
	}

private:
	explicit clock(hpt_clock *held) noexcept : clk_(held)
	{
	}
	hpt_clock *held() const noexcept
	{
		return clk_ ? clk_ : hpt_clock_default();
	}

	hpt_clock *clk_;
};

/* ---- Timer --------------------------------------------------------------------------------------------- */

/*
 * A time of the default clock: the value type of the papers' HighPerTimer. It is one number, its ticks. Seconds,
 * nanoseconds and text are computed when they are asked for. Durations are those of std::chrono.
 */
class timer {
public:
	/* The zero: ticks 0, which no present time has. */
	constexpr timer() noexcept : ticks_(0)
	{
	}
	/* Unix time; the nanoseconds are 0 to 999999999. */
	timer(std::int64_t unix_seconds, std::int64_t nanoseconds) : ticks_(of(hpt_timespec{ unix_seconds, nanoseconds }))
	{
	}
	explicit timer(const hpt_timespec &t) : ticks_(of(t))
	{
	}
	explicit timer(const ::timespec &t) : ticks_(of(hpt_timespec{ t.tv_sec, t.tv_nsec }))
	{
	}
	explicit timer(const ::timeval &t) : ticks_(of(hpt_timeval{ t.tv_sec, t.tv_usec }))
	{
	}
	/* Rounded to the nearest nanosecond and tick. */
	template <class Duration>
	explicit timer(const std::chrono::time_point<std::chrono::system_clock, Duration> &t) :
		ticks_(made(hpt_time_from_unix_ns, detail::ns_nearest(t.time_since_epoch()), "hpt_time_from_unix_ns"))
	{
	}
	explicit timer(steady_clock::time_point t) :
		ticks_(made(hpt_time_from_ns, steady_clock::to_ns(t), "hpt_time_from_ns"))
	{
	}

	LIBHPT_NODISCARD static constexpr timer from_ticks(hpt_time_t ticks) noexcept
	{
		return timer(exact{ ticks });
	}
	/* Text as str() returns it; hpt_time_parse(3) has the other forms. */
	LIBHPT_NODISCARD static timer parse(const std::string &text)
	{
		return timer(exact{ made(hpt_time_parse, text.c_str(), "hpt_time_parse") });
	}
	LIBHPT_NODISCARD static timer now() noexcept
	{
		return timer(exact{ hpt_now(nullptr) });
	}
	/* The range of Unix time and text. */
	LIBHPT_NODISCARD static timer min() noexcept
	{
		return timer(exact{ hpt_time_min(nullptr) });
	}
	LIBHPT_NODISCARD static timer max() noexcept
	{
		return timer(exact{ hpt_time_max(nullptr) });
	}

	LIBHPT_NODISCARD constexpr hpt_time_t ticks() const noexcept
	{
		return ticks_;
	}
	LIBHPT_NODISCARD constexpr bool is_zero() const noexcept
	{
		return ticks_ == 0;
	}

	/* Unix time. Seconds are rounded down, so the other parts are never negative. */
	LIBHPT_NODISCARD std::int64_t seconds() const noexcept
	{
		return unix_time().sec;
	}
	LIBHPT_NODISCARD std::int64_t nanoseconds() const noexcept
	{
		return unix_time().nsec;
	}
	LIBHPT_NODISCARD std::int64_t microseconds() const noexcept
	{
		return unix_time().nsec / 1000;
	}
	LIBHPT_NODISCARD hpt_timespec unix_time() const noexcept
	{
		hpt_timespec t = { 0, 0 };
		const int result = hpt_time_to_timespec(nullptr, ticks_, &t);

		(void)result; /* which cannot be an error */
		return t;
	}
	LIBHPT_NODISCARD ::timespec to_timespec() const
	{
		const hpt_timespec t = unix_time();
		::timespec ret;

		set_seconds(ret.tv_sec, t.sec);
		ret.tv_nsec = static_cast<decltype(ret.tv_nsec)>(t.nsec);
		return ret;
	}
	LIBHPT_NODISCARD ::timeval to_timeval() const
	{
		const hpt_timespec t = unix_time();
		::timeval ret;

		set_seconds(ret.tv_sec, t.sec);
		ret.tv_usec = static_cast<decltype(ret.tv_usec)>(t.nsec / 1000);
		return ret;
	}
	LIBHPT_NODISCARD system_clock::time_point to_system() const
	{
		return system_clock::time_point(hpt::nanoseconds(converted(hpt_time_to_unix_ns, "hpt_time_to_unix_ns")));
	}
	LIBHPT_NODISCARD steady_clock::time_point to_steady() const
	{
		return steady_clock::from_ns(converted(hpt_time_to_ns, "hpt_time_to_ns"));
	}
	/* Ticks since 1970, the papers' value of a timer: see hpt_time_to_unix_ticks(3). */
	LIBHPT_NODISCARD std::int64_t unix_ticks() const
	{
		return converted(hpt_time_to_unix_ticks, "hpt_time_to_unix_ticks");
	}

	/* 2026-11-20T10:47:59.123456789Z */
	LIBHPT_NODISCARD std::string str() const
	{
		char text[HPT_TIME_FORMAT_SIZE];
		const int length = detail::check(hpt_time_format(nullptr, ticks_, text, sizeof(text)),
						 "hpt_time_format");

		return std::string(text, static_cast<std::size_t>(length));
	}
	template <class Traits>
	friend std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, const timer &t)
	{
		return out << t.str();
	}

	/* Sums throw std::overflow_error where they do not fit. */
	timer &add_ticks(std::int64_t ticks)
	{
		detail::check(hpt_time_add_ticks(nullptr, ticks_, ticks, &ticks_), "hpt_time_add_ticks");
		return *this;
	}
	template <class Rep, class Period> timer &operator+=(const std::chrono::duration<Rep, Period> &d)
	{
		return add_ns(detail::ns_nearest(d));
	}
	template <class Rep, class Period> timer &operator-=(const std::chrono::duration<Rep, Period> &d)
	{
		return add_ns(-detail::ns_nearest(d)); /* which is never INT64_MIN */
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD friend timer operator+(timer t, const std::chrono::duration<Rep, Period> &d)
	{
		return t += d;
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD friend timer operator+(const std::chrono::duration<Rep, Period> &d, timer t)
	{
		return t += d;
	}
	template <class Rep, class Period>
	LIBHPT_NODISCARD friend timer operator-(timer t, const std::chrono::duration<Rep, Period> &d)
	{
		return t -= d;
	}
	LIBHPT_NODISCARD friend hpt::nanoseconds operator-(timer a, timer b)
	{
		return between(b.ticks_, a.ticks_);
	}

#if defined(__cpp_lib_three_way_comparison) && defined(__cpp_impl_three_way_comparison)
	friend constexpr auto operator<=>(const timer &, const timer &) noexcept = default;
#else
	friend constexpr bool operator==(timer a, timer b) noexcept
	{
		return a.ticks_ == b.ticks_;
	}
	friend constexpr bool operator!=(timer a, timer b) noexcept
	{
		return a.ticks_ != b.ticks_;
	}
	friend constexpr bool operator<(timer a, timer b) noexcept
	{
		return a.ticks_ < b.ticks_;
	}
	friend constexpr bool operator>(timer a, timer b) noexcept
	{
		return a.ticks_ > b.ticks_;
	}
	friend constexpr bool operator<=(timer a, timer b) noexcept
	{
		return a.ticks_ <= b.ticks_;
	}
	friend constexpr bool operator>=(timer a, timer b) noexcept
	{
		return a.ticks_ >= b.ticks_;
	}
#endif

	/* The papers' SleepToThis. */
	wake sleep_until_this() const
	{
		return detail::woke(hpt_sleep_until(nullptr, ticks_), "hpt_sleep_until");
	}
	template <class Rep, class Period> static wake sleep_for(const std::chrono::duration<Rep, Period> &d)
	{
		return detail::woke(hpt_sleep_ns(nullptr, detail::ns_up(d)), "hpt_sleep_ns");
	}

	/* Facts about the default clock and its hardware. */
	LIBHPT_NODISCARD static hpt_clock_info info()
	{
		return clock().info();
	}
	LIBHPT_NODISCARD static hpt::source source()
	{
		return static_cast<hpt::source>(info().source);
	}
	LIBHPT_NODISCARD static hpt_cpu_info hardware()
	{
		return cpu_info();
	}

private:
	/* No integer converts to it. */
	struct exact {
		hpt_time_t ticks;
	};

	explicit constexpr timer(exact t) noexcept : ticks_(t.ticks)
	{
	}

	template <class From>
	static hpt_time_t made(int (*convert)(hpt_clock *, From, hpt_time_t *), From from, const char *what)
	{
		hpt_time_t ticks = 0;

		detail::check(convert(nullptr, from, &ticks), what);
		return ticks;
	}
	static hpt_time_t of(const hpt_timespec &t)
	{
		return made(hpt_time_from_timespec, &t, "hpt_time_from_timespec");
	}
	static hpt_time_t of(const hpt_timeval &t)
	{
		return made(hpt_time_from_timeval, &t, "hpt_time_from_timeval");
	}
	std::int64_t converted(int (*convert)(hpt_clock *, hpt_time_t, std::int64_t *), const char *what) const
	{
		std::int64_t value = 0;

		detail::check(convert(nullptr, ticks_, &value), what);
		return value;
	}
	template <class Seconds> static void set_seconds(Seconds &ret, std::int64_t sec)
	{
		ret = static_cast<Seconds>(sec);
		if (ret != sec)
			detail::fail(-ERANGE, "hpt::timer as time_t");
	}
	timer &add_ns(std::int64_t ns)
	{
		detail::check(hpt_time_add_ns(nullptr, ticks_, ns, &ticks_), "hpt_time_add_ns");
		return *this;
	}
	static hpt::nanoseconds between(hpt_time_t from, hpt_time_t to)
	{
		const bool fits = from < 0 ? to <= detail::most + from : to >= detail::least + from;
		const std::int64_t ns = fits ? hpt_ticks_to_ns(nullptr, to - from) : detail::most;

		if (ns == detail::most || ns == detail::least)
			detail::fail(-ERANGE, "hpt: the difference of two timers");
		return hpt::nanoseconds(ns);
	}

	hpt_time_t ticks_;
};

inline timer tick_clock::time(rep ticks) noexcept
{
	return timer::from_ticks(ticks);
}

/* ---- Sleeps -------------------------------------------------------------------------------------------- */

/* Durations and time points are rounded up to nanoseconds; what does not fit sleeps to the end of the range. */

template <class Rep, class Period> wake sleep_for(const std::chrono::duration<Rep, Period> &d)
{
	return timer::sleep_for(d);
}

inline wake sleep_until(timer t)
{
	return t.sleep_until_this();
}

template <class Duration> wake sleep_until(const std::chrono::time_point<steady_clock, Duration> &t)
{
	return detail::woke(hpt_sleep_until_ns(nullptr, steady_clock::to_ns(t)), "hpt_sleep_until_ns");
}

/* Follows the steps of the wall clock. */
template <class Duration> wake sleep_until(const std::chrono::time_point<std::chrono::system_clock, Duration> &t)
{
	return detail::woke(hpt_sleep_until_unix_ns(nullptr, detail::ns_up(t.time_since_epoch())),
			    "hpt_sleep_until_unix_ns");
}

namespace detail {

template <class T, void (*Free)(T *)> struct freer {
	void operator()(T *object) const noexcept
	{
		Free(object);
	}
};

/* What the objects share. Times of sleeper, gate and ticker are those of their own clock. */
template <class T, void (*Free)(T *), hpt_clock *(*Clock)(T *), int (*Policy)(T *, std::uint32_t, std::int64_t)>
class object {
public:
	/* For the C functions; NULL after a move. */
	LIBHPT_NODISCARD T *native_handle() const noexcept
	{
		return held_.get();
	}

	LIBHPT_NODISCARD hpt::clock on_clock() const noexcept
	{
		return hpt::clock::share(Clock(held_.get()));
	}

	template <class Rep = std::int64_t, class Period = std::nano>
	void set_policy(policy p, const std::chrono::duration<Rep, Period> &max_spin = {})
	{
		check(Policy(held_.get(), static_cast<std::uint32_t>(p), ns_up(max_spin)), "hpt: set_policy");
	}

protected:
	explicit object(T *made) noexcept : held_(made)
	{
	}

private:
	std::unique_ptr<T, freer<T, Free>> held_;
};

/* An object of the C API by its function that makes one. */
template <class T>
T *made(int (*make)(hpt_clock *, std::uint32_t, T **), const hpt::clock &on, on_signal then, const char *what)
{
	T *object = nullptr;

	check(make(on.native_handle(), static_cast<std::uint32_t>(then), &object), what);
	return object;
}

} // namespace detail

/* A sleep that any thread and any signal handler can end: hpt_waiter_new(3). One thread at a time sleeps on it. */
class sleeper : public detail::object<hpt_waiter, hpt_waiter_free, hpt_waiter_clock, hpt_waiter_set_policy> {
public:
	explicit sleeper(const clock &on = clock(), policy p = policy::inherit, on_signal then = on_signal::sleep_on) :
		object(detail::made(hpt_waiter_new, on, then, "hpt_waiter_new"))
	{
		if (p != policy::inherit)
			set_policy(p);
	}

	template <class Rep, class Period> wake sleep_for(const std::chrono::duration<Rep, Period> &d)
	{
		return detail::woke(hpt_waiter_sleep_ns(native_handle(), detail::ns_up(d)), "hpt_waiter_sleep_ns");
	}
	wake sleep_until(timer t)
	{
		return detail::woke(hpt_waiter_sleep_until(native_handle(), t.ticks()), "hpt_waiter_sleep_until");
	}
	template <class Duration> wake sleep_until(const std::chrono::time_point<steady_clock, Duration> &t)
	{
		return detail::woke(hpt_waiter_sleep_until_ns(native_handle(), steady_clock::to_ns(t)),
				    "hpt_waiter_sleep_until_ns");
	}
	template <class Duration>
	wake sleep_until(const std::chrono::time_point<std::chrono::system_clock, Duration> &t)
	{
		return detail::woke(hpt_waiter_sleep_until_unix_ns(native_handle(), detail::ns_up(t.time_since_epoch())),
				    "hpt_waiter_sleep_until_unix_ns");
	}
	/* Until interrupted. */
	wake wait()
	{
		return sleep_until(timer::from_ticks(detail::most));
	}

	/* Stays pending until a sleep ends by it, or clear(). */
	void interrupt() noexcept
	{
		hpt_waiter_interrupt(native_handle());
	}
	void clear() noexcept
	{
		hpt_waiter_clear(native_handle());
	}
	/* The time that was left when the latest sleep was interrupted; else 0. */
	LIBHPT_NODISCARD nanoseconds remaining() const noexcept
	{
		const std::int64_t ticks = hpt_waiter_remaining(native_handle());

		return nanoseconds(ticks > 0 ? hpt_ticks_to_ns(hpt_waiter_clock(native_handle()), ticks) : 0);
	}

#if defined(__cpp_lib_jthread)
	/* A stop request ends the sleep like interrupt(), but is not pending after it. */
	template <class Rep, class Period>
	wake sleep_for(const std::stop_token &stop, const std::chrono::duration<Rep, Period> &d)
	{
		return stoppable(stop, [&] { return sleep_for(d); });
	}
	template <class Time> wake sleep_until(const std::stop_token &stop, const Time &t)
	{
		return stoppable(stop, [&] { return sleep_until(t); });
	}
	wake wait(const std::stop_token &stop)
	{
		return stoppable(stop, [&] { return wait(); });
	}

private:
	template <class Sleep> wake stoppable(const std::stop_token &stop, Sleep sleep)
	{
		bool is_stopped = false;
		wake why;

		{
			/* Its destructor waits for a callback that runs. */
			const std::stop_callback on_stop(stop, [&]() noexcept {
				is_stopped = true;
				interrupt();
			});
			why = sleep();
		}
		if (is_stopped)
			clear();
		return why;
	}
#endif
};

/*
 * Many sleepers that wake at once: hpt_gate_new(3). With a predicate, as std::condition_variable but without a mutex:
 * change what the predicate reads, then call notify_all(). Without one: key = prepare(), check, wait(key).
 */
class gate : public detail::object<hpt_gate, hpt_gate_free, hpt_gate_clock, hpt_gate_set_policy> {
public:
	/* A state of the gate, taken before the condition is checked. */
	enum class key : std::uint32_t {};

	explicit gate(const clock &on = clock(), policy p = policy::inherit, on_signal then = on_signal::sleep_on) :
		object(detail::made(hpt_gate_new, on, then, "hpt_gate_new"))
	{
		if (p != policy::inherit)
			set_policy(p);
	}

	LIBHPT_NODISCARD key prepare() const noexcept
	{
		return static_cast<key>(hpt_gate_ticket(native_handle()));
	}

	wake wait(key k)
	{
		return sleep(k, detail::most);
	}
	wake wait_until(key k, timer t)
	{
		return sleep(k, t.ticks());
	}
	template <class Duration>
	wake wait_until(key k, const std::chrono::time_point<steady_clock, Duration> &t)
	{
		return sleep(k, tick_of(steady_clock::to_ns(t)));
	}
	template <class Rep, class Period> wake wait_for(key k, const std::chrono::duration<Rep, Period> &d)
	{
		return sleep(k, tick_of(after(d)));
	}

	/* Return the predicate: false after the deadline, a close, or a signal with on_signal::end. */
	template <class Predicate> bool wait(Predicate is_true)
	{
		return wait_by(is_true, [] { return detail::most; });
	}
	template <class Predicate> bool wait_until(timer t, Predicate is_true)
	{
		return wait_by(is_true, [&] { return t.ticks(); });
	}
	template <class Duration, class Predicate>
	bool wait_until(const std::chrono::time_point<steady_clock, Duration> &t, Predicate is_true)
	{
		return wait_by(is_true, [&] { return tick_of(steady_clock::to_ns(t)); });
	}
	template <class Rep, class Period, class Predicate>
	bool wait_for(const std::chrono::duration<Rep, Period> &d, Predicate is_true)
	{
		const std::int64_t ns = after(d);

		return wait_by(is_true, [&] { return tick_of(ns); });
	}

	void notify_all() noexcept
	{
		hpt_gate_interrupt_all(native_handle());
	}
	/* Wakes all sleepers, and refuses sleeps until open(). */
	void close() noexcept
	{
		hpt_gate_close(native_handle());
	}
	void open() noexcept
	{
		hpt_gate_open(native_handle());
	}

#if defined(__cpp_lib_jthread)
	/* A stop request ends the wait too. It wakes the gate's other sleepers, which check their predicates. */
	template <class Predicate> bool wait(const std::stop_token &stop, Predicate is_true)
	{
		return stoppable(stop, is_true, [&](auto ends) { wait(ends); });
	}
	template <class Time, class Predicate>
	bool wait_until(const std::stop_token &stop, const Time &t, Predicate is_true)
	{
		return stoppable(stop, is_true, [&](auto ends) { wait_until(t, ends); });
	}
	template <class Rep, class Period, class Predicate>
	bool wait_for(const std::stop_token &stop, const std::chrono::duration<Rep, Period> &d, Predicate is_true)
	{
		return stoppable(stop, is_true, [&](auto ends) { wait_for(d, ends); });
	}
#endif

private:
	wake sleep(key k, hpt_time_t deadline)
	{
		return detail::woke(hpt_gate_sleep_until(native_handle(), static_cast<std::uint32_t>(k), deadline),
				    "hpt_gate_sleep_until");
	}

	/* A new generation moves the line of nanoseconds against the ticks: so each sleep converts its deadline. */
	template <class Predicate, class Deadline> bool wait_by(Predicate &is_true, Deadline deadline)
	{
		for (;;) {
			const key k = prepare();

			if (is_true())
				return true;
			switch (sleep(k, deadline())) {
			case wake::reached:
			case wake::closed:
			case wake::signal:
				return is_true();
			default:
				break;
			}
		}
	}

#if defined(__cpp_lib_jthread)
	template <class Predicate, class Wait>
	bool stoppable(const std::stop_token &stop, Predicate &is_true, Wait wait)
	{
		const std::stop_callback on_stop(stop, [&]() noexcept { notify_all(); });

		wait([&] { return stop.stop_requested() || is_true(); });
		return is_true();
	}
#endif

	hpt_clock *clk() const noexcept
	{
		return hpt_gate_clock(native_handle());
	}
	template <class Rep, class Period>
	std::int64_t after(const std::chrono::duration<Rep, Period> &d) const noexcept
	{
		return detail::add_clamped(hpt_now_ns(clk()), detail::ns_up(d));
	}
	/* The first tick that is not before ns on the line of hpt_now_ns(). */
	hpt_time_t tick_of(std::int64_t ns) const noexcept
	{
		hpt_time_t tick;
		std::int64_t there;

		if (hpt_time_from_ns(clk(), ns, &tick) < 0)
			return ns < 0 ? detail::least : detail::most;
		if (hpt_time_to_ns(clk(), tick, &there) == 0 && there < ns && tick < detail::most)
			tick++;
		return tick;
	}
};

/* ---- Ticker -------------------------------------------------------------------------------------------- */

/* What ticker::wait() returns. Where no tick came, index and scheduled are those of the next one. */
struct tick {
	std::uint64_t index;  /* n of hpt_ticker_new(3): the first tick is 1, and 0 after start() */
	std::uint64_t missed; /* as hpt_ticker_wait(3) counts them */
	timer scheduled;      /* the time of the tick by the ticker's clock, to the nearest tick of it */
	wake why;

	/* True if a tick came. */
	explicit operator bool() const noexcept
	{
		return why == wake::reached || why == wake::reanchored || why == wake::disrupted || why == wake::demoted;
	}
};

/* A period that does not drift: hpt_ticker_new(3). One thread at a time waits. */
class ticker : public detail::object<hpt_ticker, hpt_ticker_free, hpt_ticker_clock, hpt_ticker_set_policy> {
public:
	/* The first tick comes a period from now. */
	template <class Rep, class Period>
	explicit ticker(const std::chrono::duration<Rep, Period> &period, const clock &on = clock(),
			policy p = policy::inherit, on_signal then = on_signal::sleep_on) :
		ticker(detail::ns_nearest(period), on, p, then)
	{
	}

	/* A period of num/den seconds, without drift: 1001/60000, 1/44100. Tick 0 is now. */
	LIBHPT_NODISCARD static ticker rational(std::uint32_t num, std::uint32_t den, const clock &on = clock(),
						policy p = policy::inherit, on_signal then = on_signal::sleep_on)
	{
		ticker t(detail::most, on, p, then);

		t.start_rational(timer::from_ticks(on.now()), num, den);
		return t;
	}

	/* Another phase and period. first is a time of the ticker's clock, and tick 0. */
	template <class Rep, class Period> void start(timer first, const std::chrono::duration<Rep, Period> &period)
	{
		const std::int64_t ns = detail::ns_nearest(period);

		if (!ns) /* which is a single tick in C */
			detail::fail(-EINVAL, "hpt_ticker_start");
		start_ns(first, ns);
	}
	/* A single tick. */
	void start_once(timer first)
	{
		start_ns(first, 0);
	}
	void start_rational(timer first, std::uint32_t num, std::uint32_t den)
	{
		detail::check(hpt_ticker_start_rational(native_handle(), first.ticks(), num, den),
			      "hpt_ticker_start_rational");
		started(0, num, den);
	}

	/* For catch_up: at most this many missed ticks at once; 0: no limit. */
	void set_missed(missed m, std::uint64_t at_most = 0)
	{
		detail::check(hpt_ticker_set_missed(native_handle(), static_cast<std::uint32_t>(m), at_most),
			      "hpt_ticker_set_missed");
		missed_ = m;
		may_drop_ = at_most > 0;
	}

	tick wait()
	{
		tick t = next();
		const int result = hpt_ticker_wait(native_handle(), &t.missed);

		t.why = detail::woke(result, "hpt_ticker_wait");
		if (t)
			count(t);
		return t;
	}

	void interrupt() noexcept
	{
		hpt_ticker_interrupt(native_handle());
	}
	/* For poll(2) and the like, see hpt_ticker_fd(3). The ticker owns it. */
	LIBHPT_NODISCARD int fd() const
	{
		return detail::check(hpt_ticker_fd(native_handle()), "hpt_ticker_fd");
	}
	LIBHPT_NODISCARD hpt_ticker_info info() const
	{
		hpt_ticker_info info;

		detail::check(hpt_ticker_get_info(native_handle(), &info, sizeof(info)), "hpt_ticker_get_info");
		return info;
	}

#if defined(__cpp_lib_jthread)
	/* A stop request ends the wait like interrupt(), but is not pending after it. */
	tick wait(const std::stop_token &stop)
	{
		std::atomic<bool> is_stopped{ false };
		bool was_stopped;
		tick t;

		{
			const std::stop_callback on_stop(stop, [&]() noexcept {
				is_stopped = true;
				interrupt();
			});
			t = wait();
			was_stopped = is_stopped;
		}
		/* An interrupt that this wait cannot have met is pending: the next wait returns for it at once. */
		if (is_stopped && (t.why != wake::interrupted || !was_stopped))
			(void)hpt_ticker_wait(native_handle(), nullptr);
		return t;
	}
#endif

private:
	ticker(std::int64_t period_ns, const clock &on, policy p, on_signal then) :
		object(made(period_ns, on, then)), period_ns_(period_ns)
	{
		if (p != policy::inherit)
			set_policy(p);
	}
	static hpt_ticker *made(std::int64_t period_ns, const clock &on, on_signal then)
	{
		hpt_ticker *t = nullptr;

		detail::check(hpt_ticker_new(on.native_handle(), period_ns, static_cast<std::uint32_t>(then), &t),
			      "hpt_ticker_new");
		return t;
	}

	void start_ns(timer first, std::int64_t period_ns)
	{
		detail::check(hpt_ticker_start(native_handle(), first.ticks(), period_ns), "hpt_ticker_start");
		started(period_ns, 0, 1);
	}
	void started(std::int64_t period_ns, std::uint32_t num, std::uint32_t den)
	{
		period_ns_ = period_ns;
		num_ = num;
		den_ = den;
		next_ = 0;
		counted_ = passed() - next_;
	}

	/* Ticks that have been returned or missed since the ticker was made. */
	std::uint64_t passed() const
	{
		const hpt_ticker_info i = info();

		return i.ticks + i.missed;
	}

	/* Before the wait, where it takes no time from the tick. */
	tick next() const noexcept
	{
		hpt_time_t at = 0;

		if (hpt_ticker_next(native_handle(), &at) < 0)
			at = 0;
		return tick{ next_, 0, timer::from_ticks(at), wake::reached };
	}

	void count(tick &t)
	{
		if (missed_ == missed::skip)
			t.index += t.missed;
		else if (may_drop_)
			t.index = passed() - counted_ - 1;
		if (t.index != next_)
			t.scheduled = later(t.scheduled, offset_ns(t.index) - offset_ns(next_));
		next_ = t.index + 1;
	}
	timer later(timer t, std::int64_t ns) const noexcept
	{
		hpt_time_t ticks;

		return hpt_time_add_ns(hpt_ticker_clock(native_handle()), t.ticks(), ns, &ticks) < 0 ?
		       t : timer::from_ticks(ticks);
	}
	/* Tick n comes so long after tick 0, rounded up; modulo 2^64. */
	std::int64_t offset_ns(std::uint64_t n) const noexcept
	{
		const std::uint64_t part = n % den_ * num_, ns_per_s = 1000000000;
		const std::uint64_t ns = (n / den_ * num_ + part / den_) * ns_per_s +
					 (part % den_ * ns_per_s + den_ - 1) / den_;

		return static_cast<std::int64_t>(num_ ? ns : n * static_cast<std::uint64_t>(period_ns_));
	}

	std::int64_t period_ns_;
	std::uint64_t num_ = 0, den_ = 1;        /* of a rational period, else 0/1 */
	std::uint64_t next_ = 1, counted_ = 0 - UINT64_C(1); /* the next tick's index; passed() less it */
	missed missed_ = missed::skip;
	bool may_drop_ = false;
};

} // namespace hpt

template <> struct std::hash<hpt::timer> {
	std::size_t operator()(hpt::timer t) const noexcept
	{
		return std::hash<hpt_time_t>()(t.ticks());
	}
};

#undef LIBHPT_NODISCARD

#endif
