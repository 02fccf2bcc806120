/* SPDX-License-Identifier: MIT */
/* Moments a rational number of nanoseconds apart, without drift. Pure arithmetic. */
#ifndef HPT_CADENCE_H
#define HPT_CADENCE_H

#include <stdbool.h>
#include <stdint.h>

/* The distance of two beats: whole_ns + num / den ns, where num < den. Zero: there is one beat alone. */
struct hpt_cadence {
	uint64_t whole_ns; /* below 2^63; INT64_MAX: for ever */
	uint32_t num, den;
};

/* A moment: ns + num / den, with the den of its cadence. */
struct hpt_beat {
	int64_t ns;
	uint32_t num;
};

/* period_ns >= 0. */
struct hpt_cadence hpt_cadence_of_ns(int64_t period_ns);

/* num / den seconds; neither is 0. */
struct hpt_cadence hpt_cadence_of_seconds(uint32_t num, uint32_t den);

static inline bool hpt_cadence_is_once(struct hpt_cadence c)
{
	return !c.whole_ns && !c.num;
}

/* The beat in whole nanoseconds, rounded up. */
static inline int64_t hpt_beat_ns(struct hpt_beat b)
{
	return b.ns + (b.num != 0);
}

/* n periods after b. Saturates at INT64_MAX ns. */
struct hpt_beat hpt_cadence_later(struct hpt_cadence c, struct hpt_beat b, uint64_t n);

/* How many beats after b are due at now_ns. Saturates; 0 if b is not due, or if there is one beat alone. */
uint64_t hpt_cadence_due(struct hpt_cadence c, struct hpt_beat b, int64_t now_ns);

#endif
