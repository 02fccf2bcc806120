/* SPDX-License-Identifier: MIT */
/*
 * How long a thread waits in the kernel alone after a spin that was of no use, because other threads had its CPU: a
 * time that doubles while this goes on. Pure functions.
 */
#ifndef HPT_BACKOFF_H
#define HPT_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/* A sleep that ends so late waited for a CPU: an idle one wakes sooner. */
#define HPT_BACKOFF_LATE_NS 200000

/* The first time without spins, and the longest. */
#define HPT_BACKOFF_LEAST_NS 4000000
#define HPT_BACKOFF_MOST_NS  1000000000

/* Any content is valid, since a signal handler may sleep while the thread that it interrupted writes here. */
struct hpt_backoff {
	uint32_t process;  /* that it is counted for, as hpt_process(); 0: none yet */
	int64_t length_ns; /* of the latest time without spins, less what later spins took off */
	int64_t until_ns;  /* CLOCK_MONOTONIC of its end */
};

/* True: the thread is not to spin now. A forked child may. */
bool hpt_backoff_is_on(struct hpt_backoff *b, uint32_t process, int64_t now_ns);

/* A sleep that was to spin ended at now_ns, late_ns after its deadline. */
void hpt_backoff_learn(struct hpt_backoff *b, int64_t now_ns, int64_t late_ns);

#endif
