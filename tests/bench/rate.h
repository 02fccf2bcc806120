/* SPDX-License-Identifier: MIT */
/* What a fresh process says of its clock's rate: rate_child writes it, bench_rate reads it. */
#ifndef HPT_BENCH_RATE_H
#define HPT_BENCH_RATE_H

#include <stdint.h>

struct rate_report {
	int64_t  age_ns;        /* the library's at the first conversion: not less, and at most load_ns more */
	int64_t  load_ns;       /* what the library's constructor took at most */
	int64_t  first_ns;      /* what the first conversion took */
	uint64_t frequency_uhz; /* these as in hpt_clock_info */
	uint32_t frequency_error_ppb;
	uint32_t frequency_origin;
	uint32_t source;
	uint32_t reserved;
};

#endif
