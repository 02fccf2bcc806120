/* SPDX-License-Identifier: MIT */
/* Sleepers that wake at once. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_GATE_HPP
#define LIBHPT_CPP_GATE_HPP

#include <hpt/cpp/object.hpp>

namespace hpt {

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

} // namespace hpt

#endif
