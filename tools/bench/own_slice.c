// SPDX-License-Identifier: MIT
/* The time slice of ways that are not libhpt's: tools/bench/own_slice.h. */
#include "bench/own_slice.h"

#include "machine/cpu_time.h"

int64_t own_slice_ns(void)
{
	return hpt_cpu_time_slice_ns();
}

/* All ways ask, so that where nothing has changed none makes other system calls than another before it sleeps. */
int64_t own_slice_take(const struct sleep_candidate *way, int64_t own_ns)
{
	int64_t now_ns = own_ns ? hpt_cpu_time_slice_ns() : own_ns;

	return way->is_ours || now_ns == own_ns ? 0 : hpt_cpu_time_change_slice_ns(now_ns, own_ns);
}

void own_slice_leave(int64_t before_ns)
{
	if (before_ns)
		hpt_cpu_time_change_slice_ns(0, before_ns);
}
