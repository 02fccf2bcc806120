/* SPDX-License-Identifier: MIT */
/* The packets of NTP: RFC 5905, section 7.3, its first 48 bytes. */
#ifndef HPT_NTP_PACKET_H
#define HPT_NTP_PACKET_H

#include <stdint.h>

#include "truth.h"

#define NTP_SIZE      48
#define NTP_ROOT_DISPERSION 8  /* 32 bits, 16 of them fraction */
#define NTP_REFERENCE 12
#define NTP_REFERENCE_TIME 16
#define NTP_ORIGIN    24
#define NTP_RECEIVE   32
#define NTP_TRANSMIT  40

/* Seconds from 1900 to 1970. */
#define NTP_EPOCH_S 2208988800u

static inline void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The fraction is rounded down, by less than a quarter of a nanosecond. */
static inline void put_time(uint8_t *p, int64_t unix_ns)
{
	put32(p, (uint32_t)(unix_ns / NS_PER_S) + NTP_EPOCH_S);
	put32(p + 4, (uint32_t)(((uint64_t)(unix_ns % NS_PER_S) << 32) / (uint64_t)NS_PER_S));
}

/* Rounded down, too. Of the years 1970 to 2036. */
static inline int64_t get_time(const uint8_t *p)
{
	int64_t s = (int64_t)(get32(p) - NTP_EPOCH_S);

	return s * NS_PER_S + (int64_t)(((uint64_t)get32(p + 4) * (uint64_t)NS_PER_S) >> 32);
}

#endif
