/* SPDX-License-Identifier: MIT */
/* Periods. Included by hpt.hpp. */
#ifndef LIBHPT_CPP_TICKER_HPP
#define LIBHPT_CPP_TICKER_HPP

#include <hpt/cpp/object.hpp>

#include <atomic>

namespace hpt {
inline namespace v1 {

/* The result of ticker::wait(). Where no tick came, index and scheduled are those of the next one. */
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
	/* Not started: start() or start_rational() says when ticks come. */
	explicit ticker(const clock &on = clock(), policy p = policy::inherit, on_signal then = on_signal::sleep_on) :
		ticker(INT64_C(0), on, p, then)
	{
	}
	/* The first tick comes a period from now. */
	template <class Rep, class Period>
	explicit ticker(const std::chrono::duration<Rep, Period> &period, const clock &on = clock(),
			policy p = policy::inherit, on_signal then = on_signal::sleep_on) :
		ticker(a_period(period), on, p, then)
	{
	}

	/* A period of num/den seconds, without drift: 1001/60000, 1/44100. Tick 0 is now. */
	LIBHPT_NODISCARD static ticker rational(std::uint32_t num, std::uint32_t den, const clock &on = clock(),
						policy p = policy::inherit, on_signal then = on_signal::sleep_on)
	{
		ticker t(on, p, then);

		t.start_rational(timer::from_ticks(on.now()), num, den);
		return t;
	}

	/* Another phase and period. first is a time of the ticker's clock, and tick 0. */
	template <class Rep, class Period> void start(timer first, const std::chrono::duration<Rep, Period> &period)
	{
		start_ns(first, a_period(period));
	}
	/* A single tick. */
	void start_once(timer first)
	{
		start_ns(first, 0);
	}
	void start_rational(timer first, std::uint32_t num, std::uint32_t den)
	{
		detail::check(hpt_ticker_start_rational(native_handle(), line_ns(first), num, den),
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

	/* In C 0 is a ticker that is not started, or a single tick. */
	template <class Rep, class Period>
	static std::int64_t a_period(const std::chrono::duration<Rep, Period> &period)
	{
		const std::int64_t ns = detail::ns_nearest(period);

		if (!ns)
			detail::fail(-EINVAL, "hpt: the period of a ticker");
		return ns;
	}

	void start_ns(timer first, std::int64_t period_ns)
	{
		detail::check(hpt_ticker_start(native_handle(), line_ns(first), period_ns), "hpt_ticker_start");
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

	/* A time on the line of nanoseconds, not before the tick. */
	std::int64_t line_ns(timer t) const
	{
		hpt_clock *const clk = hpt_ticker_clock(native_handle());
		std::int64_t ns = 0;
		hpt_time_t back = 0;

		detail::check(hpt_time_to_ns(clk, t.ticks(), &ns), "hpt_time_to_ns");
		return hpt_time_from_ns(clk, ns, &back) == 0 && back < t.ticks() ? ns + 1 : ns;
	}

	/* Before the wait, where it takes no time from the tick. */
	tick next() const noexcept
	{
		hpt_time_t at = 0;
		std::int64_t ns = 0;

		if (hpt_ticker_next_ns(native_handle(), &ns) == 0)
			(void)!hpt_time_from_ns(hpt_ticker_clock(native_handle()), ns, &at);
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
	/* The time from tick 0 to tick n, rounded up; modulo 2^64. */
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

} // namespace v1
} // namespace hpt

#endif
