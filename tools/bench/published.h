/* SPDX-License-Identifier: MIT */
/* What the HighPerTimer papers published of their machines, see hpt_papers(7): to stand beside what was measured. */
#ifndef HPT_TOOLS_PUBLISHED_H
#define HPT_TOOLS_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/candidates_sleep.h"
#include "bench/sweep.h"

/* A number, and the decimal places that it was printed with. */
struct published_figure {
	double value;
	int places;
};

/* Mean and standard deviation of single reads, ns. */
struct published_read {
	const char *machine, *read;
	struct published_figure mean_ns, stddev_ns;
	bool is_filtered;               /* by the papers' own words */
	uint32_t source;                /* compared with hpt_now() of this HPT_SOURCE_ ... */
	const char *call;               /* ... or with this yardstick, where it is not NULL */
};

extern const struct published_read published_reads[];
extern const unsigned n_published_reads;

/* The mean miss and the CPU time of a way to sleep in a band; 0: not published. */
struct published_sleep {
	int64_t miss_ps, cpu_ppm;
};

/* Of the papers' sweep on a machine of HZ = 1000. */
struct published_sleep published_sleep(unsigned way, enum hpt_band band);

/* True if the plan's lengths are those of that sweep: over others a mean and a share are of something else. */
bool published_is_sweep(const struct sweep_plan *plan);

/* True if the published read is of the kind of this call. */
bool published_is_of(const struct published_read *p, const char *call, uint32_t source);

/* "16.9097", with the places that it was printed with. */
struct published_text { char s[24]; };
struct published_text published_text(const struct published_figure *f);

#endif
