// SPDX-License-Identifier: MIT
/* hpt::timer. */
#include "check.hh"

#include <cstring>
#include <sstream>
#include <unordered_set>

namespace {

/* 2026-11-20T10:47:59.123456789Z */
constexpr std::int64_t sec = 1795171679, nsec = 123456789;

bool near(hpt::timer t, std::int64_t unix_ns, std::int64_t by)
{
	const std::int64_t off = t.to_system().time_since_epoch().count() - unix_ns;

	return off >= -by && off <= by;
}

/* A tick of the default clock in whole nanoseconds, rounded up, and two for two roundings. */
std::int64_t slack_ns()
{
	return hpt_ticks_to_ns(nullptr, 1) + 2;
}

/*
 * What f() returns when all its conversions are by one record of the clocks. One that is renewed meanwhile has another
 * slope, and sec is days away.
 */
template <class F> bool by_one_record(F f)
{
	for (int i = 0; i < 1000; i++) {
		const hpt::timer before(sec, nsec);
		const bool good = f();

		if (hpt::timer(sec, nsec) == before)
			return good;
	}
	return false;
}

template <class Make> bool converts(Make make, std::int64_t unix_ns)
{
	return by_one_record([&] { return near(make(), unix_ns, slack_ns()); });
}

/* By a microsecond, since the clock's own reads never go back and may lag behind the record for that. */
bool is_present(std::int64_t from_ns, hpt::timer t)
{
	const std::int64_t ns = t.to_system().time_since_epoch().count();

	return from_ns - 1000 <= ns && ns <= hpt_now_unix_ns(nullptr) + 1000;
}

void check_constructors()
{
	const std::int64_t unix_ns = sec * 1000000000 + nsec;
	::timespec ts;
	::timeval tv;

	ts.tv_sec = sec;
	ts.tv_nsec = nsec;
	tv.tv_sec = sec;
	tv.tv_usec = nsec / 1000;
	CHECK(converts([&] { return hpt::timer(sec, nsec); }, unix_ns));
	CHECK(converts([&] { return hpt::timer(ts); }, unix_ns));
	CHECK(converts([&] { return hpt::timer(tv); }, unix_ns - 789));
	CHECK(converts([&] { return hpt::timer(hpt_timespec{ sec, nsec }); }, unix_ns));
	CHECK(converts([&] { return hpt::timer(std::chrono::system_clock::from_time_t(std::time_t(sec))); },
		       unix_ns - nsec));
	CHECK(converts([&] { return hpt::timer::parse("2026-11-20T10:47:59.123456789Z"); }, unix_ns));
	CHECK(by_one_record([&] {
		const std::int64_t from_ns = hpt_now_unix_ns(nullptr);

		return is_present(from_ns, hpt::timer(hpt::system_clock::now()));
	}));
	CHECK(hpt::timer::from_ticks(17).ticks() == 17 && hpt::timer() == hpt::timer::from_ticks(0));
	CHECK(fails(std::errc::invalid_argument, [] { hpt::timer t(1, 1000000000); }));
	CHECK(fails(std::errc::invalid_argument, [] { (void)hpt::timer::parse("noon"); }));
	CHECK(fails(std::errc::invalid_argument,
		    [] { (void)hpt::timer::parse(std::string("2026-11-20T10:47:59Z\0x", 22)); }));
	CHECK(throws<std::overflow_error>([] { hpt::timer t(INT64_MAX, 0); }));
}

bool parts_agree()
{
	const hpt::timer t(sec, nsec);
	const hpt_timespec parts = t.unix_time();

	return t.seconds() == parts.sec && t.nanoseconds() == parts.nsec && t.microseconds() == parts.nsec / 1000 &&
	       t.to_timespec().tv_sec == parts.sec && t.to_timespec().tv_nsec == parts.nsec &&
	       t.to_timeval().tv_sec == parts.sec && t.to_timeval().tv_usec == parts.nsec / 1000;
}

bool parts_are_right()
{
	const hpt::timer t(sec, nsec);

	return t.seconds() == sec && t.nanoseconds() - nsec <= slack_ns() && nsec - t.nanoseconds() <= slack_ns();
}

bool parts_before_1970_are_right()
{
	const hpt::timer before(-1, 500000000);

	return before.seconds() == -1 && before.nanoseconds() / 1000 >= 499999;
}

void check_parts()
{
	CHECK(by_one_record(parts_agree));
	CHECK(by_one_record(parts_are_right));
	CHECK(by_one_record(parts_before_1970_are_right));
}

void check_text()
{
	const hpt::timer t(sec, nsec);
	std::ostringstream out;

	out << t;
	CHECK(t.str() == out.str());
	CHECK(std::strncmp(t.str().c_str(), "2026-11-20T10:47:59.1234", 24) == 0 && t.str().size() == 30);
}

void check_comparisons()
{
	const hpt::timer a = hpt::timer::from_ticks(1), b = hpt::timer::from_ticks(2);

	CHECK(a < b && b > a && a <= b && b >= a && a != b && a == a && a <= a && a >= a);
	CHECK(!(b < a) && !(a > b) && !(b <= a) && !(a >= b) && !(a == b) && !(a != a));
	CHECK((std::unordered_set<hpt::timer>{ a, b, a }.size() == 2));
}

void check_sums()
{
	const hpt::timer t = hpt::timer::now();
	hpt::timer u = t;

	CHECK((t + seconds(3)) - t == seconds(3) && t - (t - microseconds(7)) < microseconds(8));
	CHECK(seconds(3) + t == t + seconds(3) && t + seconds(3) - seconds(3) == t);
	CHECK((u += milliseconds(5)) == t + microseconds(5000) && u > t);
	CHECK((u -= milliseconds(5)) == t);
	CHECK(u.add_ticks(9).ticks() == t.ticks() + 9);
	CHECK(t - t == hpt::nanoseconds(0) && t - (t + seconds(1)) == seconds(-1));
	CHECK(t + std::chrono::duration<double>(0.5) == t + milliseconds(500));
}

void check_lines()
{
	const hpt::timer t = hpt::timer::now();
	const hpt::nanoseconds to_steady = hpt::steady_clock::now() - t.to_steady();
	const hpt::nanoseconds to_system = hpt::system_clock::now() - t.to_system();

	CHECK(to_steady >= -milliseconds(100) && to_steady < seconds(1)); /* what a slew may do in a second */
	CHECK(to_system >= hpt::nanoseconds(-1) && to_system < seconds(1));
	/* Each way reads the kernel's clock, and may be preempted. */
	const hpt::nanoseconds there_and_back = hpt::timer(t.to_steady()) - t;

	CHECK(there_and_back >= -milliseconds(20) && there_and_back <= milliseconds(20));
	CHECK(hpt::timer::info().source == hpt::clock().info().source);
	CHECK(hpt::timer::source() != hpt::source::automatic);
}

} // namespace

void test_timers()
{
	check_constructors();
	check_parts();
	check_text();
	check_comparisons();
	check_sums();
	check_lines();
}

void test_timer_limits()
{
	const hpt::timer end = hpt::timer::from_ticks(INT64_MAX), start = hpt::timer::from_ticks(INT64_MIN);
	hpt::timer t = end;

	CHECK(hpt::timer::min() < hpt::timer::now() && hpt::timer::now() < hpt::timer::max());
	CHECK(hpt::timer::min().str() < hpt::timer::max().str());
	CHECK(throws<std::overflow_error>([&] { t += seconds(1); }) && t == end);
	CHECK(throws<std::overflow_error>([&] { t.add_ticks(1); }) && t == end);
	CHECK(throws<std::overflow_error>([&] { (void)(start - hpt::nanoseconds(1000)); }));
	CHECK(throws<std::overflow_error>([&] { (void)(hpt::timer() + std::chrono::hours::max()); }));
	CHECK(throws<std::overflow_error>([&] { (void)(end - start); }));
	CHECK(throws<std::overflow_error>([&] { (void)(start - end); }));
	CHECK(throws<std::overflow_error>([&] { (void)(hpt::timer::from_ticks(-2) - end); }));
	CHECK(throws<std::overflow_error>([&] { hpt::timer x(std::chrono::system_clock::time_point::max()); }) ||
	      hpt::timer::max().to_system() >= std::chrono::system_clock::time_point::max());
}
