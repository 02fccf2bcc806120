// SPDX-License-Identifier: MIT
/* highpertimer.hpp: the papers' examples as they stand there, the values of their class, and its sleeps. */
#include "check.hh"

#include <hpt/highpertimer.hpp>

#include <cstring>
#include <sstream>
#include <type_traits>
#include <utility>

#include <sys/time.h>

/* Not beside the other tests in one unit: programs of the papers say "using namespace". */
namespace papers {
namespace {

using namespace HPTimer;

constexpr std::int64_t hour_us = 3600000000;

/* Used before main(), in whatever order the units are initialised. */
const HighPerTimer at_load = HighPerTimer::HPTimer_MAX;

std::string text(const HighPerTimer &t)
{
	std::ostringstream out;

	out << t;
	return out.str();
}

bool is(const HighPerTimer &t, std::int64_t tics)
{
	return t.HPTics() == tics && HighPerTimer::HPTimertoNSec(t) == tics;
}

/* True if f() throws what a handler of the papers takes, and leaves the timer. */
template <class F> bool overflows(const HighPerTimer &t, F f)
{
	HighPerTimer u = t;

	try {
		f(u);
	} catch (const std::out_of_range &e) {
		return u == t && std::strstr(e.what(), "HPTimer");
	}
	return false;
}

/* ---- The papers' examples ---- */

void example_source()
{
	TimeSource MySource;
	MySource = TimeSource::HPET;
	HighPerTimer::SetTimerSource(MySource);
	std::ostringstream out;
	out << AccessTimeHardware::HpetFailReason();

	const bool is_hpet = HighPerTimer::GetHPSource() == TimeSource::HPET;

	CHECK(out.str().size() > 10);
	CHECK(is_hpet == (AccessTimeHardware::HpetFailReason() == HPETFail::NONE));
	CHECK(is_hpet == (HighPerTimer::GetSourceString() == "HPET"));
}

void example_measure()
{
	HighPerTimer Timer1, Timer2, HPdelta;

	HighPerTimer::Now(Timer1);
	HighPerTimer::Now(Timer2);
	CHECK(Timer1 <= Timer2 && Timer2 >= Timer1 && (Timer1 != Timer2 || Timer1 == Timer2));
	Timer1.SetNow();
	Timer2.SetNow();
	HPdelta = Timer2 - Timer1;
	CHECK(!HPdelta.Negative() && text(HPdelta).find('.') != std::string::npos);
	CHECK(Timer1 + HPdelta == Timer2 && Timer2 - Timer1 == -(Timer1 - Timer2));
	HighPerTimer later = HighPerTimer::Now();
	CHECK(later > Timer1 || later == Timer1);
}

void example_arithmetic()
{
	HighPerTimer timer1 = HighPerTimer::Now(), t = timer1;

	t.SecSub(1).USecSub(2).NSecSub(3).TicSub(4);
	CHECK(is(timer1 - t, 1000002007));
	t.SecAdd(1).USecAdd(2).NSecAdd(3).TicAdd(4);
	CHECK(t == timer1 && !(t < timer1) && !(t > timer1));
	t += 5;
	CHECK(t - timer1 == HighPerTimer(5, 0));
	t -= 5;
	t += timer1;
	t -= timer1;
	CHECK(t == timer1 && t + 2 - 2 == timer1);
}

void example_assignments()
{
	HighPerTimer t;
	timeval TV;
	timespec TS;

	CHECK(t.IsNil() && t == HighPerTimer::Nil());
	TV.tv_sec = 5;
	TV.tv_usec = 250000;
	TS.tv_sec = 6;
	TS.tv_nsec = 7;
	t = TV;
	CHECK(is(t, 5250000000));
	t = TS;
	CHECK(is(t, 6000000007) && HighPerTimer(TV) < t && HighPerTimer(TS) == t);
	HighPerTimer copy(t), moved(std::move(copy));
	copy = moved;
	t = std::move(moved);
	CHECK(t == copy && is(copy, 6000000007));
	t.SetTV(TV);
	t.SetTS(TS);
	CHECK(TV.tv_sec == 6 && TV.tv_usec == 0 && TS.tv_sec == 6 && TS.tv_nsec == 7);
}

void example_sleeps()
{
	HighPerTimer timer1, before, after;
	uint32_t SleepTimeNs(14500);

	before.SetNow();
	timer1.NSecSleep(SleepTimeNs);
	after.SetNow();
	CHECK(after - before >= HighPerTimer(0, 14500));

	HighPerTimer timer2(10, 500);
	timer2.SleepToThis(); /* in 1970: returns at once */

	HighPerTimer to = HighPerTimer::Now().USecAdd(300);
	to.SleepToThis();
	CHECK(HighPerTimer::Now() >= to);
}

void example_overflow()
{
	bool is_caught = false;

	try {
		HighPerTimer t = HighPerTimer::HPTimer_MAX;
		t.SecAdd(1);
	} catch (const std::out_of_range &e) {
		is_caught = !std::strcmp(e.what(), "HPTimer overflow");
	}
	CHECK(is_caught);
}

void example_interrupt()
{
	HighPerTimer timer1;
	std::atomic<bool> is_over{ false };
	std::thread sleeping([&] {
		timer1.USecSleep(hour_us);
		is_over = true;
	});

	timer1.Interrupt();
	sleeping.join();
	CHECK(is_over);
}

/* ---- Values ---- */

void check_constructors()
{
	const HighPerTimer shifted(HighPerTimer::CPU_Tics());

	CHECK(is(HighPerTimer(10, 500), 10000000500) && is(HighPerTimer(1, 2500000000), 3500000000));
	CHECK(is(HighPerTimer(-1, 500000000), -1500000000) && is(HighPerTimer(1, 500000000, true), -1500000000));
	CHECK(is(HighPerTimer(0, -5), -5) && is(HighPerTimer(17, false), 17) && is(HighPerTimer{ 17, false }, 17));
	CHECK(HighPerTimer(17, true) == HighPerTimer(17));
	CHECK(is(HighPerTimer(17), 17 + HighPerTimer::GetUnixZeroShift()));
	CHECK(shifted <= HighPerTimer::Now() && !shifted.Negative());
	CHECK(overflows(shifted, [](HighPerTimer &t) { t = HighPerTimer(1, -5); }));
	CHECK(overflows(shifted, [](HighPerTimer &t) { t = HighPerTimer(-1, 5, true); }));
	CHECK(overflows(shifted, [](HighPerTimer &t) { t = HighPerTimer(0, -5, true); }));
	CHECK(overflows(shifted, [](HighPerTimer &t) { t = HighPerTimer(INT64_MAX / 2, 0); }));
	CHECK(overflows(shifted, [](HighPerTimer &t) { t = HighPerTimer(INT64_MIN, false); }));
	CHECK(overflows(shifted, [](HighPerTimer &t) { t.SetTimer(9223372036, 854775808); }));
}

void check_parts()
{
	HighPerTimer t(-1, 500000007);
	timespec ts;
	timeval tv;

	CHECK(t.Negative() && t.Seconds() == 1 && t.USeconds() == 500000 && t.NSeconds() == 500000007);
	t.SetTS(ts);
	t.SetTV(tv);
	CHECK(ts.tv_sec == -2 && ts.tv_nsec == 499999993 && tv.tv_sec == -2 && tv.tv_usec == 499999);
	CHECK(HighPerTimer(ts) == t);
	CHECK(t.InvertSign() == HighPerTimer(1, 500000007) && !t.Negative() && (-t).Negative());
	t.SetSeconds(-3);
	CHECK(is(t, -3000000000));
	t.SetUSeconds(2500000);
	CHECK(is(t, 2500000000));
	t.SetNSeconds(-1500000000);
	CHECK(is(t, -1500000000));
	t.SetTics(9);
	CHECK(is(t, 9));
	t.SetTimer(3, 5, true);
	CHECK(is(t, -3000000005));
	t.SetTimer(ts);
	CHECK(is(t, -1500000007));
	t.SetTimer(tv);
	CHECK(is(t, -1500001000));
}

void check_numbers()
{
	HighPerTimer t(1, 0);

	t += 0.5;
	CHECK(is(t, 1500000000) && is(t + 0.25, 1750000000) && is(t - 1, 500000000) && is(t -= 2.25, -750000000));
	CHECK(is(HighPerTimer::DtoHPTimer(1.5), 1500000000) && is(HighPerTimer::NSectoHPTimer(-7), -7));
	CHECK(HighPerTimer::HPTimertoD(HighPerTimer(0, 250000000)) < 0.2500001);
	CHECK(HighPerTimer::TictoD(2000000000) > 1.99);
	CHECK(is(t.SecAdd(-1), -1750000000));
	CHECK(is(HighPerTimer::HPTimer_MAX, INT64_MAX) && -HighPerTimer::HPTimer_MAX == HighPerTimer::HPTimer_MIN);
	CHECK(at_load == HighPerTimer::HPTimer_MAX);
	CHECK(HighPerTimer::NSectoHPTimer(HighPerTimer::HPTimertoNSec(at_load)) == at_load);
	CHECK(HighPerTimer::NSectoHPTimer(HighPerTimer::HPTimertoNSec(-at_load)) == -at_load);
	CHECK(is(HighPerTimer::NSectoHPTimer(static_cast<signed char>(-1)), -1));
}

void check_overflows()
{
	const HighPerTimer &last = HighPerTimer::HPTimer_MAX, &first = HighPerTimer::HPTimer_MIN;

	CHECK(overflows(last, [](HighPerTimer &t) { t.TicAdd(1); }));
	CHECK(overflows(last, [](HighPerTimer &t) { t += t; }));
	CHECK(overflows(first, [](HighPerTimer &t) { t.TicSub(1); }));
	CHECK(overflows(first, [](HighPerTimer &t) { t = t - HighPerTimer(1, 0); }));
	CHECK(overflows(first, [](HighPerTimer &t) { t -= 1; }));
	CHECK(overflows(HighPerTimer(), [](HighPerTimer &t) { t.SecAdd(UINT64_MAX); }));
	CHECK(overflows(HighPerTimer(), [](HighPerTimer &t) { t.USecSub(INT64_MAX); }));
	CHECK(overflows(HighPerTimer(), [](HighPerTimer &t) { t += 1e10; }));
	CHECK(overflows(HighPerTimer(), [](HighPerTimer &t) { t = HighPerTimer::DtoHPTimer(std::nan("")); }));
}

void check_text()
{
	const HighPerTimer t(1795171679, 123456789);

	CHECK(text(t) == "1795171679.123456789" && t.PrintTime(true) == "1795171679123456789");
	CHECK(text(HighPerTimer(0, 50)) == "         0.000000050");
	CHECK(text(HighPerTimer(0, -50)) == "        -0.000000050");
	CHECK(t.PrintTime(false, false) == "2026-11-20 10:47:59.123456789 UTC, 1795171679123456789 tics");
	CHECK(HighPerTimer(-1, 500000000).PrintTime(false, false) ==
	      "1969-12-31 23:59:58.500000000 UTC, -1500000000 tics");
	CHECK(HighPerTimer::SysNow().size() == 20);
}

/* ---- Forms that would mean something else are no C++ ---- */

template <class T> struct is_comparable {
	template <class U> static auto probe(int) -> decltype(std::declval<HighPerTimer>() == std::declval<U>());
	template <class U> static void *probe(...);
	static constexpr bool value = std::is_same<decltype(probe<T>(0)), bool>::value;
};
template <class T> struct is_a_sleep {
	template <class U>
	static auto probe(int) -> decltype(std::declval<HighPerTimer>().USecSleep(std::declval<U>()), true);
	template <class U> static void *probe(...);
	static constexpr bool value = std::is_same<decltype(probe<T>(0)), bool>::value;
};

static_assert(is_comparable<HighPerTimer>::value && is_comparable<timespec>::value && !is_comparable<int>::value,
	      "t == 5: 5 tics or seconds?");
static_assert(!std::is_assignable<HighPerTimer &, int>::value && !std::is_convertible<int, HighPerTimer>::value,
	      "t = 5: likewise");
static_assert(is_a_sleep<int>::value && !is_a_sleep<double>::value && !is_a_sleep<bool>::value,
	      "USecSleep(0.5) would not sleep");
static_assert(!std::is_assignable<decltype((HighPerTimer::HPTimer_MAX)), HighPerTimer>::value, "the limits stay");

/* ---- The clock ---- */

/* As late as the Unix time before the call, but for a slew and the error of a sample. */
bool is_present()
{
	const HighPerTimer from = HighPerTimer::NSectoHPTimer(HighPerTimer::GetSysTime());

	return HighPerTimer::Now() - from > HighPerTimer(0, -100000000);
}

void check_sources()
{
	const TimeSource first = HighPerTimer::GetHPSource();
	const HighPerTimer before = HighPerTimer::Now();
	HighPerTimer slept;

	CHECK(is_present());
	CHECK(HighPerTimer::SetTimerSource(TimeSource::OS) == TimeSource::OS);
	CHECK(HighPerTimer::GetSourceString() == "OS");
	CHECK(is_present() && HighPerTimer::Now() - before > HighPerTimer(0, -100000000));
	const HighPerTimer by_os = HighPerTimer::Now();
	slept.USecSleep(50);
	CHECK(HighPerTimer::Now() - by_os >= HighPerTimer(0, 50000));
	CHECK(HighPerTimer::SetTimerSource(TimeSource::MANUAL) == TimeSource::OS);
	CHECK(HighPerTimer::SetTimerSource(first) == first);
	slept.USecSleep(50); /* by the OS clock again */
	HighPerTimer::InitUnixZeroShift();
	CHECK(is_present());
	CHECK(HighPerTimer::SetClockSkew(0.02) && !HighPerTimer::SetClockSkew(0.3) && !HighPerTimer::SetClockSkew(0));
	CHECK(HighPerTimer::GetHPFrequency() == 1000);
	CHECK(!AccessTimeHardware::IsInvariantTSC() || AccessTimeHardware::IsConstantTSC());
	CHECK(AccessTimeHardware::GetBrandString() == hpt::cpu_info().brand);
}

/* ---- Sleeps ---- */

template <class Sleep> bool is_long_enough(Sleep sleep, std::int64_t ns)
{
	const HighPerTimer before = HighPerTimer::Now();

	sleep(before);
	return HighPerTimer::Now() - before >= HighPerTimer(0, ns);
}

void check_sleeps()
{
	HighPerTimer t(0, 70000);

	CHECK(is_long_enough([&](const HighPerTimer &) { t.Sleep(); }, 70000));
	CHECK(is_long_enough([&](const HighPerTimer &) { t.TicsSleep(60000); }, 60000));
	CHECK(is_long_enough([&](const HighPerTimer &) { t.USecSleep(60); }, 60000));
	CHECK(is_long_enough([&](const HighPerTimer &from) { t.SleepTo(from + t); }, 70000));
	CHECK(is_long_enough([&](const HighPerTimer &from) { t.SleepTo(from.HPTics() + 60000); }, 60000));
	/* In the past: each would else last for ever. */
	t.USecSleep(-1);
	t.NSecSleep(INT64_MIN);
	t.SleepTo(HighPerTimer::HPTimer_MIN);
	(-t).Sleep();
}

/* An interrupt ends no second sleep, not even where that is under way when the gate of the first one rings. */
void check_interrupt_once()
{
	detail::bed bed;
	std::atomic<bool> is_over{ false };
	bool is_long = false;

	bed.ask();
	bed.sleep_for(hour_us * 1000);
	std::thread sleeping([&] {
		is_long = is_long_enough([&](const HighPerTimer &) { bed.sleep_for(20000000); }, 20000000);
		is_over = true;
	});
	while (!is_over)
		bed.ring();
	sleeping.join();
	CHECK(is_long);
}

void check_interrupts()
{
	HighPerTimer t, other;
	std::atomic<int> over{ 0 };

	t.Interrupt();
	t.Interrupt();
	other = t; /* the time, and no interrupt */
	t.USecSleep(hour_us);
	CHECK(is_long_enough([&](const HighPerTimer &) { t.USecSleep(500); }, 500000));
	CHECK(is_long_enough([&](const HighPerTimer &) { other.USecSleep(500); }, 500000));

	auto sleep = [&] {
		t.USecSleep(UINT64_MAX);
		over++;
	};
	std::thread a(sleep), b(sleep); /* on one timer */

	for (int done = 0; done < 2; done = over) {
		t.Interrupt();
		std::this_thread::yield();
	}
	a.join();
	b.join();
}

} // namespace
} // namespace papers

void test_papers_examples()
{
	using namespace papers;

	example_source();
	example_measure();
	example_arithmetic();
	example_assignments();
	example_sleeps();
	example_overflow();
	example_interrupt();
}

void test_papers_values()
{
	using namespace papers;

	check_constructors();
	check_parts();
	check_numbers();
	check_overflows();
	check_text();
}

void test_papers_clock()
{
	using namespace papers;

	check_sources();
	check_sleeps();
	check_interrupts();
	check_interrupt_once();
}
