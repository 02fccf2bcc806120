/* SPDX-License-Identifier: MIT */
/* Waits that end at once. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_GATE_HPP
#define LIBHPT_CPP_GATE_HPP

#include <hpt/cpp/object.hpp>

namespace hpt {
inline namespace v1 {

/*
 * Many threads that wait and wake at once: hpt_gate_new(3). With a predicate, as std::condition_variable but without a mutex:
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

	/* wake::notified, timed_out at the deadline and never before it, shut, or signal with on_signal::end. */
	wake wait(key k)
	{
		return woke(hpt_gate_wait_until_ticks(native_handle(), number(k), detail::most), "hpt_gate_wait_until_ticks");
	}
	wake wait_until(key k, timer t)
	{
		return woke(hpt_gate_wait_until_ticks(native_handle(), number(k), t.ticks()), "hpt_gate_wait_until_ticks");
	}
	template <class Duration>
	wake wait_until(key k, const std::chrono::time_point<steady_clock, Duration> &t)
	{
		const std::int64_t ns = steady_clock::to_ns(t);

		for (;;) {
			const wake why = wait_until_ns(k, detail::deadline_ns(clk(), ns));

			if (why != wake::timed_out || hpt_now_monotonic_ns(clk()) >= ns)
				return why;
		}
	}
	template <class Rep, class Period> wake wait_for(key k, const std::chrono::duration<Rep, Period> &d)
	{
		return wait_until_ns(k, after(d));
	}

	/* Return the predicate: false after the deadline, a shut gate, or a signal with on_signal::end. */
	template <class Predicate> bool wait(Predicate is_true)
	{
		return wait_by(is_true, [&](key k) { return wait(k); });
	}
	template <class Predicate> bool wait_until(timer t, Predicate is_true)
	{
		return wait_by(is_true, [&](key k) { return wait_until(k, t); });
	}
	template <class Duration, class Predicate>
	bool wait_until(const std::chrono::time_point<steady_clock, Duration> &t, Predicate is_true)
	{
		return wait_by(is_true, [&](key k) { return wait_until(k, t); });
	}
	template <class Rep, class Period, class Predicate>
	bool wait_for(const std::chrono::duration<Rep, Period> &d, Predicate is_true)
	{
		const std::int64_t ns = after(d);

		return wait_by(is_true, [&](key k) { return wait_until_ns(k, ns); });
	}

	void notify_all() noexcept
	{
		hpt_gate_notify_all(native_handle());
	}
	/* Wakes all that wait, and refuses waits until reopen(). */
	void shut() noexcept
	{
		hpt_gate_shut(native_handle());
	}
	void reopen() noexcept
	{
		hpt_gate_reopen(native_handle());
	}

#if defined(__cpp_lib_jthread)
	/* A stop request ends the wait too. It wakes the gate's other waits, which check their predicates. */
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
	static std::uint32_t number(key k) noexcept
	{
		return static_cast<std::uint32_t>(k);
	}
	static wake woke(int result, const char *what)
	{
		return result == 0 ? wake::notified : detail::woke(result, what);
	}
	wake wait_until_ns(key k, std::int64_t ns)
	{
		return woke(hpt_gate_wait_until_ns(native_handle(), number(k), ns), "hpt_gate_wait_until_ns");
	}

	template <class Predicate, class Wait> bool wait_by(Predicate &is_true, Wait wait_once)
	{
		for (;;) {
			const key k = prepare();

			if (is_true())
				return true;
			if (wait_once(k) != wake::notified)
				return is_true();
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
		const std::int64_t ns = detail::ns_up(d);

		return ns == detail::most ? ns : detail::add_clamped(hpt_now_ns(clk()), ns);
	}
};

} // namespace v1
} // namespace hpt

#endif
