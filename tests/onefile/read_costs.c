// SPDX-License-Identifier: MIT
/*
 * read_costs LIBRARY: the time that reads take in this program, which carries the file, and in the shared library
 * beside it, in turns. A row for each function: nanoseconds by the file, by the library, and their ratio; medians of
 * many short loops.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hpt.h"

enum { ROUNDS = 2001, READS = 2000 };

typedef int64_t read_fn(hpt_clock *clk);

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static double cost_ns(read_fn *volatile *read)
{
	read_fn *fn = *read;
	double start = now_ns();

	for (int i = 0; i < READS; i++)
		fn(NULL);
	return (now_ns() - start) / READS;
}

static int compare(const void *one, const void *two)
{
	double a = *(const double *)one, b = *(const double *)two;

	return (a > b) - (a < b);
}

static double median(double *costs)
{
	qsort(costs, ROUNDS, sizeof(*costs), compare);
	return costs[ROUNDS / 2];
}

static void print_row(const char *name, read_fn *file, read_fn *library)
{
	static double by_file[ROUNDS], by_library[ROUNDS];
	read_fn *volatile fns[] = { file, library };

	for (int i = 0; i < ROUNDS; i++) {
		int first = i % 2;

		(first ? by_library : by_file)[i] = cost_ns(&fns[first]);
		(first ? by_file : by_library)[i] = cost_ns(&fns[!first]);
	}
	printf("%-22s %7.2f %7.2f %6.3f\n", name, median(by_file), median(by_library),
	       median(by_file) / median(by_library));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		read_fn *file;
	} rows[] = {
		{ "hpt_now_unordered", hpt_now_unordered }, { "hpt_now", hpt_now }, { "hpt_now_ns", hpt_now_ns },
		{ "hpt_now_ns_unordered", hpt_now_ns_unordered }, { "hpt_now_unix_ns", hpt_now_unix_ns },
	};
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (!library) {
		fprintf(stderr, "read_costs: %s\n", argc == 2 ? dlerror() : "name the library");
		return 2;
	}
	printf("%-22s %7s %7s %6s\n", "ns a read", "file", "library", "ratio");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		read_fn *fn;

		*(void **)&fn = dlsym(library, rows[i].name);
		if (!fn)
			return 2;
		print_row(rows[i].name, rows[i].file, fn);
	}
	return 0;
}
