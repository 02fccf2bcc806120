// SPDX-License-Identifier: MIT
/* std::stop_token: a stop ends a sleep, and leaves no interrupt that a later sleep meets. */
#include "check.hh"


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

/* The stop comes as near to the deadline as can be: whichever ends the sleep, nothing stays pending. */
void check_race()
{
	hpt::sleeper s;
	hpt::ticker ticks(microseconds(10));
	int reached = 0;

	for (int i = 0; i < 300; i++) {
		const microseconds length(i % 30);
		std::atomic<bool> is_asleep(false);
		std::jthread t([&](std::stop_token stop) {
			is_asleep = true;
			reached += s.sleep_for(stop, length) == hpt::wake::reached;
			ticks.wait(stop);
		});
		while (!is_asleep)
			std::this_thread::yield();
		hpt::sleep_for(length);
		t.request_stop();
		t.join();
		if (s.sleep_for(seconds(0)) == hpt::wake::interrupted || ticks.wait().why == hpt::wake::interrupted) {
			CHECK(false);
			return;
		}
	}
	std::printf("# %d of 300 sleeps ended before their stop\n", reached);
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
	check_race();
	check_gate();
	check_ticker();
}

#endif
