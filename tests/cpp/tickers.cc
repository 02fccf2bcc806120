// SPDX-License-Identifier: MIT
/* Ticker, on a manual clock. */
#include "check.hh"

namespace {

bool is(const hpt::tick &t, std::uint64_t index, std::uint64_t missed, hpt_time_t scheduled)
{
	return t && t.why == hpt::wake::reached && t.index == index && t.missed == missed &&
	       t.scheduled.ticks() == scheduled;
}

void check_rational()
{
	const hpt::clock on = hpt::clock::manual(); /* ticks are nanoseconds */
	hpt::ticker t = hpt::ticker::rational(1001, 60000, on);

	CHECK(is(t.wait(), 0, 0, 0));
	on.advance(16683334);
	CHECK(is(t.wait(), 1, 0, 16683334)); /* 16683333.3, rounded up */
	on.advance(seconds(1001) - on.now_ns());
	CHECK(is(t.wait(), 60000, 59998, INT64_C(1001000000000)));
	t.start_rational(hpt::timer::from_ticks(on.now()), 1, 3);
	on.advance(seconds(1000000000));
	CHECK(is(t.wait(), UINT64_C(3000000000), UINT64_C(3000000000), on.now()));
}

void check_single()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::ticker t(seconds(1), on);

	t.start_once(hpt::timer::from_ticks(5));
	on.advance(5);
	CHECK(is(t.wait(), 0, 0, 5));
	const hpt::tick end = t.wait();

	CHECK(!end && end.why == hpt::wake::ended);
}

} // namespace

void test_ticker()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::ticker t(milliseconds(1), on, hpt::policy::strict);

	on.advance(milliseconds(1));
	CHECK(is(t.wait(), 1, 0, 1000000));
	t.interrupt();
	const hpt::tick none = t.wait();

	CHECK(!none && none.why == hpt::wake::interrupted && none.index == 2 && none.scheduled.ticks() == 2000000);
	on.advance(milliseconds(1));
	CHECK(is(t.wait(), 2, 0, 2000000));

	t.start(hpt::timer::from_ticks(5000000), seconds(1)); /* another phase and period */
	on.advance(milliseconds(3));
	CHECK(is(t.wait(), 0, 0, 5000000));
	on.advance(seconds(1));
	CHECK(is(t.wait(), 1, 0, 1005000000));
	CHECK(t.info().ticks == 4 && t.info().missed == 0 && t.info().policy == HPT_SLEEP_STRICT);
	CHECK(t.on_clock() == on);
	CHECK(fails(std::errc::not_supported, [&] { (void)t.fd(); }));
	CHECK(hpt::ticker(seconds(1)).fd() >= 0);
	CHECK(fails(std::errc::invalid_argument, [] { hpt::ticker zero(seconds(0)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { t.start(hpt::timer(), seconds(0)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { t.start_rational(hpt::timer(), 0, 1); }));
	CHECK(throws<std::overflow_error>([] { hpt::ticker endless(std::chrono::hours::max()); }));
	check_rational();
	check_single();
}

namespace {

/* The late tick is a grid's first. */
void check_delay()
{
	const hpt::clock on = hpt::clock::manual();
	hpt::ticker t(on);

	CHECK(t.wait().why == hpt::wake::ended); /* not started */
	t.set_missed(hpt::missed::delay);
	t.start(hpt::timer::from_ticks(1000), hpt::nanoseconds(1000));
	on.advance(1500);
	CHECK(is(t.wait(), 0, 0, 1000));
	on.advance(2700);
	CHECK(is(t.wait(), 1, 2, 2000));
	on.advance(1000);
	CHECK(is(t.wait(), 2, 0, 5200));
}

} // namespace

/* One tick, then seven periods at once: which of the ticks up to 8 come, and with which index. */
void test_ticker_missed()
{
	for (std::uint64_t limit : { UINT64_C(0), UINT64_C(1), UINT64_C(3) }) {
		const hpt::clock on = hpt::clock::manual();
		hpt::ticker t(hpt::nanoseconds(1000), on);
		const std::uint64_t first = limit ? 8 - limit : 2;

		t.set_missed(hpt::missed::catch_up, limit);
		on.advance(1000);
		CHECK(is(t.wait(), 1, 0, 1000));
		on.advance(7000);
		for (std::uint64_t n = first; n <= 8; n++) {
			const hpt::tick tick = t.wait();

			CHECK(tick && tick.index == n && tick.scheduled.ticks() == static_cast<hpt_time_t>(n * 1000));
		}
		on.advance(1000);
		CHECK(is(t.wait(), 9, 0, 9000));
	}
	const hpt::clock on = hpt::clock::manual();
	hpt::ticker t(hpt::nanoseconds(1000), on);

	on.advance(8500);
	CHECK(is(t.wait(), 8, 7, 8000));
	t.set_missed(hpt::missed::catch_up, 2);
	t.start(hpt::timer::from_ticks(2500), hpt::nanoseconds(1000)); /* 2500, 3500 ... 8500 are past */
	hpt::tick tick = t.wait();

	while (tick.index < 6) {
		CHECK(tick.index >= 3 && tick.scheduled.ticks() == static_cast<hpt_time_t>(2500 + 1000 * tick.index));
		tick = t.wait();
	}
	CHECK(tick.index == 6 && tick.scheduled.ticks() == 8500);
	CHECK(fails(std::errc::invalid_argument, [&] { t.set_missed(static_cast<hpt::missed>(9)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { t.set_missed(hpt::missed::delay, 1); }));
	check_delay();
}

void test_moves()
{
	hpt::sleeper s;
	hpt::gate g;
	hpt::ticker t(seconds(1));
	hpt_waiter *const w = s.native_handle();
	hpt::sleeper s2 = std::move(s);
	hpt::gate g2 = std::move(g);
	hpt::ticker t2 = std::move(t);

	CHECK(s2.native_handle() == w && !s.native_handle() && !g.native_handle() && !t.native_handle());
	s.interrupt();
	s.clear();
	g.notify_all();
	g.shut();
	g.reopen();
	t.interrupt();
	CHECK(s.remaining() == seconds(0) && g.prepare() == hpt::gate::key());
	CHECK(fails(std::errc::invalid_argument, [&] { s.sleep_for(seconds(0)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { g.wait(g.prepare()); }));
	CHECK(fails(std::errc::invalid_argument, [&] { g.wait_for(seconds(1), [] { return false; }); }));
	CHECK(fails(std::errc::invalid_argument, [&] { t.wait(); }));
	s = std::move(s2);
	CHECK(s.sleep_for(seconds(0)) == hpt::wake::reached);
	s2 = hpt::sleeper();
	CHECK(s2.sleep_for(seconds(0)) == hpt::wake::reached);
}
