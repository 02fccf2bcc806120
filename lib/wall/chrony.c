// SPDX-License-Identifier: MIT
/*
 * The source CHRONY: asks chronyd how far CLOCK_REALTIME is off UTC, and how sure that is. Written against chrony 4.8's
 * sources and 4.3, whose protocol of commands is version 6: candm.h has the packets, and client.c the question, in
 * process_cmd_tracking().
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/datagram.h"
#include "wall/realtime.h"
#include "wall/wall_source.h"

#define DEFAULT_ADDRESS "127.0.0.1:323" /* cmdmon.c: by default it listens there, also to users without privileges */

/* candm.h: CMD_Request and CMD_Reply, of big-endian words. A request is padded to the length of its reply. */
enum { VERSION = 0, TYPE = 1, COMMAND = 4, LENGTH = 104 };
enum { REQUEST_SEQUENCE = 8 };
enum { REPLY = 6, STATUS = 8, REPLY_SEQUENCE = 16, REPLY_HEADER = 28 };

/* candm.h: RPY_Tracking, after the header. */
enum { REF_ID = 28, STRATUM = 52, LEAP = 54, REF_TIME = 56, CORRECTION = 68, ROOT_DELAY = 92, ROOT_DISPERSION = 96,
       UPDATE_INTERVAL = 100 };

enum { PROTOCOL = 6, IS_REQUEST = 1, IS_REPLY = 2, ASK_TRACKING = 33, TELL_TRACKING = 5 };
enum { STATUS_SUCCESS = 0, STATUS_UNAUTH = 2, STATUS_NO_HOST_ACCESS = 10 };

/* ntp.h: what chronyd calls its own clock, of "local stratum": it then states an error of 0, whatever the truth is. */
#define REF_LOCAL 0x7f7f0101u

enum { LEAP_NORMAL, LEAP_INSERT, LEAP_DELETE, LEAP_UNSYNCHRONISED };

#define STRATUM_MAX 16 /* stands for not synchronised */

/* NTP's MAXDISP and MAXDIST: no clock that is synchronised is farther off. */
#define ERROR_MOST_NS (16 * NS_PER_S)

/* chronyd answers within 0.1 ms; twice more for datagrams that are lost. Together less than 0.1 s, with late wakes. */
static const int64_t timeouts_ns[] = { 20000000, 30000000, 45000000 };

/* After eight intervals between updates without one its servers are silent. Before the second update: after 60 s. */
#define INTERVALS_SILENT  8
#define FIRST_INTERVAL_NS (60 * NS_PER_S / INTERVALS_SILENT)
#define INTERVAL_MOST_NS  (86400 * NS_PER_S) /* by default at most 1024 s (maxpoll 10) */

/*
 * chronyd is not notified when another program sets CLOCK_REALTIME: until its regression has dropped the samples from
 * before the step, its statements are wrong. Seen with chronyd 4.3 in emulated PCs: for six intervals after a step, and
 * for 5 s after a suspend whose length the kernel misjudged. While its server is not reached that takes longer: the
 * record counts its updates, too.
 */
#define INTERVALS_SETTLE 8

/* reference.c: fuzz_ref_time() puts the latest update up to a second too early. */
#define FUZZ_NS NS_PER_S

struct tracking {
	uint32_t ref_id, stratum, leap;
	int64_t ref_ns;
	struct hpt_utc correction, delay, dispersion, interval; /* each is in there */
};

/* ---- Packets ------------------------------------------------------------------------------------------------ */

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

static COLD void make_request(uint8_t request[LENGTH], uint32_t sequence)
{
	memset(request, 0, LENGTH);
	request[VERSION] = PROTOCOL;
	request[TYPE] = IS_REQUEST;
	put_16(request + COMMAND, ASK_TRACKING);
	put_32(request + REQUEST_SEQUENCE, sequence);
}

/* Is it an answer to this request? One to an earlier request, which came late, is not. */
static COLD bool is_answer(const uint8_t *reply, int length, uint32_t sequence)
{
	return length >= REPLY_HEADER && reply[TYPE] == IS_REPLY && !reply[2] && !reply[3] &&
	       get_16(reply + COMMAND) == ASK_TRACKING && get_32(reply + REPLY_SEQUENCE) == sequence;
}

static COLD uint32_t parse(const uint8_t *reply, int length, struct tracking *ret)
{
	uint32_t status = get_16(reply + STATUS);

	if (status == STATUS_UNAUTH || status == STATUS_NO_HOST_ACCESS)
		return HPT_WALL_REASON_DENIED;
	if (reply[VERSION] != PROTOCOL || status != STATUS_SUCCESS || get_16(reply + REPLY) != TELL_TRACKING ||
	    length != LENGTH)
		return HPT_WALL_REASON_FORMAT;
	*ret = (struct tracking){
		.ref_id = get_32(reply + REF_ID),
		.stratum = get_16(reply + STRATUM),
		.leap = get_16(reply + LEAP),
		.ref_ns = get_time(reply + REF_TIME),
		.correction = get_seconds(reply + CORRECTION),
		.delay = get_seconds(reply + ROOT_DELAY),
		.dispersion = get_seconds(reply + ROOT_DISPERSION),
		.interval = get_seconds(reply + UPDATE_INTERVAL),
	};
	return HPT_WALL_REASON_NONE;
}

/* ---- What it says ------------------------------------------------------------------------------------------- */

static COLD bool is_synchronised(const struct tracking *t)
{
	return t->leap < LEAP_UNSYNCHRONISED && t->ref_id && t->ref_id != REF_LOCAL && t->stratum > 0 &&
	       t->stratum < STRATUM_MAX;
}

static bool is_error(const struct hpt_utc *s)
{
	return s->lo_ns >= 0 && s->hi_ns <= ERROR_MOST_NS;
}

static bool is_possible_tracking(const struct tracking *t)
{
	return is_error(&t->delay) && is_error(&t->dispersion) && t->interval.hi_ns >= 0 && t->ref_ns > 0;
}

static int64_t interval_ns(const struct tracking *t)
{
	if (!t->interval.hi_ns)
		return FIRST_INTERVAL_NS;
	return t->interval.hi_ns < INTERVAL_MOST_NS ? t->interval.hi_ns : INTERVAL_MOST_NS;
}

/*
 * chronyd calls itself synchronised for hours after its servers fell silent. The error that it states grows meanwhile,
 * so it still is a bound.
 */
static bool is_silent(const struct tracking *t, int64_t age_ns)
{
	return (age_ns - FUZZ_NS) / INTERVALS_SILENT > interval_ns(t);
}

/* reference.c announces a leap second on its day only. */
static enum hpt_wall_leap leap_of(const struct tracking *t)
{
	return t->leap == LEAP_INSERT ? HPT_WALL_LEAP_INSERTED :
	       t->leap == LEAP_DELETE ? HPT_WALL_LEAP_LEFT_OUT : HPT_WALL_LEAP_ABSENT;
}

/*
 * Little is added to chronyd's own bound: the time that the marks' reads take where nothing slews, and the rounding of
 * three floats to 24 bits. Measured: 0.4 us on an idle machine and 0.8 us on a busy one, so that a width of 0.08 to
 * 0.3 ms was 1.004 times delay and twice dispersion, at most 1.06.
 *
 * UTC is CLOCK_REALTIME and the correction, which chronyd adds to it in its own reads (local.c: LCL_ReadCookedTime()),
 * give or take half the root delay plus the root dispersion (RFC 5905, appendix A.5.5.2: the root distance). The
 * dispersion is that of the moment of the answer, by the age of the latest update (reference.c: get_root_dispersion()).
 */
static COLD uint32_t judge_tracking(const struct hpt_wall_ask *ask, const struct tracking *t,
				    const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b,
				    struct hpt_wall_reading *ret)
{
	int64_t error_ns, age_ns;
	uint32_t reason;

	if (!is_synchronised(t))
		return HPT_WALL_REASON_UNSYNCED;
	if (!is_possible_tracking(t))
		return HPT_WALL_REASON_ABSURD;
	error_ns = t->delay.hi_ns / 2 + 1 + t->dispersion.hi_ns;
	reason = hpt_realtime_sample(ask, a, b, hpt_sum(t->correction.lo_ns, -error_ns),
				     hpt_sum(t->correction.hi_ns, error_ns), &ret->sample);
	if (reason)
		return reason;
	age_ns = ret->sample.earliest_ns - t->ref_ns;
	/* The latest update is in the future: since then the clock was set back, and chronyd does not know yet. */
	if (hpt_sum(ret->sample.latest_ns, b->unix_ns - a->unix_ns) < t->ref_ns)
		return HPT_WALL_REASON_STEPPED;
	ret->leap = leap_of(t);
	ret->is_holdover = is_silent(t, age_ns);
	ret->updated_ns = t->ref_ns;
	ret->settle_ns = INTERVALS_SETTLE * interval_ns(t) + FUZZ_NS;
	return HPT_WALL_REASON_NONE;
}

/* ---- Asking ------------------------------------------------------------------------------------------------- */

static const char *address(const struct hpt_wall_ask *ask)
{
	return ask->config->chrony_address[0] ? ask->config->chrony_address : DEFAULT_ADDRESS;
}

/* No two questions have the same number, and none can be guessed without reading the counter. */
static COLD uint32_t new_sequence(const struct hpt_realtime_mark *mark)
{
	return (uint32_t)((mark->after ^ (uint64_t)mark->unix_ns) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* FORMAT: also if what came is no answer to this question. */
static COLD uint32_t ask_once(struct hpt_wall_ask *ask, int64_t timeout_ns, struct hpt_wall_reading *ret)
{
	uint8_t request[LENGTH], reply[LENGTH];
	struct hpt_realtime_mark a, b;
	struct tracking tracking;
	uint32_t reason = hpt_realtime_mark(ask, &a);
	int length;

	if (reason)
		return reason;
	make_request(request, new_sequence(&a));
	length = ask->clk->src.env->exchange(address(ask), request, sizeof(request), reply, sizeof(reply), timeout_ns);
	if (length < 0)
		return hpt_wall_ask_failed(ask, length);
	if (!is_answer(reply, length, get_32(request + REQUEST_SEQUENCE)))
		return HPT_WALL_REASON_FORMAT;
	reason = hpt_realtime_mark(ask, &b);
	if (!reason)
		reason = parse(reply, length, &tracking);
	return reason ? reason : judge_tracking(ask, &tracking, &a, &b, ret);
}

static COLD uint32_t ask_chrony(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	uint32_t reason = HPT_WALL_REASON_FAILED;

	if (!ask->clk->src.env->exchange)
		return hpt_wall_ask_failed(ask, -ENOSYS);
	for (size_t i = 0; i < sizeof(timeouts_ns) / sizeof(timeouts_ns[0]); i++) {
		ask->error = 0;
		reason = ask_once(ask, timeouts_ns[i], ret);
		if (reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT)
			break;
	}
	return reason;
}

const struct hpt_wall_source_ops hpt_wall_chrony = {
	.id = HPT_WALL_CHRONY,
	.ask = ask_chrony,
	.path = address,
};
