/* SPDX-License-Identifier: MIT */
/* What took CPU time from the process as a whole: quotas of its control groups, and the host. */
#ifndef HPT_OTHERS_H
#define HPT_OTHERS_H

#include <stdint.h>

/* As a look found it that was taken after the wait had begun, compared with the look before that. */
struct hpt_others {
	int64_t throttled_ns; /* its control groups stood still */
	int64_t stolen_ns;    /* of the CPU that this thread is on now, in steps of 10 ms */
};

/* As the process begins: takes the first look. */
void hpt_others_begin(void);

/*
 * Looks, and says what has grown since began_ns, CLOCK_MONOTONIC: of the threads that a group holds up, each looks, and
 * only the first one sees the growth. Zeros: nothing has, or it is not known. Reads some twenty files. May change
 * errno. Callable from signal handlers.
 */
struct hpt_others hpt_others_look(int64_t began_ns);

/* As hpt_frozen_latest_ns(). 0 also while another thread looks. */
int64_t hpt_others_frozen_ns(void);

/* Of a wait that was not late: looks now and then, so that all such waits together take 0.15 us each for that. */
void hpt_others_count_wait(void);

#endif
