/* SPDX-License-Identifier: MIT */
/* How this kernel lets CPUs idle, and how late it wakes them. */
#ifndef HPT_TOOLS_IDLE_H
#define HPT_TOOLS_IDLE_H

#include <stdint.h>

#include "cli/out.h"

/* The limit that there is without a request (PM_QOS_CPU_LATENCY_DEFAULT_VALUE of Linux). */
#define IDLE_NO_LIMIT_US 2000000000

struct idle {
	int64_t slack_ns;               /* this thread's timer slack; -1: unknown */
	char    idle_driver[32];        /* "": none, or unreadable */
	char    idle_governor[32];
	int64_t halt_poll_ns;           /* governor haltpoll: time that a guest polls before it halts; else -1 */
	int64_t latency_limit_us;       /* the longest that an idle CPU may take to wake, by requests; -1: unknown */
	unsigned waits;                 /* number of waits measured; 0: waiting is forbidden here */
	int64_t late_ns, late_max_ns;   /* median and maximum of these waits */
};

/* Takes some 20 ms. */
void idle_measure(struct idle *ret);

void idle_json(json_t *object, const struct idle *w);
void idle_table(struct libscols_table *tb, const struct idle *w);

/* The meaning of the median of the waits, in words. */
const char *idle_words(int64_t late_ns);

#endif
