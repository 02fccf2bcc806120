/* SPDX-License-Identifier: MIT */
/* Facts, and holders of clocks. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_CLOCK_HPP
#define LIBHPT_CPP_CLOCK_HPP

#include <hpt/cpp/chrono.hpp>

#include <utility>

namespace hpt {
inline namespace v1 {

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

/* ---- Clock --------------------------------------------------------------------------------------------- */

/* The report of hpt_clock_check(). */
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

	/* For tests: a clock that stands still until advance(). At 10^9 Hz a tick is a nanosecond. */
	LIBHPT_NODISCARD static clock manual(std::uint64_t frequency_hz = UINT64_C(1000000000), hpt_time_t start = 0)
	{
		hpt_clock *clk = nullptr;

		detail::check(hpt_clock_new_manual(frequency_hz, start, 0, &clk), "hpt_clock_new_manual");
		return clock(clk);
	}

	/* One more holder of a clock of the C API. */
	LIBHPT_NODISCARD static clock share(hpt_clock *clk) noexcept
	{
		return clock(hpt_clock_ref(clk));
	}

	/* The source of the default clock, before its first use: the papers' SetTimerSource. */
	static void set_default_source(source s)
	{
		detail::check(hpt_clock_set_default_source(static_cast<std::uint32_t>(s), 0),
			      "hpt_clock_set_default_source");
	}
	/* This clock as the default one, likewise: for tests of code that uses the default clock. */
	void set_default() const
	{
		detail::check(hpt_clock_set_default(held(), 0), "hpt_clock_set_default");
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
	LIBHPT_NODISCARD nanoseconds now_monotonic() const noexcept
	{
		return nanoseconds(hpt_now_monotonic_ns(clk_));
	}
	LIBHPT_NODISCARD nanoseconds now_boottime() const noexcept
	{
		return nanoseconds(hpt_now_boottime_ns(clk_));
	}
	LIBHPT_NODISCARD nanoseconds now_tai() const noexcept
	{
		return nanoseconds(hpt_now_tai_ns(clk_));
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

} // namespace v1
} // namespace hpt

#endif
