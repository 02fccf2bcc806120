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

/*
 * A thread that is woken later than this waited in the run queue of a busy CPU: idle CPUs take up to 0.3 ms to wake. It
 * is no sign after a longer wait than LONGEST: an idle guest with a busy host woke later than 0.5 ms in 83 of 240 cases
 * after 60 to 250 ms, in 10 of 80 after 31 ms, and in 2 of 240 after 4 to 16 ms.
 */
#define HPT_CONTENTION_QUEUED_NS  500000
#define HPT_CONTENTION_LONGEST_NS 20000000

/* Begins where five wakes of some 256 waited, and ends where fewer than one of 200 did, after at most 600. */
void hpt_contention_note(struct hpt_contention *c, int64_t waited_ns, int64_t late_ns);

/* True from its beginning until 2000 wakes after its end came in time. Short slices alone end it, so they stay. */
static inline bool hpt_contention_needs_slice(const struct hpt_contention *c)
{
	return c->is_on || c->after;
}

#endif
