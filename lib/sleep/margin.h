/* SPDX-License-Identifier: MIT */
/* How late the kernel wakes a thread, as a histogram that forgets, and the margin that this asks for: pure. */
#ifndef HPT_MARGIN_H
#define HPT_MARGIN_H

#include <stdint.h>

/* 1 us to 16 ms, eight bins an octave, and one below. */
#define HPT_MARGIN_BINS 114

/*
 * Any content is a valid one, zeros are "nothing learned": a signal handler may sleep while the thread below it
 * is writing here.
 */
struct hpt_margin {
	uint16_t bins[HPT_MARGIN_BINS];
	uint16_t samples; /* since half of all was last forgotten, and what was left then */
};

/* Takes up that a wake was so late. At `window` samples all counts are halved. */
void hpt_margin_add(struct hpt_margin *m, int64_t late_ns, uint16_t window);

/* Halves all counts. */
void hpt_margin_forget(struct hpt_margin *m);

/*
 * The margin up to cap_ns that costs least, if a wake behind it costs worth_ns. From fewer than HPT_MARGIN_ENOUGH
 * samples never less than guess_ns, but for the cap.
 */
int64_t hpt_margin_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, int64_t guess_ns);

#define HPT_MARGIN_ENOUGH 8

#endif
