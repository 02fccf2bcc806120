// SPDX-License-Identifier: MIT
/*
 * Margins by the newsvendor model of inventory theory, lib/sleep/margin.h: the best margin is the quantile of the
 * lateness at which one more microsecond of spinning costs as much as the late wakes that it avoids.
 */
#include "sleep/margin.h"

#include "arch/arch.h"
#include "math/octave.h"
#include "sleep/policy.h"

/* The histogram's first bin is this one and all before it: up to 1024 ns. */
#define FIRST_BIN 63

/*
 * A thread that is woken later than this waited in the run queue of a busy CPU: idle CPUs take up to 0.3 ms to wake. In
 * the queue it waits for the end of another thread's slice, for milliseconds.
 */
#define QUEUED_NS 500000

/*
 * The CPU is contended while two wakes of some 128 waited in the queue. `queued` is a moving average over QUEUED_PART
 * wakes. It is limited, so that it falls below the threshold within 100 wakes that did not wait there.
 */
#define QUEUED_PART      128
#define QUEUED_STEP      (65536 / QUEUED_PART)
#define QUEUED_MOST      1400
#define QUEUED_CONTENDED 700

/*
 * On a contended CPU a thread pays for about each millisecond of CPU time with a late wake. The scheduler lets a waking
 * thread preempt others until it has used up its share, and then lets it wait. A 1 kHz sleeper beside four busy threads
 * a CPU (Linux 6.18) was more than 0.2 ms late in 1.8 % of its sleeps with 15 us of CPU time each, in 3.0 % with 27 us
 * and in 9.8 % with 88 us.
 */
#define CPU_PER_LATE_NS 1000000

/*
 * The longest margin on a contended CPU, as a multiple of the lateness that a quarter of the wakes do not reach. A wait
 * takes about 0.8 us of CPU time for each us that it ends late (on an EPYC guest 15 us of CPU time and 17 us late where
 * the CPU is busy, 30 and 42 where it idles), so with this margin a sleep takes at most four times as much as a wait
 * until the deadline.
 */
#define CONTENDED_MOST(early_ns) ((early_ns) / 2 * 7)

/* The window on a contended CPU: what was learned from idle CPUs is forgotten soon, and so is this afterwards. */
#define CONTENDED_WINDOW 128

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
	int queued = m->queued - m->queued / QUEUED_PART + (late_ns > QUEUED_NS ? QUEUED_STEP : 0);

	m->queued = (uint16_t)(queued < QUEUED_MOST ? queued : QUEUED_MOST);
	if (hpt_margin_is_contended(m) && window > CONTENDED_WINDOW)
		window = CONTENDED_WINDOW;
	m->bins[bin_of(late_ns)] += HPT_MARGIN_SAMPLE;
	m->samples += HPT_MARGIN_SAMPLE;
	if (m->samples >= window * HPT_MARGIN_SAMPLE)
		hpt_margin_forget(m);
}

bool hpt_margin_is_contended(const struct hpt_margin *m)
{
	return m->queued > QUEUED_CONTENDED;
}

/* Spinning for CPU_PER_LATE_NS costs a late wake, so to avoid one is worth less than that. */
static uint64_t contended_worth_ns(uint64_t worth_ns)
{
	return worth_ns * CPU_PER_LATE_NS / (worth_ns + CPU_PER_LATE_NS);
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

static COLD __attribute__((noinline)) int64_t contended_most_ns(const struct hpt_margin *m, uint32_t samples)
{
	uint32_t i = 0, sooner = m->bins[0];

	while (sooner < samples / 4 && i < HPT_MARGIN_BINS - 1)
		sooner += m->bins[++i];
	return CONTENDED_MOST(edge_ns(i));
}

int64_t hpt_margin_ns(const struct hpt_margin *m, uint64_t worth_ns, int64_t cap_ns, int64_t guess_ns)
{
	uint32_t samples = 0;
	int64_t ns;

	for (uint32_t i = 0; i < HPT_MARGIN_BINS; i++)
		samples += m->bins[i];
	if (hpt_margin_is_contended(m))
		worth_ns = contended_worth_ns(worth_ns);
	ns = cheapest_ns(m, worth_ns, cap_ns, samples);
	ns += ns / 16; /* a bin is up to an eighth wide, so its edge is an estimate */
	if (hpt_margin_is_contended(m)) {
		int64_t most_ns = contended_most_ns(m, samples);

		ns = ns < most_ns ? ns : most_ns;
	}
	if (samples < HPT_MARGIN_ENOUGH * HPT_MARGIN_SAMPLE && ns < guess_ns)
		ns = guess_ns;
	if (ns < HPT_LEAST_WAIT_NS)
		ns = HPT_LEAST_WAIT_NS;
	return ns < cap_ns ? ns : cap_ns;
}
