/* SPDX-License-Identifier: MIT */
/* The progress of a conversion, on a terminal. */
#ifndef HPT_TOOLS_TRACE_BAR_H
#define HPT_TOOLS_TRACE_BAR_H

#include <stdint.h>

struct watch {
	const char *what;
	uint64_t total;                 /* bytes; 0: not known, and no bar is shown */
	int64_t start_ns, shown_ns;
};

void watch_start(struct watch *w, const char *what, uint64_t total);

/* Draws the bar, if it was not drawn lately. */
void watch_show(struct watch *w, uint64_t done);

/* Erases it. */
void watch_end(const struct watch *w);

#endif
