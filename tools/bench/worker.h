/* SPDX-License-Identifier: MIT */
/* A measurement on a thread of its own, while the first one draws the bar and listens for Ctrl-C. */
#ifndef HPT_BENCH_WORKER_H
#define HPT_BENCH_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct hpt_worker;

/*
 * Called by the measuring thread between samples, never within one: what has been done of what is to be done, in any
 * unit that grows as time does. False: leave off, for the user does not want to wait. With @w NULL (in tests): true.
 */
bool hpt_worker_step(struct hpt_worker *w, int64_t done, int64_t total);

/*
 * Runs measure(data, w) on a thread of its own and waits for its end. SIGINT, SIGTERM and SIGHUP make hpt_worker_step() return
 * false; a thread that does not come to it within 0.3 s, in the middle of a long sleep, is left alone: *data must then
 * stay where it is, and what is read of it has to be published (release and acquire) whole round by whole round.
 * The signals are heard also if the caller blocks them, and then still blocked afterwards; who ignores them is not
 * disturbed. Of one that comes twice before the end, as timeout(1) sends it, the second is taken for the first.
 *
 * @cpu: the CPU to measure on; -1: whichever it is on when it begins, and then that one.
 *
 * Returns 0, the signal that ended it, or a negative errno (no thread; not that CPU).
 */
int hpt_worker_run(const char *what, int cpu, void (*measure)(void *data, struct hpt_worker *w), void *data);

#endif
