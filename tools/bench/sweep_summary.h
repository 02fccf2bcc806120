/* SPDX-License-Identifier: MIT */
/* Statistics of a sweep, by band and by length. */
#ifndef HPT_BENCH_SWEEP_SUMMARY_H
#define HPT_BENCH_SWEEP_SUMMARY_H

#include <stdbool.h>

/* Fills bands and lengths of a struct hpt_sweep from its whole rounds. False: there is no whole round. */
bool hpt_sweep_summarise(void *sweep);

#endif
