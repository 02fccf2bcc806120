/* SPDX-License-Identifier: MIT */
/* Runs a measurement on a thread of its own, while the first thread draws the bar and waits for Ctrl-C. */
#ifndef HPT_TOOLS_WORKER_H
#define HPT_TOOLS_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct worker;

/*
 * The measuring thread calls this between samples, never within one. Reports @done of @total, in any unit proportional
 * to time. False: the measurement must stop, because the user ended it. With @w NULL (in tests): true.
 */
bool worker_step(struct worker *w, int64_t done, int64_t total);

/*
 * Runs measure(data, w) on a thread of its own and waits for its end. SIGINT, SIGTERM and SIGHUP make worker_step()
 * return false. A thread that does not call it within 0.3 s, in the middle of a long sleep, is abandoned: *data must
 * then stay valid, and results that the caller reads must be published (release and acquire) round by round. The
 * signals work even if the caller blocks them, and are then still blocked afterwards; ignored signals stay ignored. A
 * second delivery before the run ends (timeout(1) sends two) is ignored. @cpu: the CPU to measure on; -1: the one on
 * which the thread starts. Returns 0, the signal that ended the run, or a negative errno (no thread; CPU not
 * available).
 */
int worker_run(const char *what, int cpu, void (*measure)(void *data, struct worker *w), void *data);

#endif
