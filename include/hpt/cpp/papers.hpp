/* SPDX-License-Identifier: MIT */
/* What the papers' class is made of: arguments, its clock, its sleeps. Included by highpertimer.hpp. */
#ifndef LIBHPT_CPP_PAPERS_HPP
#define LIBHPT_CPP_PAPERS_HPP

#include <hpt/hpt.hpp>

#include <atomic>
#include <memory>
#include <ostream>

namespace HPTimer {
inline namespace young1 {

/* ---- Sources -------------------------------------------------------------------------------------------- */

/* After the papers' three: the sources that came later, which only GetHPSource() returns. */
enum class TimeSource : std::uint32_t {
	TSC = HPT_SOURCE_TSC,
	HPET = HPT_SOURCE_HPET,
	OS = HPT_SOURCE_OS,
	ARCH = HPT_SOURCE_ARCH,
	MMIO = HPT_SOURCE_MMIO,
	MANUAL = HPT_SOURCE_MANUAL
};

/* Why the HPET cannot be used; NONE: it can, or was not tried. */
enum class HPETFail : std::uint32_t {
	NONE = HPT_REASON_NONE,
	ACCESS = HPT_REASON_HPET_ACCESS,
	FAULT = HPT_REASON_HPET_FAULT,
	NOENT = HPT_REASON_HPET_NOENT,
	MFILE = HPT_REASON_HPET_MFILE,
	AGAIN = HPT_REASON_HPET_AGAIN,
	BUSY = HPT_REASON_HPET_BUSY,
	BADF = HPT_REASON_HPET_BADF,
	NODEV = HPT_REASON_HPET_NODEV,
	NOMEM = HPT_REASON_HPET_NOMEM,
	MC32BIT = HPT_REASON_HPET_32BIT,
	UNKNOWN = HPT_REASON_HPET_UNKNOWN
};

inline std::ostream &operator<<(std::ostream &out, HPETFail reason)
{
	return out << (reason == HPETFail::NONE ? "the HPET did not fail, or was not tried" :
						  hpt_reason_text(static_cast<std::uint32_t>(reason)));
}

/* ---- Errors --------------------------------------------------------------------------------------------- */

/* A value that does not fit, or two signs in one. A handler of the papers' std::out_of_range takes it. */
class OutOfRange : public std::out_of_range {
public:
	explicit OutOfRange(const char *what) : std::out_of_range(what)
	{
	}
};

namespace detail {

using hpt::detail::least;
using hpt::detail::most;

[[noreturn]] inline void refuse(const char *what)
{
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
	throw OutOfRange(what);
#else
	(void)what;
	std::abort();
#endif
}

/* Tics go from -INT64_MAX to INT64_MAX, so that each has its negative. */
inline std::int64_t checked(bool fits, std::int64_t tics)
{
	if (!fits || tics == least)
		refuse("HPTimer overflow");
	return tics;
}

inline std::int64_t sum(std::int64_t a, std::int64_t b)
{
	return checked(b < 0 ? a >= least - b : a <= most - b, hpt::detail::add_clamped(a, b));
}

/* ---- Arguments ------------------------------------------------------------------------------------------ */

template <class N> struct is_whole {
	static constexpr bool value = std::is_integral<N>::value && !std::is_same<N, bool>::value;
};
template <class N> struct is_number {
	static constexpr bool value = is_whole<N>::value || std::is_floating_point<N>::value;
};

/* A number of Periods, as tics. Any type of integer fits or is noticed, and -1 is not 2^64 - 1. */
template <class Period, template <class> class Allowed> class amount {
public:
	template <class N, typename std::enable_if<Allowed<N>::value, int>::type = 0>
	amount(N n) :
		whole_(is_most(n) ? hpt::detail::whole_ns{ most, true } :
				    hpt::detail::to_ns<Period>(n, hpt::detail::rounding::nearest))
	{
	}
	std::int64_t tics() const
	{
		return checked(whole_.fits, whole_.ns);
	}
	/* For sleeps: the most, which is for ever, where it does not fit. */
	std::int64_t clamped() const noexcept
	{
		return whole_.ns;
	}

private:
	/* to_ns() takes the most for a number that does not fit; here it is the number of HPTimer_MAX. */
	template <class N> static constexpr bool is_most(N n)
	{
		return is_whole<N>::value && std::is_same<Period, std::nano>::value &&
		       static_cast<std::int64_t>(static_cast<N>(most)) == most && n == static_cast<N>(most);
	}

	hpt::detail::whole_ns whole_;
};

using seconds = amount<std::ratio<1>, is_whole>;
using useconds = amount<std::micro, is_whole>;
using nseconds = amount<std::nano, is_whole>;
using any_seconds = amount<std::ratio<1>, is_number>;

/* ---- The clock ------------------------------------------------------------------------------------------ */

/* A clock, and what its hpt_now_ns() lacks to Unix time: the papers' UnixZeroShift, taken when it is first needed. */
struct line {
	std::int64_t now() const noexcept
	{
		return hpt_now_ns(clk.load(std::memory_order_acquire));
	}
	std::int64_t shift() noexcept
	{
		const std::int64_t ns = shift_ns.load(std::memory_order_acquire);

		return ns == least ? first_shift() : ns;
	}
	std::int64_t present_shift() const noexcept
	{
		hpt_clock *const on = clk.load(std::memory_order_acquire);
		hpt_sample s;

		if (hpt_clock_sample(on, &s, sizeof(s)) < 0 || s.unix_ns == least)
			return hpt_now_unix_ns(on) - hpt_now_ns(on);
		return s.unix_ns - s.ns;
	}
	/* A shift that was never taken will be, when it is needed. */
	void renew_shift() noexcept
	{
		if (shift_ns.load(std::memory_order_acquire) != least)
			shift_ns.store(present_shift(), std::memory_order_release);
	}
	std::int64_t first_shift() noexcept
	{
		const std::int64_t ns = present_shift();
		std::int64_t taken = least;

		return shift_ns.compare_exchange_strong(taken, ns) ? ns : taken;
	}

	std::atomic<hpt_clock *> clk; /* NULL: the default clock; of another line: not opened */
	std::atomic<std::int64_t> shift_ns;
};

/* One for the whole process. Clocks that SetTimerSource() opened stay open: threads may sleep on them. */
template <class Unused> struct
#if defined(__GNUC__)
	__attribute__((visibility("default")))
#endif
	shared {
	static line by_default, opened[3];
	static std::atomic<line *> current;
};
template <class Unused> line shared<Unused>::by_default = { { nullptr }, { least } };
template <class Unused>
line shared<Unused>::opened[3] = {
	{ { nullptr }, { least } }, { { nullptr }, { least } }, { { nullptr }, { least } }
};
template <class Unused> std::atomic<line *> shared<Unused>::current{ &shared<Unused>::by_default };

inline line &current() noexcept
{
	return *shared<void>::current.load(std::memory_order_acquire);
}

inline TimeSource source_of(hpt_clock *clk)
{
	hpt_clock_info info;

	hpt::detail::check(hpt_clock_get_info(clk, &info, sizeof(info)), "hpt_clock_get_info");
	return static_cast<TimeSource>(info.source);
}

/* The line on a source; NULL where it cannot be opened. */
inline line *line_on(TimeSource source, line &opened)
{
	hpt_clock *clk = nullptr, *other = nullptr;

	if (source_of(nullptr) == source)
		return &shared<void>::by_default;
	if (opened.clk.load(std::memory_order_acquire))
		return &opened;
	if (hpt_clock_open(static_cast<std::uint32_t>(source), 0, &clk) < 0)
		return nullptr;
	if (!opened.clk.compare_exchange_strong(other, clk))
		hpt_clock_close(clk);
	return &opened;
}

/* ---- Sleeps --------------------------------------------------------------------------------------------- */

/*
 * What a timer sleeps on: any number of threads, and Interrupt() ends all these sleeps, or else the next one.
 * Interrupts are counted: one that a sleep has found at its start rings the gate after that, and must not end the next
 * sleep too.
 */
class bed {
public:
	constexpr bed() noexcept : made_(nullptr), asked_(0), served_(0)
	{
	}
	bed(const bed &) = delete;
	bed &operator=(const bed &) = delete;
	~bed()
	{
		std::unique_ptr<place> last(made_.load(std::memory_order_acquire));
	}

	void sleep_for(std::int64_t ns)
	{
		const place &in = made();

		sleep(in, hpt::detail::add_clamped(in.on.now(), ns));
	}
	void sleep_to(std::int64_t unix_ns)
	{
		const place &in = made();

		sleep(in, hpt::detail::add_clamped(unix_ns, -in.on.shift()));
	}
	/* An interrupt is both, in this order. */
	void ask() noexcept
	{
		asked_.fetch_add(1);
	}
	void ring() noexcept
	{
		const place *const in = made_.load();

		if (in)
			hpt_gate_notify_all(in->gate.native_handle());
	}

private:
	struct place {
		explicit place(line &of) : on(of), gate(hpt::clock::share(of.clk.load(std::memory_order_acquire)))
		{
		}
		line &on;
		hpt::gate gate;
	};

	/* Of the source at the timer's first sleep. */
	const place &made()
	{
		place *in = made_.load(std::memory_order_acquire);

		if (!in) {
			std::unique_ptr<place> fresh(new place(current()));

			if (made_.compare_exchange_strong(in, fresh.get()))
				in = fresh.release();
		}
		return *in;
	}
	void sleep(const place &in, std::int64_t ns)
	{
		const std::uint32_t before = served_.load();
		hpt_gate *const gate = in.gate.native_handle();

		for (int result = 0; !result;) {
			const std::uint32_t ticket = hpt_gate_ticket(gate), asked = asked_.load();

			if (asked != before)
				return serve(asked);
			result = hpt_gate_wait_until_ns(gate, ticket, ns);
			if (result != -ETIMEDOUT)
				hpt::detail::check(result, "hpt_gate_wait_until_ns");
		}
	}
	/* Never back: another thread may have served a later one. */
	void serve(std::uint32_t asked) noexcept
	{
		std::uint32_t served = served_.load();

		while (static_cast<std::int32_t>(asked - served) > 0 && !served_.compare_exchange_weak(served, asked))
			;
	}

	std::atomic<place *> made_;
	std::atomic<std::uint32_t> asked_, served_;
};

/* No integer converts to it. */
struct exact {
	std::int64_t tics;
};

/* A header's own static members: those of a template. They need no constructor at run time. */
template <class Timer> struct extremes {
	static const Timer HPTimer_MAX, HPTimer_MIN;
};
template <class Timer> const Timer extremes<Timer>::HPTimer_MAX(exact{ most });
template <class Timer> const Timer extremes<Timer>::HPTimer_MIN(exact{ -most });

} // namespace detail

} // namespace young1
} // namespace HPTimer

#endif
