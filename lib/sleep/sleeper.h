/* SPDX-License-Identifier: MIT */
/* The parameters of a sleep for all its phases: clock, policy, and the eventcount that may interrupt it. */
#ifndef HPT_SLEEPER_H
#define HPT_SLEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/eventcount.h"
#include "clock/clock.h"
#include "sleep/policy.h"

struct hpt_look;

struct hpt_sleeper {
	struct hpt_clock *clk;
	struct hpt_eventcount *eventcount; /* its notification interrupts the sleep; NULL: nothing can */
	uint32_t key;                      /* the eventcount's value while there is no interrupt; 0 without one */
	uint32_t flags;                    /* HPT_WAIT_ */
	struct hpt_policy policy;
	const void *exit;                  /* the program's next code: the public function's return address */
	struct hpt_look *look;             /* descriptors that end the sleep as well; NULL: none */
	uint64_t first;                    /* a tick read before all else, for durations; 0: none was read */
};

/*
 * Counter and kernel's clock have diverged if they differ by more than this and the error of the counter's rate; where
 * that rate is not known, by more than this and this share of the time.
 */
#define HPT_DIVERGED_NS    1000000
#define HPT_DIVERGED_SHARE 8

/* True if the eventcount has been notified. */
static inline bool hpt_sleeper_is_interrupted(const struct hpt_sleeper *s)
{
	return s->eventcount && hpt_eventcount_value(s->eventcount) != s->key;
}

#endif
