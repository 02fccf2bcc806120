/* SPDX-License-Identifier: MIT */
/*
 * The shared memory of a daemon that states time, read as the file that it is. It is never mapped: a daemon that
 * truncates its file would raise SIGBUS in each program that has it mapped.
 */
#ifndef HPT_SHARED_MEMORY_H
#define HPT_SHARED_MEMORY_H

#include <stddef.h>
#include <string.h>

#include "wall/wall_source.h"

/* The most bytes that one reading takes. */
#define HPT_SHARED_MEMORY_MAX 128

/* True if the daemon was not writing as these bytes were read, or if they are none of its own. */
typedef bool hpt_is_settled_fn(const unsigned char *bytes, size_t n);

/*
 * Reads up to `size` bytes until two readings in a row are alike and settled, and sets *ret_n to their number. Returns
 * HPT_WALL_REASON_.
 */
uint32_t hpt_shared_memory_read(struct hpt_wall_ask *ask, const char *path, size_t size, hpt_is_settled_fn *is_settled,
				unsigned char *ret, size_t *ret_n);

/* Integers in the machine's own byte order, as daemons write them. */
static inline uint16_t hpt_shared_u16(const unsigned char *bytes)
{
	uint16_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

static inline uint32_t hpt_shared_u32(const unsigned char *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

static inline uint64_t hpt_shared_u64(const unsigned char *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

#endif
