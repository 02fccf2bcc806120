/* SPDX-License-Identifier: MIT */
/* Time bases of a counter that counts nanoseconds, and files of them. */
#ifndef HPT_TEST_TIMEBASE_WORLD_H
#define HPT_TEST_TIMEBASE_WORLD_H

#include <stdio.h>

#include "unit.h"

#include "cli/timebases.h"

/* One at a tick of a generation that begins at `start`: the clock's line shows the tick, and Unix time this. */
static inline struct hpt_timebase_fields timebase_of(uint64_t generation, int64_t start, int64_t tick, int64_t unix_ns)
{
	return (struct hpt_timebase_fields){
		.boot_id = { 1 }, .source = HPT_SOURCE_TSC, .generation = generation, .start = start, .tick = tick,
		.lines = { { tick, 20, { 1, 0 } }, { unix_ns, 30, { 1, 0 } } },
		.offset_ns = unix_ns - tick, .offset_error_ns = 10, .error_ppb = 1000,
	};
}

static inline void write_timebases(const char *path, const struct hpt_timebase_fields *fields, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	for (size_t i = 0; i < n; i++) {
		struct hpt_timebase base;

		assert_int_equal(hpt_timebase_encode(&fields[i], &base), 0);
		assert_int_equal(fwrite(&base, sizeof(base), 1, f), 1);
	}
	assert_int_equal(fclose(f), 0);
}

static inline void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

#endif
