/* SPDX-License-Identifier: MIT */
/* One self-contained HTML page: the machine, all tables, all plots. */
#ifndef HPT_TOOLS_PAGE_H
#define HPT_TOOLS_PAGE_H

#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/wakes_run.h"
#include "cli/disturbance.h"
#include "info/machine.h"

/* A part that was not measured is NULL. */
struct page {
	bool is_interrupted;            /* the results are those of the rounds measured until then */
	const struct machine *info;
	const struct conditions *conditions;        /* NULL: unknown */
	const struct reads *read;
	const struct sweep *sweep;
	const struct wakes *wakes;
	/* Of read, sweep and wakes; NULL: unknown. */
	const struct disturbance *disturbances[3];
};

void page_write(const struct page *page, FILE *to);

#endif
