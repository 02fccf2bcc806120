/* SPDX-License-Identifier: MIT */
/* The cost of loading libraries: whole lives of programs that do nothing, without a library and with it. */
#ifndef HPT_BENCH_LOADS_H
#define HPT_BENCH_LOADS_H

#include <stdbool.h>

struct bench_loaded {
	const char *library;
	char *without, *with; /* programs */
};

/* Starts all programs in a new random order in each round. Returns false if one failed. */
bool bench_compare_loads(const struct bench_loaded *of, unsigned n, unsigned rounds);

#endif
