// SPDX-License-Identifier: MIT
/* Sleeper and gate, mostly on a manual clock: a thread sleeps until the test advances it. */
#include "check.hh"

#include <vector>

namespace {

/* What sleep() returns in another thread, while meanwhile() runs here. */
template <class Sleep, class Meanwhile> auto beside(Sleep sleep, Meanwhile meanwhile) -> decltype(sleep())
{
	decltype(sleep()) ret{};
	std::thread t([&] { ret = sleep(); });

	meanwhile();
	t.join();
	return ret;
}

} // namespace

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
	CHECK(hpt::timer::sleep_for(microseconds(1)) != hpt::wake::closed);
}

/* ---- Gate ----------------------------------------------------------------------------------------------- */

namespace {

void check_keys()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::gate g(on);
	const hpt::gate::key old = g.prepare();

	g.notify_all();
	CHECK(g.wait(old) == hpt::wake::interrupted && g.wait_for(old, seconds(9)) == hpt::wake::interrupted);
	const hpt::gate::key key = g.prepare();

	CHECK(g.wait_until(key, hpt::timer::from_ticks(0)) == hpt::wake::reached);
	CHECK(beside([&] { return g.wait_for(key, picoseconds(1)); }, [&] {
		await_sleepers(on, 1);
		on.advance(1);
	}) == hpt::wake::reached);
	CHECK(beside([&] { return g.wait_until(key, hpt::steady_clock::time_point(seconds(1))); }, [&] {
		await_sleepers(on, 1);
		g.notify_all();
	}) == hpt::wake::interrupted);
	g.close();
	CHECK(g.wait(g.prepare()) == hpt::wake::closed);
	g.open();
	CHECK(g.wait_until(g.prepare(), hpt::timer()) == hpt::wake::reached);
}

/* A tick of the clock is a second: a deadline between two of them is the later one. */
void check_coarse()
{
	const hpt::clock on = hpt::clock::manual(1000000);
	hpt::gate g(on);

	CHECK(beside([&] { return g.wait_for(milliseconds(1400), [] { return false; }); }, [&] {
		await_sleepers(on, 1);
		on.advance(1);
		await_sleepers(on, 1);
		on.advance(1);
	}) == false);
	CHECK(on.now() == 2);
	CHECK(g.wait_for(g.prepare(), std::chrono::hours::min()) == hpt::wake::reached);
	CHECK(beside([&] { return g.wait_for(g.prepare(), std::chrono::hours::max()); }, [&] {
		await_sleepers(on, 1);
		on.advance(1000000000);
		await_sleepers(on, 1);
		g.notify_all();
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
		g.close();
	}) == false);
}

} // namespace

void test_gate()
{
	check_keys();
	check_coarse();
	check_predicates();
}
