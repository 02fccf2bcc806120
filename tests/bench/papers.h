/* SPDX-License-Identifier: MIT */
/*
 * The papers' sleep and a busy wait, in a shared library as theirs was and ours is: after a long sleep a call costs
 * what the way into a library takes that is in no cache.
 */
#ifndef HPT_BENCH_PAPERS_H
#define HPT_BENCH_PAPERS_H

#include <stdint.h>

#include <hpt/hpt.h>

/* Ticks are bench_stamp()'s of @clk. Both return the tick that they were to end at. */
HPT_API int64_t hpt_bench_papers_sleep(hpt_clock *clk, int64_t ns, int64_t ticks, int64_t kernel_tick_ns);
HPT_API int64_t hpt_bench_busy_wait(hpt_clock *clk, int64_t ticks);

#endif
