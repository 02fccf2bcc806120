/* SPDX-License-Identifier: MIT */
/* Whether a thread's wakes wait for other threads that run on its CPU, by how late the latest ones were. Pure. */
#ifndef HPT_CONTENTION_H
#define HPT_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

/* Zeros: there were no wakes. Any content is valid, since a signal handler may sleep while a thread writes here. */
struct hpt_contention {
	uint16_t queued; /* the share of the latest wakes that waited in a run queue, in 65536ths; limited */
	uint16_t after;  /* the wakes in time that are missing until slices are as usual */
	bool is_on;
};

/* A thread that is woken later than this waited in the run queue of a busy CPU: idle CPUs take up to 0.3 ms to wake. */
#define HPT_CONTENTION_QUEUED_NS 500000

/* Begins where three wakes of some 128 waited, and ends where fewer than one of 200 did, after at most 260. */
void hpt_contention_note(struct hpt_contention *c, int64_t late_ns);

/* True from its beginning until 2000 wakes after its end came in time. Short slices alone end it, so they stay. */
static inline bool hpt_contention_needs_slice(const struct hpt_contention *c)
{
	return c->is_on || c->after;
}

#endif
