// SPDX-License-Identifier: MIT
/* Requests to chronyd and its replies: lib/wall/chrony_packets.h. */
#include "wall/chrony_packets.h"

#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "wall/wall_source.h"

/* candm.h: CMD_Request and CMD_Reply, of big-endian words. A request is padded to the length of its reply. */
enum { VERSION = 0, TYPE = 1, COMMAND = 4 };
enum { REQUEST_SEQUENCE = 8, REQUEST_INDEX = 20 };
enum { REPLY = 6, STATUS = 8, REPLY_SEQUENCE = 16, REPLY_HEADER = 28 };

/* candm.h: RPY_Tracking, after the header. */
enum { REF_ID = 28, REF_ADDRESS = 32, STRATUM = 52, LEAP = 54, REF_TIME = 56, CORRECTION = 68, LAST_OFFSET = 72,
       FREQ_PPM = 80, ROOT_DELAY = 92, ROOT_DISPERSION = 96, UPDATE_INTERVAL = 100, TRACKING_LENGTH = 104 };

/* candm.h: RPY_Source_Data. */
enum { ADDRESS = 28, POLL = 48, SOURCE_STRATUM = 50, STATE = 52, MODE = 54, REACHED = 58, SINCE = 60, ORIGINAL = 64,
       LATEST = 68, ERROR = 72, SOURCE_LENGTH = 76 };

enum { PROTOCOL = 6, IS_REQUEST = 1, IS_REPLY = 2, TELL_SOURCE = 3, TELL_TRACKING = 5 };
enum { STATUS_SUCCESS = 0, STATUS_UNAUTH = 2, STATUS_NO_SUCH_SOURCE = 4, STATUS_NO_HOST_ACCESS = 10 };

static uint32_t get_16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t get_32(const uint8_t *p)
{
	return get_16(p) << 16 | get_16(p + 2);
}

static void put_16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put_32(uint8_t *p, uint32_t v)
{
	put_16(p, v >> 16);
	put_16(p + 2, v);
}

/* v * 2^exponent, rounded down; far out of range: +-INT64_MAX. |v| < 2^55. */
static COLD int64_t scaled_down(int64_t v, int exponent)
{
	if (exponent > 8)
		return v < 0 ? -INT64_MAX : INT64_MAX;
	if (exponent >= 0)
		return v * (INT64_C(1) << exponent);
	return v >> (exponent < -62 ? 62 : -exponent);
}

/*
 * util.c: UTI_FloatNetworkToHost(): a signed exponent of 7 bits, a signed coefficient of 25, in seconds. The sender
 * rounds by less than one unit of the coefficient; 0 it states exactly.
 */
static COLD struct hpt_utc get_seconds(const uint8_t *p)
{
	uint32_t x = get_32(p);
	int exponent = (int)(x >> 25) - (x >> 31 ? 128 : 0) - 25;
	int64_t coefficient = (int64_t)(x & 0x1ffffff) - (x >> 24 & 1 ? 0x2000000 : 0);

	if (!coefficient)
		return (struct hpt_utc){ 0, 0 };
	return (struct hpt_utc){ scaled_down((coefficient - 1) * NS_PER_S, exponent),
				 -scaled_down(-(coefficient + 1) * NS_PER_S, exponent) };
}

/* A share in 10^-6, as the same float, rounded to 10^-9. */
static COLD int64_t get_ppb(const uint8_t *p)
{
	struct hpt_utc femto = get_seconds(p); /* 10^-6 * 10^-9 */

	return (femto.lo_ns / 2 + femto.hi_ns / 2) / PPM;
}

/* util.c: UTI_TimespecNetworkToHost(). -1: beyond the years of walls. */
static COLD int64_t get_time(const uint8_t *p)
{
	uint64_t high = get_32(p), s = get_32(p + 4), ns = get_32(p + 8);

	if (high != 0x7fffffff)
		s |= high << 32;
	if (s > (uint64_t)(HPT_WALL_MOST_NS / NS_PER_S))
		return -1;
	return (int64_t)s * NS_PER_S + (int64_t)(ns < NS_PER_S ? ns : NS_PER_S - 1);
}

/* addressing.h: of the union's 16 bytes an IPv4 address has the first four. After two more bytes there is no more. */
enum { ADDRESS_FAMILY = 16, ADDRESS_LENGTH = 18, FAMILY_NONE = 0, FAMILY_IPV4 = 1 };

/* FNV-1a, 64 bits. That two sources have the same key costs accuracy at most. */
static COLD uint64_t hashed(uint64_t hash, const uint8_t *bytes, int n)
{
	for (int i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static COLD uint64_t key_of(const uint8_t address[ADDRESS_LENGTH])
{
	return hashed(UINT64_C(0xcbf29ce484222325), address, ADDRESS_LENGTH);
}

/* A reference clock has no address: as a source it is called by its ID, as an IPv4 address. */
static COLD uint64_t get_reference(const uint8_t *tracking)
{
	uint8_t by_id[ADDRESS_LENGTH] = { 0 };

	if (get_16(tracking + REF_ADDRESS + ADDRESS_FAMILY) != FAMILY_NONE)
		return key_of(tracking + REF_ADDRESS);
	memcpy(by_id, tracking + REF_ID, 4);
	put_16(by_id + ADDRESS_FAMILY, FAMILY_IPV4);
	return key_of(by_id);
}

static COLD uint64_t get_key(const uint8_t *source)
{
	uint64_t key = hashed(key_of(source + ADDRESS), source + MODE, 2);

	return key ? key : 1;
}

COLD void hpt_chrony_request(uint8_t request[HPT_CHRONY_LENGTH], enum hpt_chrony_command command, uint32_t index,
			     uint32_t sequence)
{
	memset(request, 0, HPT_CHRONY_LENGTH);
	request[VERSION] = PROTOCOL;
	request[TYPE] = IS_REQUEST;
	put_16(request + COMMAND, command);
	put_32(request + REQUEST_SEQUENCE, sequence);
	put_32(request + REQUEST_INDEX, index);
}

COLD bool hpt_chrony_is_answer(const uint8_t *reply, int length, enum hpt_chrony_command command, uint32_t sequence)
{
	return length >= REPLY_HEADER && reply[TYPE] == IS_REPLY && !reply[2] && !reply[3] &&
	       get_16(reply + COMMAND) == (uint32_t)command && get_32(reply + REPLY_SEQUENCE) == sequence;
}

/* Is it that reply, of that length? */
static COLD uint32_t check_reply(const uint8_t *reply, int length, uint32_t tells, int expected)
{
	uint32_t status = get_16(reply + STATUS);

	if (status == STATUS_UNAUTH || status == STATUS_NO_HOST_ACCESS)
		return HPT_WALL_REASON_DENIED;
	if (reply[VERSION] != PROTOCOL || status != STATUS_SUCCESS || get_16(reply + REPLY) != tells ||
	    length != expected)
		return HPT_WALL_REASON_FORMAT;
	return HPT_WALL_REASON_NONE;
}

COLD uint32_t hpt_chrony_parse_tracking(const uint8_t *reply, int length, struct hpt_chrony_tracking *ret)
{
	uint32_t reason = check_reply(reply, length, TELL_TRACKING, TRACKING_LENGTH);

	if (reason)
		return reason;
	*ret = (struct hpt_chrony_tracking){
		.ref_id = get_32(reply + REF_ID),
		.stratum = get_16(reply + STRATUM),
		.leap = get_16(reply + LEAP),
		.ref_ns = get_time(reply + REF_TIME),
		.correction = get_seconds(reply + CORRECTION),
		.root_delay = get_seconds(reply + ROOT_DELAY),
		.interval = get_seconds(reply + UPDATE_INTERVAL),
		.freq_ppb = get_ppb(reply + FREQ_PPM),
		.from = get_reference(reply),
	};
	return HPT_WALL_REASON_NONE;
}

COLD uint32_t hpt_chrony_parse_source(const uint8_t *reply, int length, struct hpt_chrony_source *ret)
{
	uint32_t reason = check_reply(reply, length, TELL_SOURCE, SOURCE_LENGTH);

	if (reply[VERSION] == PROTOCOL && get_16(reply + STATUS) == STATUS_NO_SUCH_SOURCE)
		return HPT_WALL_REASON_ABSENT;
	if (reason)
		return reason;
	*ret = (struct hpt_chrony_source){
		.key = get_key(reply),
		.from = key_of(reply + ADDRESS),
		.state = get_16(reply + STATE),
		.mode = get_16(reply + MODE),
		.stratum = get_16(reply + SOURCE_STRATUM),
		.poll = (int16_t)get_16(reply + POLL),
		.family = get_16(reply + ADDRESS + ADDRESS_FAMILY),
		.reached = get_16(reply + REACHED),
		.since_s = get_32(reply + SINCE),
		.original_bits = get_32(reply + ORIGINAL),
		.original = get_seconds(reply + ORIGINAL),
		.latest = get_seconds(reply + LATEST),
		.error = get_seconds(reply + ERROR),
	};
	memcpy(ret->ip, reply + ADDRESS, sizeof(ret->ip));
	return HPT_WALL_REASON_NONE;
}

COLD bool hpt_chrony_is_same_clock(const uint8_t *tracking, const uint8_t *later)
{
	return !memcmp(tracking + REF_ID, later + REF_ID, CORRECTION - REF_ID) &&
	       !memcmp(tracking + LAST_OFFSET, later + LAST_OFFSET, ROOT_DISPERSION - LAST_OFFSET);
}
