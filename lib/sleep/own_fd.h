/* SPDX-License-Identifier: MIT */
/*
 * A descriptor that an object makes when it is first asked for, and each process for itself; and the interrupts that
 * make it readable. All functions keep errno, and any thread or signal handler may call them.
 */
#ifndef HPT_OWN_FD_H
#define HPT_OWN_FD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "machine/eventcount.h"

struct hpt_own_fd {
	_Atomic uint64_t word; /* the process that made it in the high half; the descriptor plus 1; 0: none */
	_Atomic uint64_t rung; /* the process in the high half; interrupts begun, at least those that were counted */
};

/* The descriptor, or -1: not made yet, or made by a process that this one was forked from. */
int hpt_own_fd_get(const struct hpt_own_fd *o);

/* The descriptor, made by new_fd() if this process has none. *ret_is_new: by this call. -errno: that has failed. */
int hpt_own_fd_make(struct hpt_own_fd *o, int (*new_fd)(void), bool *ret_is_new);

/* Begins an interrupt, before the descriptor is made readable. It ends as the eventcount, ec, is notified. */
void hpt_own_fd_begin_interrupt(struct hpt_own_fd *o, const struct hpt_eventcount *ec);

/* True if a thread of this process has begun an interrupt and not ended it. */
bool hpt_own_fd_is_begun(const struct hpt_own_fd *o, const struct hpt_eventcount *ec);

/*
 * True if an interrupt is pending, of which `seen` were acknowledged, or begun: its caller may have made the descriptor
 * readable already. Call after what may have made it unreadable, so that an interrupt's effect is never taken away.
 */
static inline bool hpt_own_fd_is_rung(const struct hpt_own_fd *o, const struct hpt_eventcount *ec,
				      const _Atomic uint32_t *seen)
{
	return hpt_own_fd_is_begun(o, ec) || hpt_eventcount_value(ec) != atomic_load(seen);
}

/* For one that is an eventfd: makes it readable, after an interrupt has begun. */
void hpt_own_fd_ring(const struct hpt_own_fd *o);

/* For one that is an eventfd: makes it readable if an interrupt is pending or begun, and otherwise unreadable. */
void hpt_own_fd_follow(const struct hpt_own_fd *o, const struct hpt_eventcount *ec, const _Atomic uint32_t *seen);

/* As the object is freed. */
void hpt_own_fd_close(const struct hpt_own_fd *o);

#endif
