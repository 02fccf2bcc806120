/* SPDX-License-Identifier: MIT */
/* Loops of one call each, in C++: calls.cc. */
#ifndef HPT_BENCH_CALLS_H
#define HPT_BENCH_CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

void loop_ns(unsigned calls);
void loop_ns_again(unsigned calls);
void loop_monotonic(unsigned calls);
void loop_steady(unsigned calls);
void loop_unix(unsigned calls);
void loop_system(unsigned calls);
void loop_ticks(unsigned calls);
void loop_tick_clock(unsigned calls);
void loop_timer(unsigned calls);
void loop_bare(unsigned calls);
void loop_tick_clock_bare(unsigned calls);
void loop_waiter(unsigned calls);
void loop_sleeper(unsigned calls);
void loop_waiter_ns(unsigned calls);
void loop_sleeper_steady(unsigned calls);

#ifdef __cplusplus
}
#endif

#endif
