// SPDX-License-Identifier: MIT
/*
 * Margins by the newsvendor model of inventory theory, lib/sleep/margin.h: the best margin is the quantile of the
 * lateness at which one more microsecond of spinning costs as much as the late wakes that it avoids. Where wakes follow
 * others that were as late, as on CPUs that halt, the latest ones predict the next: what is counted is how much later
 * than they a wake is.
 */
#include "sleep/margin.h"

#include <stdbool.h>

#include "math/octave.h"
#include "sleep/contention.h"

/* The bin of wakes as late as the level. */
#define LEVEL_BIN 48

/* Earlier wakes count as late by this. */
#define EARLIEST_NS 1024

/* No edge is later than this, 17 s, whatever the level is. */
#define LATEST_PLACE 4095

/* The place of 2^63 is below this: another level is of a struct that is being written. */
#define LEVEL_HIGHEST 8191

/*
 * The level moves by this part of how far a wake is from it, and counts no wake for more than twice, or less than half,
 * as late.
 */
#define LEVEL_UNIT  64
#define LEVEL_PART  8
#define LEVEL_MOST  (8 * HPT_OCTAVE_PLACES)

/*
 * Where wakes do not follow others like them the level moves by this part, so that it is a mean. They do if 60 of 100
 * are on the same side of the level as the one before: an average over ALIKE_PART wakes, in 1024ths. A wake within
 * NEITHER places of the level is on neither side.
 * Replayed on wakes of idle CPUs that halt (a Xeon guest), at 33 us of spinning a sleep, 3.0 % were late, and 4.0 %
 * without a level; of a guest's wakes that are 28 and 55 us late by turns of some 60, 0.9 and 1.7 % at 25 to 31 us.
 * Where wakes are not alike, as on CPUs that do not halt, it is all the same, also if each second one is of another
 * kind: always by LEVEL_PART those would be late in 14 % of sleeps and not in 10 %.
 */
#define MEAN_PART  64
#define ALIKE_PART 32
#define ALIKE_FROM 205
#define NEITHER    4

/*
 * The CPU time of a wait, by the lateness that a quarter of the wakes do not reach: 13 us at 13 us late and 21 to 30 at
 * 27 (an EPYC guest with CPUs that do not halt, and that do), 17 us at 20 and 27 at 38 (a Xeon guest).
 */
#define WAIT_CPU_NS(early_ns) (4000 + (early_ns) / 20 * 13)

static uint32_t place_of(int64_t late_ns)
{
	return hpt_octave_place(late_ns > EARLIEST_NS ? (uint64_t)late_ns : EARLIEST_NS);
}

/* In places. */
static int32_t level_of(const struct hpt_margin *m)
{
	return (int32_t)(m->level / LEVEL_UNIT % (LEVEL_HIGHEST + 1));
}

static uint32_t bin_of(const struct hpt_margin *m, uint32_t place)
{
	int32_t bin = (int32_t)place - level_of(m) + LEVEL_BIN * HPT_OCTAVE_PLACES;

	bin = bin > 0 ? bin / HPT_OCTAVE_PLACES : 0;
	return bin < HPT_MARGIN_BINS ? (uint32_t)bin : HPT_MARGIN_BINS - 1;
}

/* The upper edge of a bin. */
static int64_t edge_ns(const struct hpt_margin *m, uint32_t bin)
{
	int32_t place = level_of(m) + ((int32_t)bin + 1 - LEVEL_BIN) * HPT_OCTAVE_PLACES;
	int32_t first = (int32_t)hpt_octave_place(EARLIEST_NS);

	return hpt_octave_at((uint32_t)(place < first ? first : place < LATEST_PLACE ? place : LATEST_PLACE));
}

void hpt_margin_forget(struct hpt_margin *m)
{
	uint32_t samples = 0;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS; i++)
		samples += m->bins[i] /= 2;
	m->samples = (uint16_t)samples;
}

static int32_t limit(int32_t x, int32_t most)
{
	return x > most ? most : x < -most ? -most : x;
}

/* Of the latest wakes' places: more alike, or less so. */
static bool note_alike(struct hpt_margin *m, int32_t farther)
{
	int side = (farther > NEITHER) - (farther < -NEITHER), before = (m->side > 0) - (m->side < 0);

	m->alike = (int16_t)(m->alike + (1024 * side * before - m->alike) / ALIKE_PART);
	m->side = (int8_t)side;
	return m->alike > ALIKE_FROM;
}

static void move_level(struct hpt_margin *m, uint32_t place)
{
	int32_t farther = (int32_t)place - level_of(m);
	int32_t part = note_alike(m, farther) ? LEVEL_PART : MEAN_PART;

	m->level = (uint32_t)((int32_t)m->level + limit(farther, LEVEL_MOST) * LEVEL_UNIT / part);
}

void hpt_margin_add(struct hpt_margin *m, int64_t late_ns, uint16_t window)
{
	uint32_t place = place_of(late_ns);

	if (!m->samples)
		m->level = place * LEVEL_UNIT;
	m->bins[bin_of(m, place)] += HPT_MARGIN_SAMPLE;
	m->samples += HPT_MARGIN_SAMPLE;
	/* A wake that waited for another thread or another guest predicts nothing about the next one. */
	if (late_ns < HPT_CONTENTION_QUEUED_NS)
		move_level(m, place);
	if (m->samples >= window * HPT_MARGIN_SAMPLE)
		hpt_margin_forget(m);
}

/*
 * Returns the edge that minimizes margin + worth * (share of wakes later than the margin): a further microsecond is
 * spent only where the late wakes that it avoids are worth more. Rare wakes that are late by milliseconds are not
 * worth it, and do not move the result as they would move a mean and a deviation. The last bin has no upper edge.
 */
static int64_t cheapest_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, uint32_t samples)
{
	uint64_t later = samples, least = worth_ns * samples; /* no margin: all are late */
	int64_t best_ns = 0;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS - 1 && edge_ns(m, i) <= cap_ns; i++) {
		uint64_t cost;

		if (!m->bins[i])
			continue;
		later -= m->bins[i];
		cost = (uint64_t)edge_ns(m, i) * samples + worth_ns * later;
		if (cost < least) {
			least = cost;
			best_ns = edge_ns(m, i);
		}
	}
	return best_ns;
}

/* The lateness that a quarter of the wakes do not reach. */
static int64_t early_ns(const struct hpt_margin *m, uint32_t samples)
{
	uint32_t i = 0, sooner = m->bins[0];

	while (sooner < samples / 4 && i < HPT_MARGIN_BINS - 1)
		sooner += m->bins[++i];
	return edge_ns(m, i);
}

/* The margin at which a wake that is early spins as long as it may. */
static int64_t most_ns(const struct hpt_margin *m, uint32_t spin_percent, uint32_t samples)
{
	int64_t early = early_ns(m, samples);

	return spin_percent ? early + WAIT_CPU_NS(early) * spin_percent / 100 : INT64_MAX;
}

int64_t hpt_margin_ns(const struct hpt_margin *m, struct hpt_price price, int64_t cap_ns, int64_t guess_ns)
{
	uint32_t samples = 0;
	int64_t ns;

	if (!cap_ns)
		return 0;
	for (uint32_t i = 0; i < HPT_MARGIN_BINS; i++)
		samples += m->bins[i];
	ns = cheapest_ns(m, price.worth_ns, cap_ns, samples);
	ns += ns / 16; /* a bin is up to an eighth wide, so its edge is an estimate */
	if (samples < HPT_MARGIN_ENOUGH * HPT_MARGIN_SAMPLE) {
		if (ns < guess_ns)
			ns = guess_ns;
	} else {
		int64_t most = most_ns(m, price.spin_percent, samples);

		ns = ns < most ? ns : most;
	}
	if (ns < HPT_LEAST_WAIT_NS)
		ns = HPT_LEAST_WAIT_NS;
	return ns < cap_ns ? ns : cap_ns;
}
