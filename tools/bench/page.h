/* SPDX-License-Identifier: MIT */
/* One self-contained HTML page: the machine, all tables, all plots. */
#ifndef HPT_BENCH_PAGE_H
#define HPT_BENCH_PAGE_H

#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/wakes_run.h"
#include "cli/disturbance.h"
#include "info/machine.h"

/* A part that was not measured is NULL. */
struct hpt_page {
	bool is_interrupted;            /* the results are those of the rounds measured until then */
	const struct hpt_machine *info;
	const struct hpt_conditions *conditions;        /* NULL: unknown */
	const struct hpt_reads *read;
	const struct hpt_sweep *sweep;
	const struct hpt_wakes *wakes;
	/* Of read, sweep and wakes; NULL: unknown. */
	const struct hpt_disturbance *disturbances[3];
};

void hpt_page_write(const struct hpt_page *page, FILE *to);

#endif
