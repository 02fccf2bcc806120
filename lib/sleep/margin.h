/* SPDX-License-Identifier: MIT */
/* A histogram, which forgets, of how late the kernel wakes a thread, and the best margin by it. Pure functions. */
#ifndef HPT_MARGIN_H
#define HPT_MARGIN_H

#include <stdbool.h>
#include <stdint.h>

/* From 1 us to 16 ms eight bins per octave, and one bin below. */
#define HPT_MARGIN_BINS 114

/*
 * Any content is valid, since a signal handler may sleep while the thread that it interrupted writes here. Zeros mean
 * that nothing is learned.
 */
struct hpt_margin {
	uint16_t bins[HPT_MARGIN_BINS]; /* in quarters of a sample, as is the next */
	uint16_t samples; /* those added since the latest halving, and those that it left */
	uint16_t queued;  /* the share of the latest wakes that waited in a run queue, in 65536ths; limited */
};

/* What a sample adds to its bin. Halving would delete a bin with one sample if it added 1. */
#define HPT_MARGIN_SAMPLE 4

/*
 * Adds a wake that was late_ns late. At `window` samples, at most 8192, all counts are halved; on a contended CPU at
 * 128.
 */
void hpt_margin_add(struct hpt_margin *m, int64_t late_ns, uint16_t window);

/* Halves all counts. */
void hpt_margin_forget(struct hpt_margin *m);

/* True if many of the latest wakes waited for a busy CPU. */
bool hpt_margin_is_contended(const struct hpt_margin *m);

/* The number of samples, rounded. */
static inline uint32_t hpt_margin_samples(const struct hpt_margin *m)
{
	return (m->samples + HPT_MARGIN_SAMPLE / 2u) / HPT_MARGIN_SAMPLE;
}

/*
 * Returns the margin, in ns up to cap_ns, that costs least if each wake later than it costs worth_ns, or less where the
 * CPU is contended. With fewer than HPT_MARGIN_ENOUGH samples it is at least guess_ns, unless the cap is lower.
 */
int64_t hpt_margin_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, int64_t guess_ns);

#define HPT_MARGIN_ENOUGH 8

#endif
