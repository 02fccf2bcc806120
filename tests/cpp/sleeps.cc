// SPDX-License-Identifier: MIT
/* Sleeper and gate, mostly on a manual clock: a thread sleeps until the test advances it. */
#include "check.hh"

#include <limits>
#include <vector>

/* ---- Sleeper -------------------------------------------------------------------------------------------- */

void test_sleeper()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::sleeper s(on, hpt::policy::frugal);

	CHECK(s.on_clock() == on);
	CHECK(beside([&] { return s.sleep_for(seconds(1)); }, [&] {
		await_sleepers(on, 1);
		on.advance(seconds(1));
	}) == hpt::wake::reached);
	CHECK(on.now_ns() == seconds(1));

	CHECK(beside([&] { return s.sleep_for(seconds(3)); }, [&] {
		await_sleepers(on, 1);
		on.advance(seconds(1));
		await_sleepers(on, 1);
		s.interrupt();
	}) == hpt::wake::interrupted);
	CHECK(s.remaining() == seconds(2));

	s.interrupt(); /* pending, until a sleep or clear() takes it */
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::interrupted);
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::reached && s.remaining() == seconds(0));
	s.interrupt();
	s.clear();
	CHECK(s.sleep_for(seconds(-1)) == hpt::wake::reached);

	/* Beyond the range: no early return, and no negative time. */
	CHECK(beside([&] { return s.sleep_for(std::chrono::hours::max()); }, [&] {
		await_sleepers(on, 1);
		s.interrupt();
	}) == hpt::wake::interrupted);
	CHECK(beside([&] { return s.wait(); }, [&] {
		await_sleepers(on, 1);
		s.interrupt();
	}) == hpt::wake::interrupted);
	CHECK(beside([&] { return s.wait(); }, [&] {
		await_sleepers(on, 1);
		CHECK(fails(std::errc::device_or_resource_busy, [&] { s.sleep_for(seconds(1)); }));
		s.interrupt();
	}) == hpt::wake::interrupted);
	s.set_policy(hpt::policy::spin, microseconds(10));
	CHECK(fails(std::errc::invalid_argument, [&] { s.set_policy(hpt::policy::spin, microseconds(-1)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { s.set_policy(static_cast<hpt::policy>(9)); }));
}

void test_sleeper_kinds()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::sleeper s(on);

	/* Deadlines of 2, 2.002 and 3.003 ns: the fractions are rounded up. */
	const picoseconds part(1001);
	const auto late = [&](std::int64_t ns) {
		await_sleepers(on, 1);
		on.advance(ns - on.now());
	};

	on.advance(1);
	CHECK(beside([&] { return s.sleep_until(hpt::timer::from_ticks(2)); }, [&] { late(2); }) ==
	      hpt::wake::reached);
	CHECK(beside([&] {
		return s.sleep_until(std::chrono::time_point<std::chrono::system_clock, picoseconds>(2 * part));
	}, [&] { late(3); }) == hpt::wake::reached);
	CHECK(beside([&] {
		return s.sleep_until(std::chrono::time_point<hpt::steady_clock, picoseconds>(3 * part));
	}, [&] { late(4); }) == hpt::wake::reached);

	/* The default clock. */
	const hpt::timer t = hpt::timer::now() + microseconds(200);
	const auto steady = hpt::steady_clock::now() + microseconds(400);
	const auto wall = hpt::system_clock::now() + microseconds(600);

	CHECK(t.sleep_until_this() != hpt::wake::reached || hpt::timer::now() >= t);
	CHECK(hpt::sleep_until(steady) != hpt::wake::reached || hpt::steady_clock::now() >= steady);
	CHECK(hpt::sleep_until(wall) != hpt::wake::reached || hpt::system_clock::now() >= wall);
	CHECK(hpt::sleep_for(microseconds(1)) != hpt::wake::interrupted);
	CHECK(hpt::sleep_until(t) == hpt::wake::reached && hpt::sleep_for(seconds(-1)) == hpt::wake::reached);
	CHECK(hpt::timer::sleep_for(microseconds(1)) != hpt::wake::shut);
}

/* ---- Gate ----------------------------------------------------------------------------------------------- */

namespace {

void check_keys()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::gate g(on);
	const hpt::gate::key old = g.prepare();

	g.notify_all();
	CHECK(g.wait(old) == hpt::wake::notified && g.wait_for(old, seconds(9)) == hpt::wake::notified);
	const hpt::gate::key key = g.prepare();

	CHECK(g.wait_until(key, hpt::timer::from_ticks(0)) == hpt::wake::timed_out);
	CHECK(beside([&] { return g.wait_for(key, picoseconds(1)); }, [&] {
		await_sleepers(on, 1);
		on.advance(1);
	}) == hpt::wake::timed_out);
	CHECK(beside([&] { return g.wait_until(key, hpt::steady_clock::time_point(seconds(1))); }, [&] {
		await_sleepers(on, 1);
		g.notify_all();
	}) == hpt::wake::notified);
	g.shut();
	CHECK(g.wait(g.prepare()) == hpt::wake::shut);
	g.reopen();
	CHECK(g.wait_until(g.prepare(), hpt::timer()) == hpt::wake::timed_out);
}

/* A tick of the clock is a second: a deadline between two of them is the later one. */
void check_coarse()
{
	const hpt::clock on = hpt::clock::manual(1);
	hpt::gate g(on);

	CHECK(beside([&] { return g.wait_for(milliseconds(1400), [] { return false; }); }, [&] {
		await_sleepers(on, 1);
		on.advance(1);
		await_sleepers(on, 1);
		on.advance(1);
	}) == false);
	CHECK(on.now() == 2);
	CHECK(g.wait_for(g.prepare(), std::chrono::hours::min()) == hpt::wake::timed_out);
	CHECK(beside([&] { return g.wait_for(g.prepare(), std::chrono::hours::max()); }, [&] {
		await_sleepers(on, 1);
		on.advance(1000000000);
		await_sleepers(on, 1);
		g.notify_all();
	}) == hpt::wake::notified);
}

/* The longest duration from a tick below 0 would end within the clock's range. */
void check_for_ever()
{
	const std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();
	const hpt::clock on = hpt::clock::manual(1000000000, -for_ever);
	hpt::gate g(on);

	CHECK(beside([&] { return g.wait_for(g.prepare(), std::chrono::nanoseconds::max()); }, [&] {
		await_sleepers(on, 1);
		on.advance(for_ever);
		on.advance(for_ever - 1);
		await_sleepers(on, 1);
		g.notify_all();
	}) == hpt::wake::notified);
	const hpt::clock below = hpt::clock::manual(1000000000, -for_ever);
	hpt::sleeper sleeper(below);

	CHECK(beside([&] { return sleeper.sleep_for(std::chrono::nanoseconds::max()); }, [&] {
		await_sleepers(below, 1);
		below.advance(for_ever);
		below.advance(for_ever - 1);
		await_sleepers(below, 1);
		sleeper.interrupt();
	}) == hpt::wake::interrupted);
}

void check_predicates()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::gate g(on);
	std::atomic<int> ready(0);
	std::atomic<int> answers(0);
	std::vector<std::thread> threads;

	bool is_noticed = false;

	/* What the predicate waits for happens between its first call and the sleep. */
	CHECK(g.wait([&] {
		if (is_noticed)
			return true;
		is_noticed = true;
		g.notify_all();
		return false;
	}));
	CHECK(g.wait([] { return true; }) && g.wait_until(hpt::timer(), [] { return true; }));
	CHECK(!g.wait_until(hpt::timer(), [] { return false; }));
	CHECK(!g.wait_until(hpt::steady_clock::time_point(), [] { return false; }));
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&] { answers += g.wait_for(seconds(1), [&] { return ready == 2; }); });
	for (int i = 1; i <= 2; i++) {
		await_sleepers(on, 3);
		ready = i;
		g.notify_all(); /* the first one changes nothing that they wait for */
	}
	for (std::thread &t : threads)
		t.join();
	CHECK(answers == 3);
	CHECK(beside([&] { return g.wait([] { return false; }); }, [&] {
		await_sleepers(on, 1);
		g.shut();
	}) == false);
}

/* On the default clock. A policy may end a sleep early, but not a wait on a gate. */
void check_policies()
{
	hpt::gate g;
	hpt::sleeper s;
	const hpt::gate::key key = g.prepare();

	g.set_policy(hpt::policy::nospin, seconds(100));
	s.set_policy(hpt::policy::nospin, seconds(100));
	const auto steady = hpt::steady_clock::now() + microseconds(500);
	const hpt::timer t = hpt::timer::now() + milliseconds(1);

	CHECK(g.wait_until(key, steady) == hpt::wake::timed_out && hpt::steady_clock::now() >= steady);
	CHECK(g.wait_until(key, t) == hpt::wake::timed_out && hpt::timer::now() >= t);

	/* Not again and again until the deadline, which would be a spin. */
	int early = 0;

	for (int i = 0; i < 10000 && !early; i++) {
		/* Near enough is another time for each machine, and under a sanitizer. */
		const auto soon = hpt::steady_clock::now() + microseconds(1 + i % 200);

		early += s.sleep_until(soon) == hpt::wake::reached && hpt::steady_clock::now() < soon;
	}
	CHECK(early);
}

} // namespace

void test_gate()
{
	check_policies();
	check_keys();
	check_coarse();
	check_for_ever();
	check_predicates();
}
