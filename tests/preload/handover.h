/* SPDX-License-Identifier: MIT */
/* Kinds of waits through which a thread hands events to others: tests/preload/handovers.c. */
#ifndef HPT_PRELOAD_HANDOVER_H
#define HPT_PRELOAD_HANDOVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* After the first failure the threads are out of step. */
#define MUST(condition, ...)                                             \
	do {                                                             \
		if (!(condition)) {                                      \
			fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);  \
			fprintf(stderr, __VA_ARGS__);                    \
			fputc('\n', stderr);                             \
			_exit(1);                                        \
		}                                                        \
	} while (0)

struct timeout {
	int64_t length_ns, at_ns; /* at_ns by the hand-over's clock: it ends no sooner */
};

struct handover {
	const char *name;
	clockid_t id;
	int64_t unit_ns;               /* of its time-outs */
	bool (*prepare)(void);         /* in the first consumer; false: there is no such wait here. Or NULL */
	void (*make)(long n);          /* event n, the first is 1 */
	bool (*wait)(const struct timeout *t, long n); /* takes event n; false: a time-out */
	int consumers;
	bool is_queue;                 /* each event is for one of the consumers, not for all */
	bool is_exact;                 /* a wait looks for events once more after its deadline */
};

/* The last ones have no name. */
extern const struct handover handover_words[], handover_fds[];

#endif
