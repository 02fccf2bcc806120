/* SPDX-License-Identifier: MIT */
/* Statistics of a sweep, by band and by length. */
#ifndef HPT_TOOLS_SWEEP_SUMMARY_H
#define HPT_TOOLS_SWEEP_SUMMARY_H

#include <stdbool.h>

/* Computes bands and lengths of a struct sweep from its complete rounds and lengths. False: nothing is complete. */
bool sweep_summarise(void *sweep);

#endif
