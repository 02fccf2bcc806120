/* SPDX-License-Identifier: MIT */
/* Errors, constants, and durations as nanoseconds. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_BASE_HPP
#define LIBHPT_CPP_BASE_HPP

#if __cplusplus < 201103L
#error "hpt.hpp needs C++11 or later"
#endif

#include <hpt/hpt.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <ratio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#if __cplusplus >= 202002L
#include <version>
#endif

#if __cplusplus >= 201703L
#define LIBHPT_NODISCARD [[nodiscard]]
#else
#define LIBHPT_NODISCARD
#endif

namespace hpt {
inline namespace v1 {

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
[[noreturn]] inline void fail_plain(int code, const char *what)
{
	throw error(-code, what);
}
[[noreturn]] inline void fail(int code, const char *what)
{
	if (code == -ERANGE)
		throw std::overflow_error(std::string(what) + ": the result does not fit");
	fail_plain(code, what);
}
#else
[[noreturn]] inline void fail_plain(int, const char *)
{
	std::abort();
}
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

/* Where -ERANGE is no overflow. */
inline void check_plain(int result, const char *what)
{
	if (result < 0)
		fail_plain(result, what);
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

/* A ticker's way with missed ticks. */
enum class missed : std::uint32_t {
	skip = HPT_TICKER_SKIP,
	catch_up = HPT_TICKER_CATCH_UP,
	delay = HPT_TICKER_DELAY
};

/* The effect of a signal handler on a sleep on an object. */
enum class on_signal : std::uint32_t { sleep_on = 0, end = HPT_WAIT_EINTR };

/* Why a sleep ended. */
enum class wake {
	reached,     /* the deadline has come */
	reanchored,  /* the system's clocks moved during the sleep, which may be early: HPT_STATE_REANCHORED */
	disrupted,   /* the counter jumped or stopped, likewise: HPT_STATE_DISRUPTED */
	demoted,     /* the kernel left the counter, likewise: HPT_STATE_DEMOTED */
	interrupted, /* by interrupt() or a stop request */
	notified,    /* the gate's notify_all() */
	signal,      /* a signal handler ran, and the object has on_signal::end */
	shut,        /* the gate is shut */
	ended,       /* the ticker's only tick has been returned */
	timed_out,   /* of a gate, wait_after(), wait_ready(): the time-out has passed */
	no_bound,    /* wait_after(): the wall has no bound, or lost it */
	ready        /* of poll() and the like: descriptors have events */
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
		return wake::shut;
	case -ENODATA:
		return wake::ended;
	case -ETIMEDOUT:
		return wake::timed_out;
	case -EAGAIN:
		return wake::no_bound;
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
	const std::int64_t narrow = static_cast<std::int64_t>(count);

	/* Also where Rep has 128 bits. */
	if (static_cast<Rep>(narrow) != count || (narrow > 0) != (count > 0))
		return beyond(!(count > 0));
	return times_ratio<ratio::num, ratio::den>(narrow, how);
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

} // namespace detail

} // namespace v1
} // namespace hpt

#endif
