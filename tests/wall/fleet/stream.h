/* SPDX-License-Identifier: MIT */
/* Random numbers, a stream for each machine: what one does leaves those of the others as they are. */
#ifndef HPT_FLEET_STREAM_H
#define HPT_FLEET_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct stream {
	uint64_t state;
};

/* Steele, Lea and Flood's SplitMix64. */
static inline uint64_t stream_mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t stream_u64(struct stream *s)
{
	s->state += UINT64_C(0x9e3779b97f4a7c15);
	return stream_mix(s->state);
}

static inline int64_t stream_below(struct stream *s, int64_t n)
{
	return (int64_t)(stream_u64(s) % (uint64_t)n);
}

static inline bool stream_one_in(struct stream *s, int64_t n)
{
	return !stream_below(s, n);
}

/* From least to most, both included. */
static inline int64_t stream_between(struct stream *s, int64_t least, int64_t most)
{
	return least + stream_below(s, most - least + 1);
}

/* The same, each factor of two as likely as the next. least is above 0. */
static inline int64_t stream_magnitude(struct stream *s, int64_t least, int64_t most)
{
	int64_t v = least << stream_below(s, 64 - __builtin_clzll((uint64_t)(most / least)));

	v += stream_below(s, v + 1);
	return v < most ? v : most;
}

#endif
