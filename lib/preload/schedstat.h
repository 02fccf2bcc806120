/* SPDX-License-Identifier: MIT */
/* How long the calling thread has waited for a CPU, and how often it got one, by /proc/thread-self/schedstat. */
#ifndef HPT_SCHEDSTAT_H
#define HPT_SCHEDSTAT_H

#include <stdbool.h>
#include <stdint.h>

struct hpt_schedstat {
	int64_t  queued_ns; /* it could run, and did not */
	uint64_t arrivals;  /* on a CPU */
};

/*
 * False: it cannot be read. The thread keeps the file open, for 128 threads at most: the read alone takes 0.4 us, with
 * opening and closing 8. may_open: it may be opened again, where the program has closed it. May change errno. Callable
 * from signal handlers.
 */
bool hpt_schedstat_read(bool may_open, struct hpt_schedstat *ret);

/* Of the file's text. False: it is another file's. */
bool hpt_schedstat_parse(const char *text, struct hpt_schedstat *ret);

#endif
