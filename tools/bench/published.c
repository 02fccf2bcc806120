// SPDX-License-Identifier: MIT
/* The published numbers, and which of the measured ones each is compared with: tools/bench/published.h. */
#include "bench/published.h"

#include <stdio.h>
#include <string.h>

#include "hpt/hpt.h"

#include "bench/candidates_sleep.h"
#include "bench/sweep.h"

#define NANO   "VIA Nano X2"
#define ATHLON "AMD Athlon X2"
#define CORE   "Intel Core i7-2600"

/*
 * The papers' tables 1 to 3, and tables 2.1 to 2.3 and 3.2 of the thesis, of the last two the HPET and the OS timer, in
 * tenths.
 */
const struct published_read published_reads[] = {
	{ NANO, "TSC", { 38.231, 3 }, { 0.3134, 4 }, true, HPT_SOURCE_TSC, NULL },
	{ NANO, "HPET", { 598.72, 2 }, { 76.015, 3 }, true, HPT_SOURCE_HPET, NULL },
	{ NANO, "OS", { 102.20, 2 }, { 0.5253, 4 }, true, HPT_SOURCE_OS, NULL },
	{ ATHLON, "TSC", { 25.1, 1 }, { 1.5, 1 }, true, HPT_SOURCE_TSC, NULL },
	{ ATHLON, "HPET", { 1063.3, 1 }, { 207.9, 1 }, true, HPT_SOURCE_HPET, NULL },
	{ ATHLON, "OS", { 1117.4, 1 }, { 374.3, 1 }, true, HPT_SOURCE_OS, NULL },
	{ ATHLON, "HPET", { 1112.5, 1 }, { 307.3, 1 }, false, HPT_SOURCE_HPET, NULL },
	{ ATHLON, "OS", { 1129.4, 1 }, { 358.2, 1 }, false, HPT_SOURCE_OS, NULL },
	{ ATHLON, "HPET", { 1117.9, 1 }, { 376.4, 1 }, false, HPT_SOURCE_HPET, NULL },
	{ ATHLON, "OS", { 1142.3, 1 }, { 529.2, 1 }, false, HPT_SOURCE_OS, NULL },
	{ CORE, "TSC", { 16.941, 3 }, { 0.1231, 4 }, true, HPT_SOURCE_TSC, NULL },
	{ CORE, "RDTSC", { 10.2031, 4 }, { 20.9812, 4 }, false, 0, "rdtsc" },
	{ CORE, "RDTSCP", { 16.9097, 4 }, { 21.8443, 4 }, false, 0, "rdtscp" },
	{ CORE, "clock_gettime(REALTIME)", { 31.232, 3 }, { 45.056, 3 }, false, 0, "clock_gettime(REALTIME)" },
	{ CORE, "clock_gettime(MONOTONIC)", { 34.119, 3 }, { 53.927, 3 }, false, 0, "clock_gettime(MONOTONIC)" },
};

const unsigned n_published_reads = sizeof(published_reads) / sizeof(published_reads[0]);

/* Table 2 of the project's page, and the CPU time that the thesis gives in chapter 5. */
static const struct published_sleep sleeps[CANDIDATES][BANDS] = {
	[CANDIDATE_NANO] = {
		[BAND_ALL] = { 0, 160 }, [BAND_LONG] = { 61985000, 0 }, [BAND_SHORT] = { 50879000, 0 },
	},
	[CANDIDATE_BUSY] = {
		[BAND_ALL] = { 0, 996810 }, [BAND_LONG] = { 160000, 0 }, [BAND_SHORT] = { 70000, 0 },
	},
	[CANDIDATE_PAPERS] = {
		[BAND_ALL] = { 0, 18920 }, [BAND_LONG] = { 258000, 15040 }, [BAND_SHORT] = { 95000, 983200 },
	},
};

struct published_sleep published_sleep(unsigned way, enum hpt_band band)
{
	return way < CANDIDATES ? sleeps[way][band] : (struct published_sleep){ 0 };
}

bool published_is_sweep(const struct sweep_plan *plan)
{
	return plan->longest_ns == SWEEP_LONGEST_NS && plan->shortest_ns == SWEEP_SHORTEST_NS &&
	       plan->step == SWEEP_STEP;
}

bool published_is_of(const struct published_read *p, const char *call, uint32_t source)
{
	if (p->call)
		return !strcmp(p->call, call);
	return p->source == source && !strncmp(call, "hpt_now(", strlen("hpt_now("));
}

struct published_text published_text(const struct published_figure *f)
{
	struct published_text ret;

	snprintf(ret.s, sizeof(ret.s), "%.*f", f->places, f->value);
	return ret;
}
