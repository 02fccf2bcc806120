// SPDX-License-Identifier: MIT
/* Wall and hlc, on a manual clock whose program is the only source. */
#include "check.hh"

#include <hpt/wall.hpp>

namespace {

using time_point = hpt::system_clock::time_point;

time_point unix_time(std::int64_t ns)
{
	return time_point(hpt::nanoseconds(ns));
}

const std::int64_t year_2026 = INT64_C(1767225600000000000);

/* Only what the program feeds, at a rate that is known to 1 ppm. */
hpt_wall_config config()
{
	hpt_wall_config c = hpt_wall_config();

	c.sources = hpt::mask(hpt::wall_source::feed);
	c.rate_ppb = c.wander_ppb = 1000;
	return c;
}

/* A manual clock at tick 0, and a wall that knows UTC there to 100 ns either way. */
struct world {
	hpt::clock on;
	hpt::wall w;

	world() : on(hpt::clock::manual()), w(on, config())
	{
		feed();
	}
	bool feed() const
	{
		const std::int64_t now = year_2026 + on.now();

		return w.feed(on.now(), on.now(), unix_time(now - 100), unix_time(now + 100));
	}
};

static_assert(std::is_nothrow_copy_constructible<hpt::wall>::value, "");
static_assert(std::is_nothrow_move_constructible<hpt::wall>::value, "");
static_assert(!std::is_copy_constructible<hpt::hlc>::value, "");
static_assert(std::is_nothrow_move_constructible<hpt::hlc>::value, "");
static_assert(noexcept(std::declval<hpt::wall &>().after(std::declval<time_point>())), "");
static_assert(hpt::mask(hpt::wall_source::fbclock) == 64, "");

void check_wall_reads()
{
	const world a;
	hpt::wall_time t = a.w.now(), old = t;

	CHECK(t.earliest <= unix_time(year_2026) && t.latest >= unix_time(year_2026) && t.tick == 0);
	CHECK(t.width() >= hpt::nanoseconds(200) && t.width() < hpt::nanoseconds(210));
	CHECK(t.state == hpt::wall_state::synced && t.generation == 1);
	CHECK(!(t.flags & ~static_cast<std::uint32_t>(HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL))); /* as this machine is */
	a.on.advance(seconds(1));
	CHECK(a.w.try_now(t) && t.width() >= microseconds(2) && t.width() < microseconds(3));
	CHECK(t.earliest <= unix_time(year_2026) + seconds(1) && t.latest >= unix_time(year_2026) + seconds(1));
	CHECK(a.w.at(0).width() < hpt::nanoseconds(210) && a.w.try_at(0, old) && old.tick == 0);
	CHECK(fails(std::errc::result_out_of_range, [&] { (void)a.w.at(t.tick + 1); }));
	CHECK(!a.w.try_at(t.tick + 1, old) && old.tick == 0);
	CHECK(fails(std::errc::not_supported, [&] { (void)a.w.at_os(CLOCK_MONOTONIC, hpt::nanoseconds(1)); }));
	CHECK(a.w.after(t.earliest - hpt::nanoseconds(1)) && !a.w.after(t.earliest));
	CHECK(a.w.before(t.latest + hpt::nanoseconds(1)) && !a.w.before(t.latest));
}

void check_wall_without()
{
	const hpt::clock on = hpt::clock::manual();
	const hpt::wall w(on, config());
	hpt::wall_time t = hpt::wall_time();

	CHECK(fails(std::errc::resource_unavailable_try_again, [&] { (void)w.now(); }));
	CHECK(!w.try_now(t) && t.tick == 0 && t.generation == 0);
	CHECK(!w.after(time_point::min()) && !w.before(time_point::max()));
	CHECK(w.update() == hpt::wall_state::none);
	CHECK(fails(std::errc::not_supported, [&] { (void)w.fd(); }));
	CHECK(hpt::wall().fd() >= 0);
	CHECK(fails(std::errc::invalid_argument, [&] { w.fd_clear(); }));
	CHECK(w.wait_after(time_point::min()) == hpt::wake::no_bound);
	CHECK(w.wait_ready(seconds(-1)) == hpt::wake::timed_out);
	CHECK(fails(std::errc::no_message_available, [&] { (void)w.to_tai(unix_time(year_2026)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { w.feed(1, 0, unix_time(0), unix_time(0)); }));

	hpt_wall_config c = config();

	c.max_width_ns = 100;
	const hpt::wall narrow(on, c);

	CHECK(narrow.feed(0, 0, unix_time(year_2026), unix_time(year_2026 + 200)));
	CHECK(fails(std::errc::result_out_of_range, [&] { (void)narrow.now(); }));
	c.sources = 1u << 30;
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::wall none(on, c); }));
	c.rate_ppb = 1000000000;
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::wall none(on, c); }));
}

void check_wall_facts()
{
	const world a;

	CHECK(a.w.info().state == HPT_WALL_STATE_SYNCED && a.w.info().samples == 1);
	CHECK(a.w.info().live == HPT_WALL_SOURCE_FEED);
	CHECK(a.w.info(hpt::wall_source::feed).usable == 1 && a.w.info(hpt::wall_source::feed).samples == 1);
	CHECK(a.w.info(hpt::wall_source::chrony).reason == HPT_WALL_REASON_NOT_USED);
	CHECK(std::string(hpt::name(hpt::wall_source::phc)) == "phc");
	CHECK(std::string(hpt::name(hpt::wall_state::holdover)) == "holdover");
	CHECK(!a.w.feed(0, 0, unix_time(0), unix_time(1)) && a.w.info().contradictions == 1);
	CHECK(fails(std::errc::resource_unavailable_try_again, [&] { (void)a.w.now(); }));
}

void check_wall_holders()
{
	world a;
	hpt::wall same = a.w, other(a.on, config()), moved = std::move(other);

	CHECK(same == a.w && moved != a.w && !other.native_handle());
	CHECK(fails(std::errc::invalid_argument, [&] { (void)other.now(); }));
	CHECK(!other.after(time_point::min()));
	a.w = moved; /* the clock and the first wall live on */
	CHECK(same.now().tick == 0 && a.w == moved);
	CHECK(hpt::wall::share(same.native_handle()) == same);
}

/* A wait ends once the wall is fed. */
void check_wall_ready()
{
	const hpt::clock on = hpt::clock::manual();
	const hpt::wall w(on, config());
	std::thread feeder([&] {
		await_sleepers(on, 1);
		CHECK(w.feed(0, 0, unix_time(year_2026), unix_time(year_2026 + 200)));
	});

	CHECK(w.wait_ready() == hpt::wake::reached);
	CHECK(w.now().width() >= hpt::nanoseconds(200));
	feeder.join();
}

/* A wait ends once the clock that another thread advances is past. */
void check_wall_waits()
{
	const world a;
	const time_point then = a.w.now().latest;
	std::atomic<hpt_time_t> end(0);

	CHECK(a.w.wait_after(unix_time(0)) == hpt::wake::reached);
	CHECK(a.w.wait_after(then, seconds(0)) == hpt::wake::timed_out);
	CHECK(a.w.sleep_until(unix_time(year_2026)) < hpt::nanoseconds(200));
	CHECK(fails(std::errc::result_out_of_range, [&] { a.w.sleep_until(then, hpt::nanoseconds(50)); }));
	CHECK(a.w.wait_ready() == hpt::wake::reached);
	CHECK(a.w.wait_ready(seconds(0)) == hpt::wake::reached);
	CHECK(a.w.wait_ready(seconds(0), hpt::nanoseconds(50)) == hpt::wake::timed_out);
	std::thread committer([&] {
		CHECK(a.w.wait_after(then) == hpt::wake::reached);
		end = a.on.now();
	});
	await_sleepers(a.on, 1);
	a.on.advance(150); /* still within the interval */
	std::this_thread::sleep_for(milliseconds(20));
	CHECK(end == 0 && a.w.info().waiting == 1);
	a.on.advance(1000);
	committer.join();
	CHECK(end == 1150 && a.w.after(then));
}

void check_wall_waiter()
{
	const world a;
	const time_point then = a.w.now().latest + seconds(1);
	hpt::sleeper s(a.on), elsewhere;
	hpt::nanoseconds error(0);

	CHECK(a.w.wait_after(s, unix_time(0)) == hpt::wake::reached);
	CHECK(a.w.wait_after(s, then, hpt::nanoseconds(0)) == hpt::wake::timed_out);
	CHECK(a.w.sleep_until(s, unix_time(year_2026), error) == hpt::wake::reached && error > hpt::nanoseconds(50));
	CHECK(fails(std::errc::result_out_of_range, [&] { (void)a.w.sleep_until(s, then, error, error / 4); }));
	s.interrupt();
	CHECK(a.w.wait_after(s, unix_time(0)) == hpt::wake::interrupted);
	CHECK(fails(std::errc::invalid_argument, [&] { (void)a.w.wait_after(elsewhere, then); }));
	std::thread other([&] {
		await_sleepers(a.on, 1);
		s.interrupt();
	});
	CHECK(a.w.wait_after(s, then) == hpt::wake::interrupted);
	other.join();
#if defined(__cpp_lib_jthread)
	std::stop_source source;

	source.request_stop();
	CHECK(a.w.wait_after(source.get_token(), s, then) == hpt::wake::interrupted);
	CHECK(a.w.wait_after(source.get_token(), s, unix_time(0)) == hpt::wake::interrupted);
	CHECK(a.w.wait_after(s, then, hpt::nanoseconds(0)) == hpt::wake::timed_out); /* nothing is pending */
#endif
}

} // namespace

void test_wall()
{
	check_wall_reads();
	check_wall_without();
	check_wall_facts();
	check_wall_holders();
}

void test_wall_waits()
{
	check_wall_ready();
	check_wall_waits();
	check_wall_waiter();
}

void test_hlc()
{
	const world a;
	hpt::hlc h(a.w, microseconds(5)), moved(a.w, microseconds(5));
	time_point first = h.now(), next = h.now(), ret = unix_time(7);

	CHECK(first >= a.w.now().latest && next == first + hpt::nanoseconds(1));
	CHECK(h.receive(next + microseconds(2)) == next + microseconds(2) + hpt::nanoseconds(1));
	CHECK(fails(std::errc::bad_message, [&] { h.receive(next + seconds(1)); }));
	CHECK(!h.try_receive(next + seconds(1), ret) && ret == unix_time(7));
	CHECK(h.info().incarnation && h.info().incarnation != moved.info().incarnation && !h.info().sees_clones);
	h.set_floor(next + seconds(1));
	CHECK(!h.try_now(ret) && ret == unix_time(7));
	CHECK(fails(std::errc::resource_unavailable_try_again, [&] { (void)h.now(); }));
	a.on.advance(seconds(2));
	CHECK(a.feed() && h.try_now(ret) && ret > next + seconds(1));
	moved = std::move(h);
	CHECK(!h.native_handle() && moved.now() > ret);
	CHECK(fails(std::errc::invalid_argument, [&] { (void)h.info(); }));
	CHECK(fails(std::errc::invalid_argument, [&] { (void)h.now(); }));
	CHECK(fails(std::errc::invalid_argument, [&] { hpt::hlc negative(a.w, hpt::nanoseconds(-1)); }));
	CHECK(fails(std::errc::invalid_argument, [&] { moved.set_floor(time_point::max()); }));
}
