/* SPDX-License-Identifier: MIT */
/* A histogram, which forgets, of how much later than of late a thread wakes, and the best margin by it. Pure. */
#ifndef HPT_MARGIN_H
#define HPT_MARGIN_H

#include <stdint.h>

#include "sleep/policy.h"

/*
 * Eight bins per octave: wakes that are late by 1/64 of the level to 256 times of it, and in the first and the last bin
 * all others.
 */
#define HPT_MARGIN_BINS 114

/*
 * Any content is valid, since a signal handler may sleep while the thread that it interrupted writes here. Zeros mean
 * that nothing is learned.
 */
struct hpt_margin {
	uint16_t bins[HPT_MARGIN_BINS]; /* in quarters of a sample, as is the next */
	uint16_t samples; /* those added since the latest halving, and those that it left */
	uint32_t level;   /* how late the latest wakes were, a moving average: 64ths of a place of math/octave.h */
	int16_t alike;    /* by how much more often a wake was on the same side of the level as the one before it ... */
	int8_t side;      /* ... which was later (1), earlier (-1) or neither (0) */
};

/* What a sample adds to its bin. Halving would delete a bin with one sample if it added 1. */
#define HPT_MARGIN_SAMPLE 4

/* Adds a wake that was late_ns late. At `window` samples, at most 8192, all counts are halved. */
void hpt_margin_add(struct hpt_margin *m, int64_t late_ns, uint16_t window);

/* Halves all counts. */
void hpt_margin_forget(struct hpt_margin *m);

/* The number of samples, rounded. */
static inline uint32_t hpt_margin_samples(const struct hpt_margin *m)
{
	return (m->samples + HPT_MARGIN_SAMPLE / 2u) / HPT_MARGIN_SAMPLE;
}

/*
 * Returns the margin, in ns up to cap_ns, that costs least at that price. With fewer than HPT_MARGIN_ENOUGH samples it
 * is at least guess_ns, unless the cap is lower.
 */
int64_t hpt_margin_ns(const struct hpt_margin *m, struct hpt_price price, int64_t cap_ns, int64_t guess_ns);

#define HPT_MARGIN_ENOUGH 8

#endif
