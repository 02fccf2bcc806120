// SPDX-License-Identifier: MIT
/* Waits by the C library's own functions: lib/preload/own_wait.h. */
#include "preload/own_wait.h"

#include <errno.h>

#include "math/units.h"
#include "preload/next.h"
#include "preload/times.h"
#include "preload/variants.h"

int64_t hpt_own_rest_ns(clockid_t id, int64_t until_ns)
{
	int64_t now_ns = hpt_next_clock_ns(id);

	return until_ns > now_ns ? until_ns - now_ns : 0;
}

static int wait_by_select(int64_t ns)
{
	struct timeval tv = hpt_timeval_of(ns);

	return hpt_own.select(0, NULL, NULL, NULL, &tv) < 0 ? errno : 0;
}

int hpt_own_wait_by_poll(int64_t ns)
{
	return hpt_own.poll(NULL, 0, (int)(ns / NS_PER_MS)) < 0 ? errno : 0;
}

int hpt_own_wait_for(enum hpt_call call, int64_t ns)
{
	struct timespec ts = hpt_timespec_of(ns);

	switch (call) {
	case HPT_CALL_SELECT:
		return wait_by_select(ns);
	case HPT_CALL_PSELECT:
		return hpt_own.pselect(0, NULL, NULL, NULL, &ts, NULL) < 0 ? errno : 0;
	case HPT_CALL_POLL:
		if (!hpt_variants_are_allowed())
			return hpt_own_wait_by_poll(ns);
		/* fall through */
	case HPT_CALL_PPOLL:
		return hpt_own.ppoll(NULL, 0, &ts, NULL) < 0 ? errno : 0;
	default:
		return hpt_own.clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	}
}

int hpt_own_wait_until(enum hpt_call call, clockid_t id, int64_t until_ns)
{
	struct timespec ts = hpt_timespec_of(until_ns > 0 ? until_ns : 0);

	if (call == HPT_CALL_SELECT || call == HPT_CALL_PSELECT || call == HPT_CALL_POLL || call == HPT_CALL_PPOLL)
		return hpt_own_wait_for(call, hpt_own_rest_ns(id, until_ns));
	return hpt_own.clock_nanosleep(id, TIMER_ABSTIME, &ts, NULL);
}
