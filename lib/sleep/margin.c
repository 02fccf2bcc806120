// SPDX-License-Identifier: MIT
/*
 * Margins by the newsvendor model of inventory theory, lib/sleep/margin.h: the best margin is the quantile of the
 * lateness at which one more microsecond of spinning costs as much as the late wakes that it avoids.
 */
#include "sleep/margin.h"

#include "math/octave.h"
#include "sleep/policy.h"

/* The histogram's first bin is this one and all before it: up to 1024 ns. */
#define FIRST_BIN 63

static uint32_t bin_of(int64_t late_ns)
{
	uint32_t bin = hpt_octave_bin(late_ns > 0 ? (uint64_t)late_ns : 0);

	bin = bin > FIRST_BIN ? bin - FIRST_BIN : 0;
	return bin < HPT_MARGIN_BINS ? bin : HPT_MARGIN_BINS - 1;
}

/* The upper edge of a bin. */
static int64_t edge_ns(uint32_t bin)
{
	return hpt_octave_edge(FIRST_BIN + bin);
}

void hpt_margin_forget(struct hpt_margin *m)
{
	uint32_t samples = 0;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS; i++)
		samples += m->bins[i] /= 2;
	m->samples = (uint16_t)samples;
}

void hpt_margin_add(struct hpt_margin *m, int64_t late_ns, uint16_t window)
{
	m->bins[bin_of(late_ns)] += HPT_MARGIN_SAMPLE;
	m->samples += HPT_MARGIN_SAMPLE;
	if (m->samples >= window * HPT_MARGIN_SAMPLE)
		hpt_margin_forget(m);
}

/*
 * Returns the edge that minimizes margin + worth * (share of wakes later than the margin): a further microsecond is
 * spent only where the late wakes that it avoids are worth more. Rare wakes that are late by milliseconds are not
 * worth it, and do not move the result as they would move a mean and a deviation.
 */
static int64_t cheapest_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, uint32_t samples)
{
	uint64_t later = samples, least = worth_ns * samples; /* no margin: all are late */
	int64_t best_ns = 0;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS && edge_ns(i) <= cap_ns; i++) {
		uint64_t cost;

		if (!m->bins[i])
			continue;
		later -= m->bins[i];
		cost = (uint64_t)edge_ns(i) * samples + worth_ns * later;
		if (cost < least) {
			least = cost;
			best_ns = edge_ns(i);
		}
	}
	return best_ns;
}

int64_t hpt_margin_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, int64_t guess_ns)
{
	uint32_t samples = 0;
	int64_t ns;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS; i++)
		samples += m->bins[i];
	ns = cheapest_ns(m, worth_ns, cap_ns, samples);
	ns += ns / 16; /* a bin is up to an eighth wide, so its edge is an estimate */
	if (samples < HPT_MARGIN_ENOUGH * HPT_MARGIN_SAMPLE && ns < guess_ns)
		ns = guess_ns;
	if (ns < HPT_LEAST_WAIT_NS)
		ns = HPT_LEAST_WAIT_NS;
	return ns < cap_ns ? ns : cap_ns;
}
