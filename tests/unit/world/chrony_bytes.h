/* SPDX-License-Identifier: MIT */
/* Words of chronyd's packets, which are big-endian. */
#ifndef HPT_TEST_CHRONY_BYTES_H
#define HPT_TEST_CHRONY_BYTES_H

#include <stdint.h>

static inline void put_16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void put_32(uint8_t *p, uint32_t v)
{
	put_16(p, v >> 16);
	put_16(p + 2, v & 0xffff);
}

#endif
