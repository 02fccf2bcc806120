/* SPDX-License-Identifier: MIT */
/* Statistics of a sweep, by band and by length. */
#ifndef HPT_BENCH_SWEEP_SUMMARY_H
#define HPT_BENCH_SWEEP_SUMMARY_H

#include <stdbool.h>

/* Computes bands and lengths of a struct hpt_sweep from its complete rounds and lengths. False: nothing is complete. */
bool hpt_sweep_summarise(void *sweep);

#endif
