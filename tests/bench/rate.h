/* SPDX-License-Identifier: MIT */
/* A new process's report on its clock's rate: rate_child writes it, bench_rate reads it. */
#ifndef HPT_BENCH_RATE_H
#define HPT_BENCH_RATE_H

#include <stdint.h>

struct rate_report {
	int64_t  age_ns;        /* the library's age at the first conversion; it may be up to load_ns more */
	int64_t  load_ns;       /* the longest that the library's constructor may have taken */
	int64_t  first_ns;      /* the duration of the first conversion */
	uint64_t frequency_uhz; /* from here on as in hpt_clock_info */
	uint32_t frequency_error_ppb;
	uint32_t frequency_origin;
	uint32_t source;
	uint32_t reserved;
};

#endif
