// SPDX-License-Identifier: MIT
/* Loops for bench_cpp.c: calls of hpt.hpp, and the C calls that they stand for, by one compiler. */
#include <hpt/hpt.hpp>

#include "calls.h"

namespace {

hpt::sleeper &one()
{
	static hpt::sleeper s;

	return s;
}

/* Long past: a sleep until then returns at once, so that its cost is that of the call. */
const hpt::steady_clock::time_point past;
const hpt::timer past_tick;

template <class T> void use(const T &value)
{
	__asm__ volatile("" : : "r"(value));
}

} // namespace

#define LOOP(name, expression)                       \
	void name(unsigned calls)                    \
	{                                            \
		for (unsigned i = 0; i < calls; i++) \
			use(expression);             \
	}

LOOP(loop_ns, hpt_now_ns(nullptr))
LOOP(loop_ns_again, hpt_now_ns(nullptr))
LOOP(loop_monotonic, hpt_now_monotonic_ns(nullptr))
LOOP(loop_steady, hpt::steady_clock::now().time_since_epoch().count())
LOOP(loop_unix, hpt_now_unix_ns(nullptr))
LOOP(loop_system, hpt::system_clock::now().time_since_epoch().count())
LOOP(loop_ticks, hpt_now(nullptr))
LOOP(loop_tick_clock, hpt::tick_clock::now())
LOOP(loop_timer, hpt::timer::now().ticks())
LOOP(loop_bare, hpt_now_unordered(nullptr))
LOOP(loop_tick_clock_bare, hpt::tick_clock::now_unordered())

void loop_waiter(unsigned calls)
{
	hpt_waiter *w = one().native_handle();

	for (unsigned i = 0; i < calls; i++)
		use(hpt_waiter_sleep_until_ticks(w, 0));
}

void loop_waiter_ns(unsigned calls)
{
	hpt_waiter *w = one().native_handle();

	for (unsigned i = 0; i < calls; i++)
		use(hpt_waiter_sleep_until_ns(w, 0));
}

void loop_sleeper(unsigned calls)
{
	hpt::sleeper &s = one();

	for (unsigned i = 0; i < calls; i++)
		use(s.sleep_until(past_tick));
}

void loop_sleeper_steady(unsigned calls)
{
	hpt::sleeper &s = one();

	for (unsigned i = 0; i < calls; i++)
		use(s.sleep_until(past));
}
