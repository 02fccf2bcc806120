/* SPDX-License-Identifier: MIT */
/* Descriptors that a thread waits for, by poll(2) or by epoll_wait(2), with a time-out in nanoseconds. */
#ifndef HPT_FDS_H
#define HPT_FDS_H

#include <stdbool.h>
#include <stdint.h>

struct epoll_event;
struct pollfd;

/* What the program has given to either call. */
struct hpt_fds {
	struct pollfd *fds;         /* for poll(2) */
	struct epoll_event *events; /* for epoll_wait(2) */
	uint32_t n;                 /* of either */
	int epfd;
	bool is_epoll;
};

/*
 * Waits for at most ns, as the kernel counts by CLOCK_MONOTONIC, and later by the timer slack. 0: looks once;
 * INT64_MAX: for ever. Returns how many are ready, 0, or -errno. By system call: no cancellation point. Keeps errno.
 */
int hpt_fds_wait(const struct hpt_fds *f, int64_t ns);

#endif
