// SPDX-License-Identifier: MIT
/* Names what made a wait end late: lib/preload/cause.h. */
#include "preload/cause.h"

#include <stdbool.h>

/* A timer that ends at ticks is late by up to one, and the kernel adds another to round up. */
#define TICKS 2

/* The largest part so far, and what no part explains yet. */
struct parts {
	enum hpt_cause cause;
	int64_t largest_ns, left_ns;
};

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void explain(struct parts *p, enum hpt_cause cause, int64_t ns)
{
	ns = ns < 0 ? 0 : smaller(ns, p->left_ns);
	p->left_ns -= ns;
	if (ns > p->largest_ns) {
		p->largest_ns = ns;
		p->cause = cause;
	}
}

static bool is_most(int64_t part_ns, int64_t of_ns)
{
	return part_ns > 0 && part_ns >= of_ns - part_ns;
}

/* The files of groups and of the host count in steps, and since a look that may be older than the wait. */
static enum hpt_cause queue_of(const struct hpt_evidence *e)
{
	return is_most(e->throttled_ns, smaller(e->queued_ns, e->late_ns)) ? HPT_CAUSE_QUOTA : HPT_CAUSE_RUN_QUEUE;
}

/*
 * What is left when queue and slack are taken off. A thread that is stopped in its wait blocks again to stop. One that
 * is frozen may stay in its wait.
 */
static enum hpt_cause rest_of(const struct hpt_evidence *e, int64_t left_ns)
{
	if (is_most(e->asleep_ns, left_ns))
		return HPT_CAUSE_SUSPEND;
	if (left_ns <= e->idle_exit_ns)
		return HPT_CAUSE_IDLE;
	if (e->blocked > 1 || e->was_frozen)
		return HPT_CAUSE_STOPPED;
	return is_most(e->stolen_ns, left_ns) ? HPT_CAUSE_STEAL : HPT_CAUSE_UNKNOWN;
}

enum hpt_cause hpt_cause_of(const struct hpt_evidence *e)
{
	struct parts p = { HPT_CAUSE_UNKNOWN, 0, e->late_ns };

	explain(&p, queue_of(e), e->queued_ns);
	if (e->tick_ns > 1)
		explain(&p, HPT_CAUSE_TICK, TICKS * e->tick_ns);
	else
		explain(&p, HPT_CAUSE_SLACK, e->slack_ns);
	explain(&p, rest_of(e, p.left_ns), p.left_ns);
	return p.cause;
}
