// SPDX-License-Identifier: MIT
/* Reports a run's progress: tools/bench/wakes_run.h. */
#include "bench/wakes_run.h"

#include <time.h>

#include "bench/worker.h"
#include "cli/stopwatch.h"

bool wakes_run_step(struct wakes_run *run, int64_t ns)
{
	run->done_ns += ns;
	if (!worker_step(run->w, run->done_ns, run->total_ns))
		return false;
	run->s->elapsed_ns = stopwatch_os_ns(CLOCK_MONOTONIC) - run->begun_ns;
	return true;
}
