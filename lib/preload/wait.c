// SPDX-License-Identifier: MIT
/* Serves the program's waits: lib/preload/wait.h. */
#include "preload/wait.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "arch/arch.h"
#include "math/units.h"
#include "preload/hook.h"
#include "preload/load.h"
#include "preload/next.h"
#include "preload/own_wait.h"
#include "preload/variants.h"
#include "preload/observe.h"
#include "sleep/deadline.h"
#include "sleep/wait_margins.h"

/*
 * A wait that ends further away begins with one that ends by this before its deadline: it needs a clock read more than
 * without the object, and no other system call. The rest is long enough for a margin and for that wait's lateness.
 */
#define FAR_AHEAD_NS 900000

/* The kernel's lateness is a thousandth of the length, or a two hundredth for nice threads: fs/select.c. */
#define SLACK_SHARE 128

static bool is_by_ms(const struct hpt_wait *w)
{
	return w->kind->wait_ms != NULL;
}

static int whole_ms(int64_t ns)
{
	return ns / NS_PER_MS < INT_MAX ? (int)(ns / NS_PER_MS) : INT_MAX;
}

/* ---- In the kernel --------------------------------------------------------------------------------------- */

/* The program's own call, once more: no later than it would have ended. */
static bool is_whole_call(const struct hpt_wait *w)
{
	return is_by_ms(w) && w->nap.is_plain && !w->has_waited;
}

/* Whole milliseconds share no wakes. A thread that lost its CPU meanwhile may be past its deadline. */
static int64_t ahead_ns(const struct hpt_wait *w, int64_t now_ns, int64_t until_ns)
{
	int64_t end_ns = is_whole_call(w) ? w->nap.at_ns : until_ns;

	return end_ns > now_ns ? end_ns - now_ns : 0;
}

/* *until_ns becomes the time at which this wait is to end, if that is another. */
static int wait_once(struct hpt_wait *w, int64_t now_ns, int64_t *until_ns)
{
	int64_t ns = ahead_ns(w, now_ns, *until_ns);
	int ms;

	if (!is_by_ms(w) || (!is_whole_call(w) && hpt_variants_are_allowed() && !w->nap.is_in_ms))
		return w->kind->wait(w, ns, *until_ns);
	ms = whole_ms(ns + (is_whole_call(w) ? NS_PER_MS - 1 : 0));
	*until_ns = now_ns + ms * NS_PER_MS;
	return ms ? w->kind->wait_ms(w, ms) : w->kind->look(w);
}

static struct hpt_wait *wait_of(const struct hpt_fds *f)
{
	return (struct hpt_wait *)((uintptr_t)f - offsetof(struct hpt_wait, look.fds));
}

int hpt_wait_poll(const struct hpt_fds *f, int64_t ns)
{
	struct hpt_wait *w = wait_of(f);
	int64_t now_ns, until_ns;
	int r;

	if (!ns)
		return w->kind->look(w);
	now_ns = hpt_next_clock_ns(w->nap.id);
	until_ns = hpt_sum(now_ns, ns);
	if (!w->nap.is_in_ms && w->nap.at_ns - until_ns < HPT_LEAST_WAIT_NS) /* no margin is less */
		hpt_nap_note_crowd(&w->nap);
	r = wait_once(w, now_ns, &until_ns);
	w->has_waited = true;
	if (r)
		w->nap.woke_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	else
		hpt_nap_note_wake(&w->nap, w->nap.id, until_ns);
	return r;
}

/* ---- The wait -------------------------------------------------------------------------------------------- */

static COLD void count_event(const struct hpt_wait *w, int r)
{
	struct hpt_tally *t = hpt_loaded.tally;

	hpt_tally_add(&t->served[w->nap.call], 1);
	hpt_tally_add(r > 0 ? &t->by_event[w->nap.call] : &t->interrupted, 1);
}

static int64_t far_ns(const struct hpt_wait *w, int64_t left_ns)
{
	return left_ns - FAR_AHEAD_NS - (w->kind->is_for_fds ? left_ns / SLACK_SHARE : 0);
}

/* Until the deadline is near. Guards, which events end, end here. */
static int wait_far(struct hpt_wait *w, int64_t now_ns)
{
	int64_t ns;
	int r = 0;

	while (!r && (ns = far_ns(w, w->nap.at_ns - now_ns)) >= NS_PER_MS) {
		r = is_by_ms(w) ? w->kind->wait_ms(w, whole_ms(ns)) : w->kind->wait(w, ns, now_ns + ns);
		w->has_waited = true;
		if (!r)
			now_ns = hpt_next_clock_ns(w->nap.id);
	}
	return r;
}

/*
 * An event so near to the deadline counts in the thread's habits. Of a queue whose three consumers' time-outs are 60 to
 * 360 us the user's CPU time was 1.15 x that without "--waits", and 1.34 x where only the last 0.1 ms counted.
 */
#define NEAR_NS (4 * HPT_WAIT_MARGINS_GUESS_NS)

static void note_end(struct hpt_wait *w, int r)
{
	bool is_near = w->look.is_near || hpt_own_rest_ns(w->nap.id, w->nap.at_ns) <= NEAR_NS;

	if (r >= 0 && is_near)
		hpt_look_note_end(&w->look, hpt_habits_claim(), r > 0);
}

/*
 * A thread that lost its CPU after the last look of its spin ends late. The kernel's own wait would report an event
 * that came meanwhile. A spin that was not disturbed ends within a microsecond.
 */
#define DISTURBED_NS 2000

static bool is_look_due(const struct hpt_wait *w)
{
	bool has_spun = !w->nap.unspun && !w->nap.is_plain;

	return !w->look.has_looked ||
	       (w->kind->is_for_fds && has_spun && w->nap.now_ns - w->nap.at_ns > DISTURBED_NS);
}

static int wait_near(struct hpt_wait *w)
{
	int r;

	hpt_nap_serve(&w->nap, hpt_next_clock_ns(CLOCK_MONOTONIC));
	r = w->look.result;
	if (!r && is_look_due(w))
		r = w->kind->look(w);
	note_end(w, r);
	return r;
}

HOT int hpt_wait_take(struct hpt_wait *w)
{
	int saved = errno, r = 0;

	w->nap.look = &w->look;
	w->nap.is_in_ms = is_by_ms(w) && !hpt_variants_are_allowed();
	if (!w->nap.is_in_ms && likely(!hpt_diagnosis))
		r = wait_far(w, w->nap.now_ns);
	if (!r)
		r = wait_near(w);
	else if (unlikely(hpt_loaded.tally != NULL))
		count_event(w, r);
	errno = saved;
	return r;
}

static bool begin(struct hpt_wait *w, int64_t length_ns)
{
	if (unlikely(!hpt_nap_is_readable(w->nap.now_ns)))
		return false;
	if (length_ns >= hpt_loaded.settings.least_ns && length_ns > 0)
		return true;
	if (hpt_loaded.tally)
		hpt_tally_add(&hpt_loaded.tally->passed[w->nap.call], 1);
	return false;
}

bool hpt_wait_begin_for(struct hpt_wait *w, int64_t ns)
{
	w->nap.id = CLOCK_MONOTONIC;
	w->nap.now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	w->nap.at_ns = hpt_sum(w->nap.now_ns, ns);
	return begin(w, ns);
}

bool hpt_wait_begin_until(struct hpt_wait *w, clockid_t id, int64_t at_ns)
{
	w->nap.id = id;
	w->nap.now_ns = hpt_next_clock_ns(id);
	w->nap.at_ns = at_ns;
	return begin(w, at_ns - w->nap.now_ns);
}

int hpt_wait_result(int result)
{
	return result < 0 ? hpt_result_of(-result) : result;
}

int hpt_wait_ended(int r)
{
	return r < 0 ? -errno : r;
}
