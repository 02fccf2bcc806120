/* SPDX-License-Identifier: MIT */
/*
 * Packets of chronyd's protocol of commands, version 6: candm.h of chrony 4.8's sources and of 4.3, which are alike
 * here. Its reports are open to everybody on the same machine.
 */
#ifndef HPT_CHRONY_PACKETS_H
#define HPT_CHRONY_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "wall/band.h"

/* Of each request; no reply is longer. chronyd wants a request to be as long as the reply. */
#define HPT_CHRONY_LENGTH 104

enum hpt_chrony_command { HPT_CHRONY_SOURCE = 15, HPT_CHRONY_TRACKING = 33 };

/* How chronyd's own clock stands. */
struct hpt_chrony_tracking {
	uint32_t ref_id, stratum, leap;
	int64_t ref_ns;
	struct hpt_utc correction, root_delay, interval; /* each is in there */
	int64_t freq_ppb;             /* by which it lets the kernel's clock run slower */
	uint64_t from;                /* the address of the source that it went by last */
};

/* One of its sources. */
struct hpt_chrony_source {
	uint64_t key;                 /* by its address and kind; never 0 */
	uint64_t from;                /* by its address */
	uint32_t state, mode, stratum;
	int32_t poll;                 /* 2^poll seconds from one poll to the next */
	uint32_t family;              /* 1: IPv4, and a reference clock's ID; 2: IPv6 */
	uint8_t ip[16];
	uint32_t reached;             /* which of its last eight polls were answered; 0: none */
	uint32_t since_s;             /* the age of its latest measurement, rounded down; UINT32_MAX: no measurement */
	uint32_t original_bits;       /* of the next member: differs from measurement to measurement */
	struct hpt_utc original, latest; /* how far chronyd's clock was ahead of it: as measured, and since corrected */
	struct hpt_utc error;
};

/* Writes a request; index: of the source. */
void hpt_chrony_request(uint8_t request[HPT_CHRONY_LENGTH], enum hpt_chrony_command command, uint32_t index,
			uint32_t sequence);

/* True for an answer to that request. One to an earlier request, which came late, is not. */
bool hpt_chrony_is_answer(const uint8_t *reply, int length, enum hpt_chrony_command command, uint32_t sequence);

/* HPT_WALL_REASON_NONE, DENIED or FORMAT. *ret is filled in by the first alone. */
uint32_t hpt_chrony_parse_tracking(const uint8_t *reply, int length, struct hpt_chrony_tracking *ret);

/* The same, or HPT_WALL_REASON_ABSENT: there is no such source. */
uint32_t hpt_chrony_parse_source(const uint8_t *reply, int length, struct hpt_chrony_source *ret);

/* True if chronyd has not changed its clock between two replies: they differ by what passes with time alone. */
bool hpt_chrony_is_same_clock(const uint8_t *tracking, const uint8_t *later);

#endif
