/* SPDX-License-Identifier: MIT */
/* A sleep that others can end. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_SLEEPER_HPP
#define LIBHPT_CPP_SLEEPER_HPP

#include <hpt/cpp/object.hpp>

namespace hpt {
inline namespace v1 {

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
		return detail::woke(hpt_waiter_sleep_until_ticks(native_handle(), t.ticks()), "hpt_waiter_sleep_until_ticks");
	}
	template <class Duration> wake sleep_until(const std::chrono::time_point<steady_clock, Duration> &t)
	{
		hpt_waiter *const w = native_handle();

		return detail::woke(detail::sleep_on_monotonic(hpt_waiter_clock(w), steady_clock::to_ns(t),
							       [w](std::int64_t ns) {
			return hpt_waiter_sleep_until_ns(w, ns);
		}), "hpt_waiter_sleep_until_ns");
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
	/*
	 * The time that was left when the latest sleep ended by an interrupt, a signal or an event of poll() and the like,
	 * else 0; the most, if it had no deadline. Of the time-out, after wall::wait_after().
	 */
	LIBHPT_NODISCARD nanoseconds remaining() const noexcept
	{
		std::int64_t ns = 0;

		return nanoseconds(hpt_waiter_remaining_ns(native_handle(), &ns) < 0 ? 0 : ns);
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
	/* The same for any other sleep on it; for poll() and the like with its fd() among the descriptors. */
	template <class Sleep> auto stoppable(const std::stop_token &stop, Sleep sleep) -> decltype(sleep())
	{
		bool is_stopped = false;
		decltype(sleep()) why;

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

} // namespace v1
} // namespace hpt

#endif
