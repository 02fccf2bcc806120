/* SPDX-License-Identifier: MIT */
/*
 * wait.hpp - waits on a sleeper for descriptors, which end on time: hpt_waiter_poll_until_ns(3), hpt.hpp(3).
 *
 * Young, as <hpt/wait.h>: an incompatible change in a minor release gives it another inline namespace. It does not
 * include <poll.h> and <sys/epoll.h>.
 */
#ifndef LIBHPT_WAIT_HPP
#define LIBHPT_WAIT_HPP

#include <hpt/hpt.hpp>
#include <hpt/wait.h>

#include <cstddef>

namespace hpt {
inline namespace young1 {

/* How a wait for descriptors ended. */
struct polled {
	wake why;            /* ready, reached, interrupted, or signal with on_signal::end */
	std::uint32_t count; /* how many descriptors or events are ready */

	explicit operator bool() const noexcept
	{
		return count > 0;
	}
};

/* Many of a pollfd or epoll_event: an array, or what has data() and size(), such as std::vector and std::span. */
template <class T> class items {
public:
	items(T *first, std::size_t n) noexcept :
		first_(first), n_(n < UINT32_MAX ? static_cast<std::uint32_t>(n) : UINT32_MAX)
	{
	}
	template <std::size_t N> items(T (&all)[N]) noexcept : items(all, N)
	{
	}
	template <class All, class = typename std::enable_if<std::is_convertible<
				     decltype(std::declval<All &>().data()), T *>::value>::type>
	items(All &&all) noexcept : items(all.data(), all.size())
	{
	}

	LIBHPT_NODISCARD T *data() const noexcept
	{
		return first_;
	}
	LIBHPT_NODISCARD std::uint32_t size() const noexcept
	{
		return n_;
	}

private:
	T *first_;
	std::uint32_t n_;
};

namespace waits {

inline polled ended(int result, const char *what)
{
	if (result > 0)
		return polled{ wake::ready, static_cast<std::uint32_t>(result) };
	return polled{ detail::woke(result, what), 0 };
}

/* A wait of the C API, until a time on hpt_now_ns()'s line. */
struct poll_call {
	hpt_waiter *w;
	items<::pollfd> fds;

	polled operator()(std::int64_t ns) const
	{
		return ended(hpt_waiter_poll_until_ns(w, fds.data(), fds.size(), ns), "hpt_waiter_poll_until_ns");
	}
};
struct epoll_call {
	hpt_waiter *w;
	int epfd;
	items<::epoll_event> events;

	polled operator()(std::int64_t ns) const
	{
		return ended(hpt_waiter_epoll_until_ns(w, epfd, events.data(), events.size(), ns),
			     "hpt_waiter_epoll_until_ns");
	}
};

/* A tick as a time on that line, not before it. */
inline std::int64_t line_ns(hpt_clock *clk, hpt_time_t tick) noexcept
{
	std::int64_t ns = 0;
	hpt_time_t back = 0;

	if (tick == detail::most || hpt_time_to_ns(clk, tick, &ns) < 0)
		return tick < 0 ? detail::least : detail::most;
	return hpt_time_from_ns(clk, ns, &back) == 0 && back < tick ? detail::add_clamped(ns, 1) : ns;
}

/* Again while a change of the line's slope has ended it early. */
template <class Call> polled until(const Call &call, timer t)
{
	hpt_clock *const clk = hpt_waiter_clock(call.w);

	for (;;) {
		const polled p = call(line_ns(clk, t.ticks()));

		if (p.why != wake::reached || hpt_now(clk) >= t.ticks() ||
		    hpt_now_ns(clk) >= line_ns(clk, t.ticks()))
			return p;
	}
}

template <class Call, class Duration>
polled until(const Call &call, const std::chrono::time_point<steady_clock, Duration> &t)
{
	hpt_clock *const clk = hpt_waiter_clock(call.w);
	const std::int64_t ns = steady_clock::to_ns(t);

	for (;;) {
		const polled p = call(detail::deadline_ns(clk, ns));

		if (p.why != wake::reached || hpt_now_monotonic_ns(clk) >= ns)
			return p;
	}
}

template <class Call, class Rep, class Period>
polled after(const Call &call, const std::chrono::duration<Rep, Period> &d)
{
	const std::int64_t ns = detail::ns_up(d);

	return call(ns == detail::most ? ns : detail::add_clamped(hpt_now_ns(hpt_waiter_clock(call.w)), ns));
}

} // namespace waits

/*
 * Until descriptors have events, as poll(2), and until a deadline at most, which they never end before. A past one is
 * one look. Times are those of the sleeper's clock. interrupt() ends a wait at once if fd() of the sleeper is among the
 * descriptors.
 */
inline polled poll(sleeper &s, items<::pollfd> fds)
{
	return waits::poll_call{ s.native_handle(), fds }(detail::most);
}
template <class Rep, class Period>
polled poll_for(sleeper &s, items<::pollfd> fds, const std::chrono::duration<Rep, Period> &d)
{
	return waits::after(waits::poll_call{ s.native_handle(), fds }, d);
}
inline polled poll_until(sleeper &s, items<::pollfd> fds, timer t)
{
	return waits::until(waits::poll_call{ s.native_handle(), fds }, t);
}
template <class Duration>
polled poll_until(sleeper &s, items<::pollfd> fds, const std::chrono::time_point<steady_clock, Duration> &t)
{
	return waits::until(waits::poll_call{ s.native_handle(), fds }, t);
}

/* The same for an epoll set, with room for events. Each is returned once, also those of EPOLLET and EPOLLONESHOT. */
inline polled epoll(sleeper &s, int epfd, items<::epoll_event> events)
{
	return waits::epoll_call{ s.native_handle(), epfd, events }(detail::most);
}
template <class Rep, class Period>
polled epoll_for(sleeper &s, int epfd, items<::epoll_event> events, const std::chrono::duration<Rep, Period> &d)
{
	return waits::after(waits::epoll_call{ s.native_handle(), epfd, events }, d);
}
inline polled epoll_until(sleeper &s, int epfd, items<::epoll_event> events, timer t)
{
	return waits::until(waits::epoll_call{ s.native_handle(), epfd, events }, t);
}
template <class Duration>
polled epoll_until(sleeper &s, int epfd, items<::epoll_event> events,
		   const std::chrono::time_point<steady_clock, Duration> &t)
{
	return waits::until(waits::epoll_call{ s.native_handle(), epfd, events }, t);
}

/* Readable while an interrupt is pending: hpt_waiter_fd(3). The sleeper owns it; it is not to be read. */
LIBHPT_NODISCARD inline int fd(const sleeper &s)
{
	return detail::check(hpt_waiter_fd(s.native_handle()), "hpt_waiter_fd");
}

/* How long before its deadline a wait of the program's own is to end; more than what is left: do not wait at all. */
template <class Rep, class Period>
LIBHPT_NODISCARD nanoseconds margin(const sleeper &s, const std::chrono::duration<Rep, Period> &left)
{
	std::int64_t ns = 0;

	detail::check(hpt_waiter_margin_ns(s.native_handle(), detail::ns_up(left), &ns), "hpt_waiter_margin_ns");
	return nanoseconds(ns);
}

/* Teaches the thread how late such a wait was: when it was to end, and when it did, by any clock. */
template <class Clock, class Asked, class Woke>
void learn(const sleeper &s, const std::chrono::time_point<Clock, Asked> &asked,
	   const std::chrono::time_point<Clock, Woke> &woke)
{
	detail::check(hpt_waiter_learn_ns(s.native_handle(), detail::ns_up(asked.time_since_epoch()),
					  detail::ns_up(woke.time_since_epoch())), "hpt_waiter_learn_ns");
}

} // namespace young1
} // namespace hpt

#endif
