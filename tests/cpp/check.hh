// SPDX-License-Identifier: MIT
/* Shared by the tests of hpt.hpp: checks, and the groups that main.cc runs. */
#ifndef HPT_TEST_CHECK_HH
#define HPT_TEST_CHECK_HH

#include <hpt/hpt.hpp>

#include <atomic>
#include <thread>
#include <typeinfo>

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;

int &failures();
void check(bool good, const char *what, const char *file, int line);

#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/* True if f() throws an E that is no type derived from it. */
template <class E, class F> bool throws(F f)
{
	try {
		f();
	} catch (const E &e) {
		return typeid(e) == typeid(E);
	} catch (...) {
	}
	return false;
}

/* True if f() throws hpt::error with this errno value. */
template <class F> bool fails(std::errc code, F f)
{
	try {
		f();
	} catch (const hpt::error &e) {
		return e.code() == code;
	} catch (...) {
	}
	return false;
}

/* Until this many threads sleep on a manual clock. */
inline void await_sleepers(const hpt::clock &on, std::uint32_t n)
{
	while (on.sleepers() != n)
		std::this_thread::yield();
}

/* What sleep() returns in another thread, while meanwhile() runs here. */
template <class Sleep, class Meanwhile> auto beside(Sleep sleep, Meanwhile meanwhile) -> decltype(sleep())
{
	decltype(sleep()) ret{};
	std::thread t([&] { ret = sleep(); });

	meanwhile();
	t.join();
	return ret;
}

void test_durations();
void test_clamp();
void test_clamp_threads();
void test_clocks();
void test_errors();
void test_timers();
void test_timer_limits();
void test_sleeper();
void test_sleeper_kinds();
void test_gate();
void test_ticker();
void test_ticker_missed();
void test_moves();
void test_wall();
void test_wall_waits();
void test_hlc();
void test_poll();
void test_epoll();
void test_margin();
void test_papers_examples();
void test_papers_values();
void test_papers_clock();
void test_stop();

#endif
