// SPDX-License-Identifier: MIT
/* Collects what may be read about a late wake, and counts its cause: lib/preload/observe.h. */
#include "preload/observe.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "machine/cpu_time.h"
#include "machine/futex.h"
#include "machine/process.h"
#include "machine/time_calls.h"
#include "math/units.h"
#include "preload/next.h"
#include "preload/others.h"
#include "preload/variants.h"

/* fs/select.c: a wait for descriptors may be late by a thousandth of its length, or a two hundredth if it is nice. */
#define SLACK_SHARE      1000
#define NICE_SLACK_SHARE 200
#define SLACK_MOST_NS    (100 * NS_PER_MS)

struct hpt_diagnosis *hpt_diagnosis;

/* A sandbox may kill the process for a system call that is not its own. */
static bool may_ask(void)
{
	return HPT_SEES_SYSCALLS ? hpt_variants_are_allowed() : !hpt_cpu_time_is_filtered();
}

void hpt_observe_load(struct hpt_diagnosis *d)
{
	hpt_diagnosis = d;
	if (!d)
		return;
	hpt_tally_add(&d->programs, 1);
	if (may_ask())
		hpt_others_begin();
}

/* How often the thread has so far. It cannot between this and its wait, where others may take its CPU. */
static uint64_t times_blocked(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : (uint64_t)usage.ru_nvcsw;
}

void hpt_observe_begin(struct hpt_observed *w, enum hpt_call call, int64_t now_ns, int64_t length_ns)
{
	*w = (struct hpt_observed){ .call = call, .began_ns = now_ns, .length_ns = length_ns,
				    .asleep_ns = hpt_next_clock_ns(CLOCK_BOOTTIME) - now_ns };
	w->is_read = may_ask() && hpt_schedstat_read(false, &w->before);
	w->blocked = w->is_read ? times_blocked() : 0;
}

/* ---- What is read after a late wake ------------------------------------------------------------------------ */

static bool is_for_fds(enum hpt_call call)
{
	return call >= HPT_CALL_SELECT && call <= HPT_CALL_EPOLL_PWAIT2;
}

/* Real-time threads have none. */
static int64_t slack_ns(const struct hpt_observed *w)
{
	int class = hpt_cpu_time_class();
	int64_t own_ns = hpt_timer_slack_ns(), share_ns;

	if (class == SCHED_FIFO || class == SCHED_RR || class == SCHED_DEADLINE || own_ns < 0)
		return 0;
	if (!is_for_fds(w->call))
		return own_ns;
	share_ns = w->length_ns / (getpriority(PRIO_PROCESS, 0) > 0 ? NICE_SLACK_SHARE : SLACK_SHARE);
	share_ns = share_ns < SLACK_MOST_NS ? share_ns : SLACK_MOST_NS;
	return share_ns > own_ns ? share_ns : own_ns;
}

static void read_thread(const struct hpt_observed *w, struct hpt_evidence *e)
{
	struct hpt_schedstat now;

	if (!hpt_schedstat_read(true, &now) || !w->is_read) {
		hpt_tally_add(&hpt_diagnosis->unread, 1);
		return;
	}
	e->queued_ns = now.queued_ns - w->before.queued_ns;
	e->blocked = times_blocked() - w->blocked;
}

/* At least: the thread may lose its CPU between the two reads. */
static int64_t slept_ns(const struct hpt_observed *w)
{
	int64_t boot_ns = hpt_next_clock_ns(CLOCK_BOOTTIME);

	return boot_ns - hpt_next_clock_ns(CLOCK_MONOTONIC) - w->asleep_ns;
}

static void read_process(const struct hpt_observed *w, struct hpt_evidence *e)
{
	struct hpt_others others = hpt_others_look(w->began_ns);

	e->throttled_ns = others.throttled_ns;
	e->stolen_ns = others.stolen_ns;
}

/* Files are written by a clock that moves by ticks, of 10 ms at most. */
static bool was_frozen(const struct hpt_observed *w)
{
	int64_t written_ns = hpt_others_frozen_ns(), now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);

	return written_ns && hpt_next_clock_ns(CLOCK_REALTIME) - written_ns < now_ns - w->began_ns + 10 * NS_PER_MS;
}

static enum hpt_cause find_cause(const struct hpt_observed *w, int64_t late_ns)
{
	struct hpt_evidence e = { .late_ns = late_ns, .idle_exit_ns = hpt_diagnosis->idle_exit_ns,
				  .asleep_ns = slept_ns(w) };
	enum hpt_cause cause;

	if (!may_ask()) {
		hpt_tally_add(&hpt_diagnosis->unread, 1);
		return HPT_CAUSE_UNKNOWN;
	}
	read_thread(w, &e);
	read_process(w, &e);
	e.tick_ns = hpt_clock_step_ns(CLOCK_MONOTONIC);
	e.slack_ns = slack_ns(w);
	cause = hpt_cause_of(&e);
	if (cause != HPT_CAUSE_UNKNOWN)
		return cause;
	e.was_frozen = was_frozen(w);
	return hpt_cause_of(&e);
}

/* The first ones, one by one. */
static void keep(const struct hpt_observed *w, int64_t late_ns, enum hpt_cause cause)
{
	uint64_t i = atomic_fetch_add_explicit(&hpt_diagnosis->n_wakes, 1, memory_order_relaxed);
	struct hpt_late_wake *one = &hpt_diagnosis->wakes[i];

	if (i >= HPT_DIAGNOSIS_WAKES)
		return;
	one->late_ns = late_ns;
	one->process = (uint32_t)getpid();
	one->thread = hpt_thread_id();
	one->call = w->call;
	one->cause = cause;
	atomic_store_explicit(&one->at_ns, (uint64_t)hpt_next_clock_ns(CLOCK_MONOTONIC), memory_order_release);
}

void hpt_observe_end(const struct hpt_observed *w, int64_t late_ns)
{
	struct hpt_diagnosis *d = hpt_diagnosis;
	enum hpt_cause cause;

	if (late_ns <= d->late_ns) {
		hpt_tally_add(&d->punctual[w->call], 1);
		if (may_ask())
			hpt_others_count_wait();
		return;
	}
	cause = find_cause(w, late_ns);
	hpt_tally_add(&d->late[w->call][cause], 1);
	hpt_tally_add(&d->lateness[cause][hpt_tally_bin(late_ns)], 1);
	keep(w, late_ns, cause);
}

void hpt_observe_end_early(const struct hpt_observed *w)
{
	hpt_tally_add(&hpt_diagnosis->by_event[w->call], 1);
}
