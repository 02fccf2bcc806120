/* SPDX-License-Identifier: MIT */
/* What the judge finds about an open source. A clock that is made on the source keeps the most of it. */
#ifndef HPT_FINDINGS_H
#define HPT_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/anchor.h"
#include "clock/verdict.h"

/* Reads timed at load where the 25 % rule does not run: 0.7 us with a TSC, whose two ordered reads share them. */
#define HPT_LOAD_READS 32u

struct hpt_load_reads {
	uint32_t n;                      /* how many of deltas[], from the first on, are of the source's read; or 0 */
	int64_t  deltas[HPT_LOAD_READS]; /* ticks from read to read; the rest of them are of the read not chosen */
};

struct hpt_findings {
	struct hpt_verdict verdict;
	bool is_clocksource;             /* the kernel keeps time with this counter */
	uint8_t order;                   /* HPT_OWN_: the source's ordered read, of a TSC the cheaper one */
	struct hpt_load_reads reads;     /* n 0: none were timed */
	struct hpt_anchor anchor;        /* n 0: none was taken */
	char kernel_clocksource[32];     /* its name, of TSC and ARCH; empty if it cannot be read */
};

#endif
