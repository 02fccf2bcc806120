// SPDX-License-Identifier: MIT
/*
 * Cost of the reads, beside what people use today, in one process: see rows.h.
 *
 * usage: bench_read [ROUNDS [READS]]
 */
#include <hpt/hpt.h>

#include "rows.h"

#if defined(__x86_64__) || defined(__i386__)
#include "arch/x86.h"
#include "floor.h"
#endif

static hpt_clock *tsc, *os;

#ifdef HPT_ARCH_X86
BENCH_LOOP(loop_rdtsc, arch_rdtsc())
BENCH_LOOP(loop_rdtscp, arch_rdtscp())
BENCH_LOOP(loop_floor_rdtsc, hpt_bench_rdtsc())
BENCH_LOOP(loop_floor_rdtscp, hpt_bench_rdtscp())
#endif
BENCH_LOOP(loop_gettime, bench_clock_ns(CLOCK_MONOTONIC))
BENCH_LOOP(loop_realtime, bench_clock_ns(CLOCK_REALTIME))
BENCH_LOOP(loop_now, hpt_now(tsc))
BENCH_LOOP(loop_now_default, hpt_now(NULL))
BENCH_LOOP(loop_unordered, hpt_now_unordered(tsc))
BENCH_LOOP(loop_now_ns, hpt_now_ns(tsc))
BENCH_LOOP(loop_now_ns_default, hpt_now_ns(NULL))
BENCH_LOOP(loop_os, hpt_now(os))
BENCH_LOOP(loop_os_ns, hpt_now_ns(os))
BENCH_LOOP(loop_unix, hpt_now_unix_ns(tsc))
BENCH_LOOP(loop_unix_os, hpt_now_unix_ns(os))

enum { NONE = BENCH_NO_BASE, RDTSC, RDTSCP, GETTIME, REALTIME };

/* Targets: DESIGN, "The numbers to reach"; of the Unix time: no dearer than the clock that it follows. */
static const struct bench_row rows[] = {
#ifdef HPT_ARCH_X86
	[RDTSC] = { "rdtsc (bare)", loop_rdtsc, NONE, 0, NONE, 0 },
	[RDTSCP] = { "rdtscp (bare)", loop_rdtscp, NONE, 0, NONE, 0 },
#endif
	[GETTIME] = { "clock_gettime(MONOTONIC)", loop_gettime, NONE, 0, NONE, 0 },
	[REALTIME] = { "clock_gettime(REALTIME)", loop_realtime, NONE, 0, NONE, 0 },
#ifdef HPT_ARCH_X86
	{ "rdtsc in a shared library", loop_floor_rdtsc, RDTSC, 0, NONE, 0 },
	{ "rdtscp in a shared library", loop_floor_rdtscp, RDTSCP, 0, NONE, 0 },
#endif
	{ "hpt_now(tsc)", loop_now, RDTSCP, 1.05, GETTIME, 0.83 },
	{ "hpt_now(NULL)", loop_now_default, RDTSCP, 1.05, GETTIME, 0.83 },
	{ "hpt_now_unordered(tsc)", loop_unordered, RDTSC, 1.02, GETTIME, 0 },
	{ "hpt_now_ns(tsc)", loop_now_ns, RDTSCP, 1.12, GETTIME, 0.89 },
	{ "hpt_now_ns(NULL)", loop_now_ns_default, RDTSCP, 1.12, GETTIME, 0.89 },
	{ "hpt_now(os)", loop_os, GETTIME, 1.07, NONE, 0 },
	{ "hpt_now_ns(os)", loop_os_ns, GETTIME, 0, NONE, 0 },
	{ "hpt_now_unix_ns(tsc)", loop_unix, REALTIME, 1.00, NONE, 0 },
	{ "hpt_now_unix_ns(os)", loop_unix_os, REALTIME, 0, NONE, 0 },
};

int main(int argc, char **argv)
{
	struct bench_effort effort = { .rounds = 1500, .calls = 3000 };

	if (!bench_effort_of(argc, argv, &effort))
		return 2;
	if (hpt_clock_open(HPT_SOURCE_TSC, &tsc) || hpt_clock_open(HPT_SOURCE_OS, &os)) {
		printf("no TSC here: nothing to compare\n");
		return 77;
	}
	hpt_now_ns(tsc); /* the first conversion waits; none of the measured ones does */
	hpt_now_ns(NULL);
	bench_rows(rows, sizeof(rows) / sizeof(rows[0]), effort);
	return 0;
}
