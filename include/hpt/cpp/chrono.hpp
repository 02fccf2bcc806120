/* SPDX-License-Identifier: MIT */
/* Clocks of std::chrono on the default clock. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_CHRONO_HPP
#define LIBHPT_CPP_CHRONO_HPP

#include <hpt/cpp/base.hpp>

#include <atomic>
#include <ctime>

namespace hpt {
inline namespace v1 {

namespace detail {

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

/* ---- Sleeps until a time of CLOCK_MONOTONIC's line ----------------------------------------------------- */

/* In 100 us the two lines part by 50 ns at NTP's 500 ppm. */
constexpr std::int64_t same_line_ns = 100000;

/*
 * The time on hpt_now_ns()'s line at which that line reaches mono_ns, at the kernel's present rate. hpt_now_ns() is read
 * first: a manual clock that is advanced meanwhile must not make the deadline later.
 */
inline std::int64_t deadline_ns(hpt_clock *clk, std::int64_t mono_ns) noexcept
{
	const std::int64_t now = hpt_now_ns(clk), from = hpt_now_monotonic_ns(clk);
	std::int64_t left = mono_ns == most ? most : add_clamped(mono_ns, -from);
	hpt_time_t start = 0, end = 0;

	if (left > same_line_ns && left < most && !hpt_time_from_os(clk, from, CLOCK_MONOTONIC, &start) &&
	    !hpt_time_from_os(clk, mono_ns, CLOCK_MONOTONIC, &end))
		left = hpt_ticks_to_ns(clk, end - start);
	return left == most ? most : add_clamped(now, left);
}

/*
 * Sleeps by a function of such a deadline, again while a change of the kernel's rate has ended the sleep early. A policy
 * that ends it early has the last word.
 */
template <class Sleep> int sleep_on_monotonic(hpt_clock *clk, std::int64_t mono_ns, Sleep sleep)
{
	for (int state = HPT_STATE_OK;;) {
		const std::int64_t ns = deadline_ns(clk, mono_ns);
		const int result = sleep(ns);

		if (result != HPT_STATE_OK && result != HPT_STATE_REANCHORED)
			return result;
		state = result == HPT_STATE_OK ? state : result;
		if (hpt_now_monotonic_ns(clk) >= mono_ns || (result == HPT_STATE_OK && hpt_now_ns(clk) < ns))
			return state;
	}
}

} // namespace detail

/* ---- Clocks of std::chrono, on the default clock ------------------------------------------------------- */

/*
 * hpt_now_monotonic_ns(), the line of std::chrono::steady_clock, kept from stepping back where a new generation begins
 * or the counter steps back in place. The exception are steps back by less than 10 us, which show once; hpt.hpp(3) has
 * where they come from.
 */
struct steady_clock {
	using duration = nanoseconds;
	using rep = duration::rep;
	using period = duration::period;
	using time_point = std::chrono::time_point<steady_clock>;
	static constexpr bool is_steady = true;

	LIBHPT_NODISCARD static time_point now() noexcept
	{
		return time_point(duration(detail::steady().now([]() noexcept { return hpt_now_monotonic_ns(nullptr); })));
	}

	/* A time on the line of hpt_now_monotonic_ns(), which is this clock's until that line steps back. */
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

	/* The same times of std::chrono::steady_clock, which reads CLOCK_MONOTONIC in all libraries for Linux. */
	LIBHPT_NODISCARD static time_point from_std(std::chrono::steady_clock::time_point t) noexcept
	{
		return from_ns(detail::ns_up(t.time_since_epoch()));
	}
	template <class Duration>
	LIBHPT_NODISCARD static std::chrono::steady_clock::time_point
	to_std(const std::chrono::time_point<steady_clock, Duration> &t) noexcept
	{
		return std::chrono::steady_clock::time_point(
			std::chrono::duration_cast<std::chrono::steady_clock::duration>(duration(to_ns(t))));
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
		return std::chrono::duration_cast<std::chrono::duration<std::time_t>>(t.time_since_epoch()).count();
	}

	/* Clamped to the range of the nanoseconds, which ends in 2262. */
	LIBHPT_NODISCARD static time_point from_time_t(std::time_t t) noexcept
	{
		return time_point(duration(detail::ns_up(std::chrono::seconds(t))));
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

} // namespace v1
} // namespace hpt

#endif
