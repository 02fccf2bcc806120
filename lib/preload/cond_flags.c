// SPDX-License-Identifier: MIT
/* How the C library marks condition variables: lib/preload/cond_flags.h. */
#include "preload/cond_flags.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "preload/next.h"

struct hpt_cond_flags hpt_cond_flags;

static unsigned flags_of(clockid_t id, int shared)
{
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	pthread_condattr_t attr;

	hpt_own.pthread_condattr_init(&attr);
	hpt_own.pthread_condattr_setclock(&attr, id);
	hpt_own.pthread_condattr_setpshared(&attr, shared);
	hpt_own.pthread_cond_init(&cond, &attr);
	return cond.__data.__wrefs;
}

static bool is_flag(unsigned bits)
{
	return bits && !(bits & (bits - 1));
}

COLD void hpt_cond_flags_ask(void)
{
	unsigned monotonic, shared;

	if (!hpt_own.pthread_condattr_init || !hpt_own.pthread_condattr_setclock ||
	    !hpt_own.pthread_condattr_setpshared || !hpt_own.pthread_cond_init ||
	    flags_of(CLOCK_REALTIME, PTHREAD_PROCESS_PRIVATE))
		return;
	monotonic = flags_of(CLOCK_MONOTONIC, PTHREAD_PROCESS_PRIVATE);
	shared = flags_of(CLOCK_REALTIME, PTHREAD_PROCESS_SHARED);
	if (!is_flag(monotonic) || !is_flag(shared) || monotonic == shared)
		return;
	hpt_cond_flags.monotonic = monotonic;
	hpt_cond_flags.shared = shared;
}
