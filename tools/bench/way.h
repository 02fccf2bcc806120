/* SPDX-License-Identifier: MIT */
/* The ways to sleep that are compared. */
#ifndef HPT_BENCH_WAY_H
#define HPT_BENCH_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

struct hpt_sweep_sample;

struct hpt_nap {
	hpt_clock *clk;                 /* of the stopwatch */
	int64_t ns, ticks;              /* the length */
	int64_t kernel_tick_ns;
};

struct hpt_way {
	const char *name;               /* "hpt_sleep_until" ... */
	bool is_ours;
	unsigned long slack_ns;         /* timer slack to set; 0: the thread's own */
	/* Fills before, target, entered, left, after. 0, or HPT_STATE_ that our sleep returned. */
	int (*sleep)(const struct hpt_nap *nap, struct hpt_sweep_sample *ret);
};

enum { HPT_WAY_UNTIL, HPT_WAY_FOR, HPT_WAY_PAPERS, HPT_WAY_NANO, HPT_WAY_ABSOLUTE, HPT_WAY_BUSY, HPT_WAYS };

extern const struct hpt_way hpt_ways[HPT_WAYS];

#endif
