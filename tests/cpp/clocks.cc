// SPDX-License-Identifier: MIT
/* What holds at compile time; the clocks of std::chrono; hpt::clock. */
#include "check.hh"

#include <condition_variable>
#include <limits>
#include <mutex>

namespace {

/* ---- At compile time ------------------------------------------------------------------------------------ */

/* TrivialClock, as [time.clock.req] lists it. */
template <class C> constexpr bool is_trivial_clock()
{
	using rep = typename C::rep;

	return std::is_same<typename C::duration, std::chrono::duration<rep, typename C::period>>::value &&
	       std::is_same<typename C::time_point::duration, typename C::duration>::value &&
	       std::is_same<decltype(C::now()), typename C::time_point>::value && noexcept(C::now()) &&
	       std::is_arithmetic<rep>::value && std::is_same<decltype(C::is_steady), const bool>::value;
}

static_assert(is_trivial_clock<hpt::steady_clock>(), "");
static_assert(is_trivial_clock<hpt::system_clock>(), "");
static_assert(hpt::steady_clock::is_steady && !hpt::system_clock::is_steady, "");
#if defined(__cpp_lib_chrono) && __cpp_lib_chrono >= 201907L
static_assert(std::chrono::is_clock_v<hpt::steady_clock> && std::chrono::is_clock_v<hpt::system_clock>);
static_assert(!std::chrono::is_clock_v<hpt::tick_clock>);
#endif

static_assert(sizeof(hpt::timer) == sizeof(hpt_time_t), "");
static_assert(std::is_trivially_copyable<hpt::timer>::value, "");
static_assert(std::is_nothrow_default_constructible<hpt::timer>::value, "");
static_assert(!std::is_constructible<hpt::timer, int>::value, "no integer is a time");
static_assert(!std::is_constructible<hpt::timer, hpt_time_t>::value, "no integer is a time");
static_assert(!std::is_convertible<hpt_time_t, hpt::timer>::value, "");
static_assert(!std::is_constructible<hpt::timer, std::chrono::steady_clock::time_point>::value, "another clock's");
static_assert(hpt::timer::from_ticks(3) > hpt::timer() && hpt::timer().is_zero(), "");
static_assert(noexcept(hpt::timer::now()) && noexcept(hpt::tick_clock::now()) && noexcept(hpt::timer::max()), "");

static_assert(std::is_nothrow_copy_constructible<hpt::clock>::value, "");
static_assert(std::is_nothrow_move_constructible<hpt::clock>::value, "");
static_assert(std::is_nothrow_default_constructible<hpt::clock>::value, "");

template <class T> constexpr bool moves_alone()
{
	return !std::is_copy_constructible<T>::value && !std::is_copy_assignable<T>::value &&
	       std::is_nothrow_move_constructible<T>::value && std::is_nothrow_move_assignable<T>::value;
}

static_assert(moves_alone<hpt::sleeper>() && moves_alone<hpt::gate>() && moves_alone<hpt::ticker>(), "");
static_assert(noexcept(std::declval<hpt::sleeper &>().interrupt()), "");
static_assert(noexcept(std::declval<hpt::gate &>().notify_all()), "");
static_assert(noexcept(std::declval<hpt::ticker &>().interrupt()), "");
static_assert(noexcept(std::declval<hpt::gate &>().prepare()), "");

/* ---- At run time ---------------------------------------------------------------------------------------- */

void check_chrono()
{
	const auto deadline = hpt::steady_clock::now() + microseconds(300);
	std::mutex mutex;
	std::condition_variable condition;
	std::unique_lock<std::mutex> lock(mutex);

	CHECK(condition.wait_until(lock, deadline, [] { return false; }) == false);
	CHECK(hpt::steady_clock::now() >= deadline);
	std::this_thread::sleep_until(deadline + microseconds(300));
	CHECK(hpt::steady_clock::now() >= deadline + microseconds(300));

	const std::int64_t before = hpt_now_monotonic_ns(nullptr);
	const std::int64_t ns = hpt::steady_clock::to_ns(hpt::steady_clock::now());

	CHECK(ns >= before && ns <= hpt_now_monotonic_ns(nullptr)); /* nothing has stepped back here */
	CHECK(hpt::steady_clock::to_ns(hpt::steady_clock::from_ns(5)) == 5);
	CHECK(hpt::steady_clock::to_ns(hpt::steady_clock::time_point::max()) == INT64_MAX);

	/* The line of the standard's own, to what is stated. */
	hpt::clock().check();
	const auto first = std::chrono::steady_clock::now();
	const auto between = hpt::steady_clock::to_std(hpt::steady_clock::now());
	const auto last = std::chrono::steady_clock::now();
	const hpt::nanoseconds error(hpt::clock().info().os_error_ns);

	CHECK(first - error <= between && between <= last + error);
	CHECK(hpt::steady_clock::to_std(hpt::steady_clock::from_std(first)) == first);
}

void check_unix()
{
	const std::int64_t before = hpt_now_unix_ns(nullptr);
	const hpt::system_clock::time_point now = hpt::system_clock::now();

	CHECK(now.time_since_epoch().count() >= before);
	CHECK(hpt::system_clock::to_time_t(now) >= std::time_t(before / 1000000000));
	CHECK(hpt::system_clock::from_time_t(5).time_since_epoch() == seconds(5));
	if (sizeof(std::time_t) == 8) /* clamped */
		CHECK(hpt::system_clock::from_time_t(std::numeric_limits<std::time_t>::max()) ==
		      hpt::system_clock::time_point::max());
}

void check_ticks()
{
	const hpt::tick_clock::rep a = hpt::tick_clock::now(), b = hpt::tick_clock::now();

	CHECK(a <= b && hpt::tick_clock::now_unordered() > 0);
	CHECK(hpt::tick_clock::duration(b - a).count() == hpt_ticks_to_ns(nullptr, b - a));
	CHECK(hpt::tick_clock::time(a).ticks() == a);
}

void check_manual()
{
	const hpt::clock c = hpt::clock::manual(1000000, 40);
	const hpt::clock same = c;

	CHECK(c.now() == 40 && c.now_unordered() == 40 && c.now_ns() == microseconds(40));
	c.advance(2);
	c.advance(milliseconds(1));
	CHECK(same.now() == 1042 && same.now_unix().time_since_epoch() == microseconds(1042));
	CHECK(same.now_monotonic() == microseconds(1042) && same.now_boottime() == same.now_tai());
	CHECK(c.duration(3) == microseconds(3) && c.ticks(seconds(1)) == 1000000);
	CHECK(c.check().state == hpt::state::ok && c.check().generation == 1 && c.generation() == 1);
	CHECK(c.info().source == HPT_SOURCE_MANUAL && c.sleepers() == 0);
	CHECK(fails(std::errc::not_supported, [] { hpt::clock().advance(1); }));
	CHECK(throws<std::overflow_error>([&] { c.advance(-1); }));
}

void check_holders()
{
	hpt::clock a = hpt::clock::manual(), b = a, c = std::move(a);

	CHECK(b == c && b != hpt::clock());
	CHECK(a == hpt::clock() && a.native_handle() == nullptr); /* the moved-from one */
	CHECK(a.now() > 0);
	a = b;
	b = hpt::clock();
	c = std::move(b);
	CHECK(a.now() == 0 && c == hpt::clock() && a != c);
	a = *&a;
	CHECK(a.now() == 0);
	/* A clock that nobody holds would be made anew in the same memory. */
	hpt::clock held = hpt::clock::manual(1, 5);
	const hpt::clock copy = held;

	held = hpt::clock();
	CHECK(hpt::clock::manual(1, 77).now() == 77 && copy.now() == 5);
	CHECK(hpt::clock::share(a.native_handle()) == a && hpt::clock::share(nullptr) == hpt::clock());
}

} // namespace

void test_clocks()
{
	check_chrono();
	check_unix();
	check_ticks();
	check_manual();
	check_holders();
}

void test_errors()
{
	CHECK(fails(std::errc::not_supported, [] { (void)hpt::clock::open(hpt::source::manual); }));
	CHECK(fails(std::errc::invalid_argument, [] { (void)hpt::clock::open(hpt::source::os, 77); }));
	CHECK(fails(std::errc::invalid_argument, [] { (void)hpt::clock::manual(0); }));
	CHECK(throws<std::overflow_error>([] { (void)hpt::clock::manual(1, INT64_MAX); }));
	try {
		(void)hpt::clock::open(static_cast<hpt::source>(99));
		CHECK(false);
	} catch (const std::system_error &e) {
		CHECK(std::string(e.what()).find("hpt_clock_open") == 0);
		CHECK(e.code().category() == std::generic_category());
	}
	CHECK(hpt::clock::open(hpt::source::os).info().source == HPT_SOURCE_OS);
	CHECK(hpt::timer::source() == hpt::source::os ||
	      fails(std::errc::device_or_resource_busy, [] { hpt::clock::set_default_source(hpt::source::os); }));
	CHECK(fails(std::errc::device_or_resource_busy, [] { hpt::clock::manual().set_default(); }));
	CHECK(std::string(hpt::name(hpt::source::tsc)) == "tsc");
	CHECK(std::string(hpt::name(hpt::state::disrupted)) == "disrupted");
	CHECK(hpt::source_info(hpt::source::os).usable == 1);
}
