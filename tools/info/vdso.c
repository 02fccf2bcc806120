// SPDX-License-Identifier: MIT
/* Judges by cost whether clock_gettime() is virtual here: no interface reports it. */
#include "info/vdso.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "machine/sys_clock.h"
#include "cli/stats.h"

/* A batch is long enough for a clock with steps of 100 ns; the median of the batches is free of interruptions. */
#define CALLS   64
#define BATCHES 51

static bool by_libc(void)
{
	struct timespec ts;

	return !clock_gettime(CLOCK_MONOTONIC, &ts);
}

static bool by_syscall(void)
{
	int64_t ns;

	return hpt_sys_clock_ns(CLOCK_MONOTONIC, &ns);
}

static uint64_t cost_ps(bool (*call)(void))
{
	int64_t ticks[BATCHES], ns;

	if (!call())
		return 0;
	for (int b = 0; b < BATCHES; b++) {
		hpt_time_t start = hpt_now(NULL);

		for (int i = 0; i < CALLS; i++)
			call();
		ticks[b] = hpt_now(NULL) - start;
	}
	stats_sort(ticks, BATCHES);
	ns = hpt_ticks_to_ns(NULL, stats_median(ticks, BATCHES));
	return ns > 0 ? (uint64_t)ns * 1000 / CALLS : 0;
}

/* The virtual call reads the TSC: where that is forbidden, a signal would kill this process. */
static bool tsc_forbidden(void)
{
#ifdef PR_GET_TSC
	int mode = 0;

	return !prctl(PR_GET_TSC, &mode, 0, 0, 0) && mode == PR_TSC_SIGSEGV;
#else
	return false;
#endif
}

void vdso_measure(struct vdso *ret)
{
	ret->libc_ps = tsc_forbidden() ? 0 : cost_ps(by_libc);
	ret->syscall_ps = cost_ps(by_syscall);
	ret->is_virtual = ret->libc_ps && ret->libc_ps * 2 < ret->syscall_ps;
}
