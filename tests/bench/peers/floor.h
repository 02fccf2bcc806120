/* SPDX-License-Identifier: MIT */
/* These are called in the same way as the library's own reads: see HPT_API_READ. */
#ifndef HPT_BENCH_FLOOR_H
#define HPT_BENCH_FLOOR_H

#include <stdint.h>

#include <hpt/hpt.h>

HPT_API HPT_NOPLT uint64_t hpt_bench_rdtsc(void);
HPT_API HPT_NOPLT uint64_t hpt_bench_rdtscp(void);

#endif
