// SPDX-License-Identifier: MIT
/* std::stop_token: a stop ends a sleep, and leaves no interrupt that a later sleep meets. */
#include "check.hh"

#include <cstdio>


#if defined(__cpp_lib_jthread)

namespace {

/* Runs sleep(token) in a thread that is asked to stop once it sleeps on the clock. */
template <class Sleep> auto stopped(const hpt::clock &on, Sleep sleep)
{
	decltype(sleep(std::stop_token())) ret{};
	std::jthread t([&](std::stop_token stop) { ret = sleep(stop); });

	await_sleepers(on, 1);
	t.request_stop();
	t.join();
	return ret;
}

void check_sleeper()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::sleeper s(on);
	std::stop_source past;

	CHECK(stopped(on, [&](std::stop_token stop) { return s.wait(stop); }) == hpt::wake::interrupted);
	CHECK(stopped(on, [&](std::stop_token stop) { return s.sleep_for(stop, seconds(1)); }) ==
	      hpt::wake::interrupted);
	CHECK(stopped(on, [&](std::stop_token stop) { return s.sleep_until(stop, hpt::timer::from_ticks(9)); }) ==
	      hpt::wake::interrupted);
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::reached);
	past.request_stop();
	CHECK(s.sleep_for(past.get_token(), seconds(1)) == hpt::wake::interrupted);
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::reached);
	CHECK(s.sleep_for(std::stop_token(), seconds(0)) == hpt::wake::reached);

	/* With an interrupt pending already: the stop's own must not stay. */
	s.interrupt();
	CHECK(s.sleep_for(past.get_token(), seconds(0)) == hpt::wake::interrupted);
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::reached);
}

/*
 * The stop comes as near to the end of the sleep as can be: whichever ends it, nothing stays pending. sleep(token) is
 * called in many rounds, each with a stop by another thread; is_left() then looks for an interrupt.
 */
template <class Sleep, class Left> void check_race(const char *name, Sleep sleep, Left is_left)
{
	const int rounds = 3000;
	std::atomic<std::stop_source *> wanted(nullptr);
	std::atomic<bool> is_over(false);
	int left = 0, ended = 0;
	std::thread stopper([&] {
		for (unsigned turns = 0; !is_over; turns++) {
			std::stop_source *source = wanted.exchange(nullptr);

			if (!source) {
				std::this_thread::yield();
				continue;
			}
			/* Its owner goes on as soon as the stop is requested. */
			std::stop_source shared = *source;

			for (unsigned i = 0; i < turns % 512; i++)
				std::atomic_signal_fence(std::memory_order_seq_cst);
			shared.request_stop();
		}
	});

	for (int i = 0; i < rounds; i++) {
		std::stop_source source;

		wanted = &source;
		ended += sleep(source.get_token()) == hpt::wake::reached;
		while (!source.stop_requested())
			std::this_thread::yield();
		left += is_left();
	}
	is_over = true;
	stopper.join();
	CHECK(left == 0);
	std::printf("# %s: %d of %d ended before their stop\n", name, ended, rounds);
}

void check_races()
{
	hpt::sleeper s;
	hpt::ticker t(microseconds(1));

	check_race("sleeper", [&](std::stop_token stop) { return s.sleep_for(stop, hpt::nanoseconds(500)); },
		   [&] { return s.sleep_for(seconds(0)) == hpt::wake::interrupted; });
	check_race("ticker", [&](std::stop_token stop) { return t.wait(stop).why; },
		   [&] { return t.wait().why == hpt::wake::interrupted; });
}

void check_gate()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::gate g(on);
	const auto never = [] { return false; };

	CHECK(!stopped(on, [&](std::stop_token stop) { return g.wait(stop, never); }));
	CHECK(!stopped(on, [&](std::stop_token stop) { return g.wait_for(stop, seconds(1), never); }));
	CHECK(!stopped(on, [&](std::stop_token stop) {
		return g.wait_until(stop, hpt::steady_clock::time_point(seconds(1)), never);
	}));
	CHECK(g.wait(std::stop_token(), [] { return true; }));
	CHECK(!g.wait_for(std::stop_token(), seconds(0), never));
}

void check_ticker()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::ticker t(seconds(1), on);
	std::stop_source past;

	CHECK(stopped(on, [&](std::stop_token stop) { return t.wait(stop).why; }) == hpt::wake::interrupted);
	past.request_stop();
	CHECK(t.wait(past.get_token()).why == hpt::wake::interrupted);
	on.advance(seconds(1));
	CHECK(t.wait(std::stop_token()).index == 1);
}

} // namespace

void test_stop()
{
	check_sleeper();
	check_races();
	check_gate();
	check_ticker();
}

#endif
