/* SPDX-License-Identifier: MIT */
/* Shared by all fuzz targets: what must hold, and values taken from the input. */
#ifndef HPT_FUZZ_H
#define HPT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In all builds, unlike assert(). libFuzzer reports an abort with the input that caused it. */
#define MUST(condition) ((condition) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #condition))

static inline __attribute__((noreturn)) void fuzz_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
	abort();
}

struct fuzz_input {
	const uint8_t *at;
	size_t n;
};

/* Takes the next bytes. Bytes after the end are zeros. */
static inline void fuzz_take(struct fuzz_input *in, void *ret, size_t size)
{
	size_t n = size < in->n ? size : in->n;

	memset(ret, 0, size);
	if (n)
		memcpy(ret, in->at, n);
	in->at += n;
	in->n -= n;
}

static inline uint64_t fuzz_u64(struct fuzz_input *in)
{
	uint64_t value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

static inline int64_t fuzz_i64(struct fuzz_input *in)
{
	return (int64_t)fuzz_u64(in);
}

/* A number from least to most. */
static inline uint64_t fuzz_between(struct fuzz_input *in, uint64_t least, uint64_t most)
{
	return least + fuzz_u64(in) % (most - least + 1);
}

/* Takes all that is left as a string, cut to size. It ends at the first NUL. */
static inline void fuzz_text(struct fuzz_input *in, char *ret, size_t size)
{
	fuzz_take(in, ret, size - 1);
	ret[size - 1] = '\0';
}

#endif
