// SPDX-License-Identifier: MIT
/* Waits on a sleeper for descriptors. */
#include "check.hh"

#include <hpt/wait.hpp>

#include <array>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <vector>

namespace {

/* A pipe, and an epoll set that looks at its end to read, with 7 as its data. */
struct pipe_set {
	int ends[2], epfd;

	explicit pipe_set(std::uint32_t events = EPOLLIN) : epfd(epoll_create1(EPOLL_CLOEXEC))
	{
		::epoll_event e = ::epoll_event();

		e.events = events;
		e.data.u64 = 7;
		if (::pipe(ends) || epfd < 0 || epoll_ctl(epfd, EPOLL_CTL_ADD, ends[0], &e))
			std::abort();
	}
	pipe_set(const pipe_set &) = delete;
	pipe_set &operator=(const pipe_set &) = delete;
	~pipe_set()
	{
		for (int fd : { ends[0], ends[1], epfd })
			::close(fd);
	}
	void put() const
	{
		CHECK(::write(ends[1], "x", 1) == 1);
	}
	void take() const
	{
		char c;

		CHECK(::read(ends[0], &c, 1) == 1);
	}
	::pollfd in() const
	{
		return ::pollfd{ ends[0], POLLIN, 0 };
	}
};

bool is(const hpt::polled &p, hpt::wake why, std::uint32_t count = 0)
{
	return p.why == why && p.count == count && bool(p) == (count > 0);
}

void check_deadlines()
{
	const pipe_set p;
	hpt::sleeper s;
	std::vector<::pollfd> fds{ p.in() };
	::epoll_event events[2];

	for (microseconds length : { microseconds(0), microseconds(20), microseconds(300), microseconds(3000) }) {
		const hpt::timer t = hpt::timer::now() + length;
		const auto steady = hpt::steady_clock::now() + length;

		CHECK(is(hpt::poll_until(s, fds, t), hpt::wake::reached) && hpt::timer::now() >= t);
		CHECK(is(hpt::poll_until(s, fds, steady + length), hpt::wake::reached));
		CHECK(hpt::steady_clock::now() >= steady + length);
		CHECK(is(hpt::epoll_until(s, p.epfd, events, t + 3 * length), hpt::wake::reached));
		CHECK(hpt::timer::now() >= t + 3 * length);
		CHECK(is(hpt::epoll_until(s, p.epfd, events, steady + 4 * length), hpt::wake::reached));
		CHECK(hpt::steady_clock::now() >= steady + 4 * length);

		const std::int64_t before = hpt_now_ns(nullptr);

		CHECK(is(hpt::poll_for(s, { nullptr, 0 }, length), hpt::wake::reached));
		CHECK(hpt_now_ns(nullptr) - before >= hpt::nanoseconds(length).count());
		CHECK(is(hpt::epoll_for(s, p.epfd, events, length), hpt::wake::reached));
		CHECK(hpt_now_ns(nullptr) - before >= 2 * hpt::nanoseconds(length).count());
	}
}

void check_poll_events()
{
	const pipe_set p, q;
	hpt::sleeper s;
	std::vector<::pollfd> some{ p.in() };
	::pollfd both[] = { p.in(), q.in() };
	std::array<::pollfd, 1> one{ { q.in() } };

	CHECK(is(hpt::poll_for(s, some, seconds(-1)), hpt::wake::reached)); /* one look */
	p.put();
	CHECK(is(hpt::poll_for(s, some, seconds(-1)), hpt::wake::ready, 1) && some[0].revents == POLLIN);
	CHECK(is(hpt::poll(s, both), hpt::wake::ready, 1) && both[0].revents == POLLIN && !both[1].revents);
	CHECK(s.remaining() == hpt::nanoseconds::max());
	q.put();
	CHECK(is(hpt::poll_until(s, both, hpt::timer::from_ticks(INT64_MAX)), hpt::wake::ready, 2));
	CHECK(is(hpt::poll_until(s, { both, 1 }, hpt::steady_clock::time_point()), hpt::wake::ready, 1));
	CHECK(is(hpt::poll_for(s, one, std::chrono::hours::max()), hpt::wake::ready, 1));
	s.interrupt(); /* which comes before a look */
	CHECK(is(hpt::poll(s, one), hpt::wake::interrupted) && is(hpt::poll(s, one), hpt::wake::ready, 1));
	q.take();
	CHECK(is(beside([&] { return hpt::poll_for(s, one, std::chrono::hours(1)); }, [&] { q.put(); }),
		 hpt::wake::ready, 1));
	CHECK(s.remaining() > std::chrono::minutes(30));
}

/* By the sleeper's own descriptor, whose event may come first. */
void check_interrupt()
{
	hpt::sleeper s;
	::pollfd own[] = { { hpt::fd(s), POLLIN, 0 } };

	CHECK(own[0].fd >= 0 && hpt::fd(s) == own[0].fd);
	for (int i = 0; i < 20; i++) {
		const hpt::polled last = beside([&] {
			hpt::polled p = hpt::poll(s, own);

			while (p)
				p = hpt::poll(s, own);
			return p;
		}, [&] {
			std::this_thread::sleep_for(microseconds(i * 20));
			s.interrupt();
		});

		CHECK(is(last, hpt::wake::interrupted));
		CHECK(is(hpt::poll_for(s, own, seconds(0)), hpt::wake::reached));
	}
#if defined(__cpp_lib_jthread)
	std::stop_source source;
	const auto wait = [&] { return hpt::poll(s, own); };

	CHECK(beside([&] { return s.stoppable(source.get_token(), wait); }, [&] {
		std::this_thread::sleep_for(milliseconds(1));
		source.request_stop();
	}).why != hpt::wake::reached);
	CHECK(is(s.stoppable(source.get_token(), wait), hpt::wake::interrupted));
	CHECK(is(hpt::poll_for(s, own, seconds(0)), hpt::wake::reached)); /* nothing is pending */
#endif
}

/* Tick 3 is 1 ns and tick 5 is 1.67 ns, which are the same in whole nanoseconds. */
void check_fine_ticks()
{
	const hpt::clock on = hpt::clock::manual(UINT64_C(3000000000));
	hpt::sleeper s(on);

	CHECK(is(beside([&] { return hpt::poll_until(s, { nullptr, 0 }, hpt::timer::from_ticks(5)); }, [&] {
		await_sleepers(on, 1);
		on.advance(3);
		await_sleepers(on, 1);
		on.advance(3);
	}), hpt::wake::reached));
}

/* A tick of the clock is a third of a second. */
void check_manual_waits()
{
	const hpt::clock on = hpt::clock::manual(3);
	hpt::sleeper s(on);
	const hpt::timer t = hpt::timer::from_ticks(2);

	CHECK(is(beside([&] { return hpt::poll_until(s, { nullptr, 0 }, t); }, [&] {
		await_sleepers(on, 1);
		CHECK(fails(std::errc::device_or_resource_busy, [&] { hpt::poll_for(s, { nullptr, 0 }, seconds(0)); }));
		on.advance(1);
		await_sleepers(on, 1);
		on.advance(1);
	}), hpt::wake::reached));
	CHECK(on.now() == 2);
	check_fine_ticks();
	CHECK(is(beside([&] { return hpt::poll_for(s, { nullptr, 0 }, milliseconds(400)); }, [&] {
		await_sleepers(on, 1);
		on.advance(1);
		await_sleepers(on, 1);
		on.advance(1);
	}), hpt::wake::reached));
	CHECK(is(hpt::poll_until(s, { nullptr, 0 }, hpt::timer::from_ticks(INT64_MIN)), hpt::wake::reached));
	CHECK(is(beside([&] { return hpt::poll(s, { nullptr, 0 }); }, [&] {
		await_sleepers(on, 1);
		on.advance(seconds(1000000));
		await_sleepers(on, 1);
		s.interrupt();
	}), hpt::wake::interrupted));
}

} // namespace

void test_poll()
{
	check_deadlines();
	check_poll_events();
	check_interrupt();
	check_manual_waits();
}

void test_epoll()
{
	const pipe_set p(EPOLLIN | EPOLLET);
	hpt::sleeper s;
	std::vector<::epoll_event> events(3);

	CHECK(is(hpt::epoll_for(s, p.epfd, events, seconds(0)), hpt::wake::reached));
	p.put();
	CHECK(is(hpt::epoll(s, p.epfd, events), hpt::wake::ready, 1));
	CHECK(events[0].events == EPOLLIN && events[0].data.u64 == 7);
	CHECK(is(hpt::epoll_for(s, p.epfd, events, microseconds(300)), hpt::wake::reached)); /* once */
	s.interrupt();
	CHECK(is(hpt::epoll_until(s, p.epfd, events, hpt::timer()), hpt::wake::interrupted));
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::epoll(s, p.epfd, { events.data(), 0 }); }));
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::epoll(s, p.ends[0], events); }));
	CHECK(fails(std::errc::bad_file_descriptor, [&] { hpt::epoll(s, -1, events); }));

	const hpt::sleeper moved = std::move(s);

	CHECK(fails(std::errc::invalid_argument, [&] { hpt::poll(s, { nullptr, 0 }); }));
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::poll_until(s, { nullptr, 0 }, hpt::timer::now()); }));
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::epoll(s, p.epfd, events); }));
	CHECK(fails(std::errc::invalid_argument, [&] { (void)hpt::fd(s); }));
	CHECK(fails(std::errc::invalid_argument, [&] { (void)hpt::margin(s, seconds(1)); }));
	CHECK(fails(std::errc::invalid_argument, [&] {
		hpt::learn(s, hpt::steady_clock::time_point(), hpt::steady_clock::time_point());
	}));
}

void test_margin()
{
	const hpt::sleeper s, manual(hpt::clock::manual());
	const std::chrono::steady_clock::time_point asked(seconds(5));

	CHECK(hpt::margin(manual, seconds(1)) == seconds(0));
	CHECK(hpt::margin(s, seconds(1)) > seconds(0) && hpt::margin(s, std::chrono::hours(1)) < std::chrono::hours(1));
	/* This one has learned from the sleeps of the other tests. */
	std::thread other([&] {
		const hpt::nanoseconds before = hpt::margin(s, milliseconds(1));

		for (int i = 0; i < 100; i++) {
			(void)hpt::margin(s, milliseconds(1));
			hpt::learn(s, asked, asked + microseconds(400));
			hpt::learn(s, asked, asked - microseconds(1)); /* by an event: nothing */
		}
		CHECK(hpt::margin(s, milliseconds(1)) > before);
	});

	other.join();
}
