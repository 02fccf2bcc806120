/* SPDX-License-Identifier: MIT */
/* The time type, and sleeps by it. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_TIMER_HPP
#define LIBHPT_CPP_TIMER_HPP

#include <hpt/cpp/clock.hpp>

#include <cstddef>
#include <functional>
#include <iosfwd>

#include <sys/time.h>

#if defined(__cpp_lib_three_way_comparison)
#include <compare>
#endif

namespace hpt {
inline namespace v1 {

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
	explicit timer(const ::timeval &t) : ticks_(of(hpt_timespec{ t.tv_sec, ns_of_us(t.tv_usec) }))
	{
	}
	/* Rounded to the nearest nanosecond and tick. */
	template <class Duration>
	explicit timer(const std::chrono::time_point<std::chrono::system_clock, Duration> &t) :
		ticks_(made(hpt_time_from_unix_ns, detail::ns_nearest(t.time_since_epoch()), "hpt_time_from_unix_ns"))
	{
	}
	explicit timer(steady_clock::time_point t) :
		ticks_(made(from_monotonic_ns, steady_clock::to_ns(t), "hpt_time_from_os"))
	{
	}

	LIBHPT_NODISCARD static constexpr timer from_ticks(hpt_time_t ticks) noexcept
	{
		return timer(exact{ ticks });
	}
	/* Text as str() returns it; hpt_time_parse(3) has the other forms. */
	LIBHPT_NODISCARD static timer parse(const std::string &text)
	{
		if (text.find('\0') != std::string::npos) /* where C would end the text */
			detail::fail(-EINVAL, "hpt_time_parse");
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
		const std::int64_t us = t.nsec / 1000;
		::timeval ret;

		set_seconds(ret.tv_sec, t.sec);
		ret.tv_usec = static_cast<decltype(ret.tv_usec)>(us);
		return ret;
	}
	LIBHPT_NODISCARD system_clock::time_point to_system() const
	{
		return system_clock::time_point(hpt::nanoseconds(converted(hpt_time_to_unix_ns, "hpt_time_to_unix_ns")));
	}
	LIBHPT_NODISCARD steady_clock::time_point to_steady() const
	{
		return steady_clock::from_ns(converted(to_monotonic_ns, "hpt_time_to_os"));
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
		const hpt_time_t sum = detail::add_clamped(ticks_, ticks);

		if (sum - ticks_ != ticks)
			detail::fail(-ERANGE, "hpt: a timer and ticks");
		ticks_ = sum;
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

	/* The papers' SleepToThis as their code has it: by the counter. By their text: hpt_sleep_until_unix_ns(). */
	wake sleep_until_this() const
	{
		return detail::woke(hpt_sleep_until_ticks(nullptr, ticks_), "hpt_sleep_until_ticks");
	}
	template <class Rep, class Period> static wake sleep_for(const std::chrono::duration<Rep, Period> &d)
	{
		return detail::woke(hpt_sleep_ns(nullptr, detail::ns_up(d)), "hpt_sleep_ns");
	}

	/* Facts about the default clock. */
	LIBHPT_NODISCARD static hpt_clock_info info()
	{
		return clock().info();
	}
	LIBHPT_NODISCARD static hpt::source source()
	{
		return static_cast<hpt::source>(info().source);
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
	static int from_monotonic_ns(hpt_clock *clk, std::int64_t ns, hpt_time_t *ret) noexcept
	{
		const int result = hpt_time_from_os(clk, ns, CLOCK_MONOTONIC, ret);

		return result == -ENOTSUP ? hpt_time_from_ns(clk, ns, ret) : result; /* a manual clock's own */
	}
	static int to_monotonic_ns(hpt_clock *clk, hpt_time_t t, std::int64_t *ret) noexcept
	{
		const int result = hpt_time_to_os(clk, t, CLOCK_MONOTONIC, ret);

		return result == -ENOTSUP ? hpt_time_to_ns(clk, t, ret) : result;
	}
	static hpt_time_t of(const hpt_timespec &t)
	{
		return made(hpt_time_from_timespec, &t, "hpt_time_from_timespec");
	}
	/* -1, which no conversion takes, where it is not a part of a second. */
	static constexpr std::int64_t ns_of_us(std::int64_t us) noexcept
	{
		return us < 0 || us >= 1000000 ? -1 : us * 1000;
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
	return detail::woke(detail::sleep_on_monotonic(nullptr, steady_clock::to_ns(t), [](std::int64_t ns) {
		return hpt_sleep_until_ns(nullptr, ns);
	}), "hpt_sleep_until_ns");
}

/* Follows the steps of the wall clock. */
template <class Duration> wake sleep_until(const std::chrono::time_point<std::chrono::system_clock, Duration> &t)
{
	return detail::woke(hpt_sleep_until_unix_ns(nullptr, detail::ns_up(t.time_since_epoch())),
			    "hpt_sleep_until_unix_ns");
}

} // namespace v1
} // namespace hpt

template <> struct std::hash<hpt::timer> {
	std::size_t operator()(hpt::timer t) const noexcept
	{
		return std::hash<hpt_time_t>()(t.ticks());
	}
};

#endif
