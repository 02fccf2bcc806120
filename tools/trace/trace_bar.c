// SPDX-License-Identifier: MIT
/* Says how far a conversion has come and how long it will take: tools/trace/trace_bar.h. */
#include "trace/trace_bar.h"

#include <time.h>

#include "cli/progress.h"
#include "math/units.h"

#define SHOW_NS (100 * NS_PER_MS) /* ten times a second: faster than people read */

static int64_t now_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

void watch_start(struct watch *w, const char *what, uint64_t total)
{
	*w = (struct watch){ .what = what, .total = progress_is_shown() ? total : 0 };
	w->start_ns = now_ns();
	w->shown_ns = w->start_ns - SHOW_NS;
}

/* -1: not known, or more than anybody waits for. Of no byte the quotient is infinite, or no number. */
static int64_t left_ns(const struct watch *w, int64_t now, uint64_t done)
{
	double left;

	if (done > w->total) /* the file grows */
		return -1;
	left = (double)(now - w->start_ns) * (double)(w->total - done) / (double)done;
	return left < (double)(INT64_MAX / 2) ? (int64_t)left : -1;
}

void watch_show(struct watch *w, uint64_t done)
{
	int64_t now;

	if (!w->total)
		return;
	now = now_ns();
	if (now - w->shown_ns < SHOW_NS)
		return;
	progress_show(w->what, (int64_t)done, (int64_t)w->total, left_ns(w, now, done));
	w->shown_ns = now;
}

void watch_end(const struct watch *w)
{
	if (w->total)
		progress_clear();
}
