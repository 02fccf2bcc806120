/* SPDX-License-Identifier: MIT */
/* The source CHRONY in a fake world, with a chronyd that answers as the test wants. */
#ifndef HPT_TEST_CHRONY_WORLD_H
#define HPT_TEST_CHRONY_WORLD_H

#include <math.h>
#include <string.h>

#include "machine/datagram.h"

#include "chrony_bytes.h"
#include "realtime_world.h"

#define LENGTH 104

#define SOURCES_MOST 40

/* A chronyd, and its sources, whose errors are within what they state. */
static struct {
	uint8_t replies[10][LENGTH + 64]; /* to each question; the last one is how its clock stands, as the first */
	int lengths[10];
	int result;               /* of the exchange; 0: replies */
	uint32_t sequence_off;    /* added to the sequence numbers */
	double interval_s, freq_ppm, delay_s;
	double off_s;             /* how far its clock is ahead of UTC */
	double age_s;             /* of the latest update; negative: in the future */
	int64_t ref_ns;           /* the time of that, set by the first reply */
	uint32_t ref_id;
	uint16_t stratum, leap, status;
	uint16_t ref_family;      /* of its reference's address; 0: a reference clock, which has none */
	uint8_t ref_address;
	uint64_t there_ps, back_ps; /* how long the datagrams travel */
	void (*meanwhile)(void);  /* called before it answers */
	void (*between)(void);    /* called between two answers */
	void (*spoil)(void);      /* called with the replies ready */
	uint32_t right_from;      /* this exchange is the first one with right answers */
	bool is_reversed;         /* the replies come in that order */
	uint32_t n_sources;
	struct {
		uint8_t address;
		uint16_t state, mode;
		uint16_t reached; /* by which of the last eight polls */
		uint32_t since_s;
		double moved_s;   /* by which it has corrected its clock since */
		double wrong_s;   /* of the measurement */
		double error_s;   /* as it states it */
	} sources[SOURCES_MOST];

	uint32_t asked;           /* exchanges */
	int n;                    /* questions of the latest one */
	char address[64];
	uint32_t sequences[8];
	int64_t timeouts_ns[8];
} chronyd;

static inline uint32_t get_32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* As chrony's util.c does it: UTI_FloatHostToNetwork(); what is less than the exponent's least is 0 here. */
static inline void put_float(uint8_t *p, double x)
{
	double size = fabs(x);
	int exponent, coefficient, negative = x < 0;

	if (size < 1e-18) {
		put_32(p, 0);
		return;
	}
	exponent = (int)(log(size) / log(2) + 1);
	coefficient = (int)(size * pow(2, -exponent + 25) + 0.5);
	while (coefficient > (1 << 24) - 1 + negative) {
		coefficient >>= 1;
		exponent++;
	}
	put_32(p, (uint32_t)exponent << 25 | ((uint32_t)(negative ? -coefficient : coefficient) & 0x1ffffff));
}

static inline void put_time(uint8_t *p, int64_t ns)
{
	put_32(p, 0x7fffffff); /* as 32-bit machines send it */
	put_32(p + 4, (uint32_t)(ns / NS_PER_S));
	put_32(p + 8, (uint32_t)(ns % NS_PER_S));
}

static inline void write_tracking(uint8_t *r)
{
	int64_t off_ns = utc_now() - fake_world_true_ns(CLOCK_REALTIME);

	put_16(r + 6, 5);
	put_32(r + 28, chronyd.ref_id);
	r[32] = chronyd.ref_address;
	put_16(r + 48, chronyd.ref_family);
	put_16(r + 52, chronyd.stratum);
	put_16(r + 54, chronyd.leap);
	put_time(r + 56, chronyd.ref_ns);
	put_float(r + 68, (double)off_ns * 1e-9 + chronyd.off_s);
	put_float(r + 80, chronyd.freq_ppm);
	put_float(r + 92, chronyd.delay_s);
	put_float(r + 96, (double)(world.now_ps % 1000000) * 1e-9);
	put_float(r + 100, chronyd.interval_s);
}

static inline int write_source(uint8_t *r, uint32_t i)
{
	if (i >= chronyd.n_sources) {
		put_16(r + 6, 1);
		put_16(r + 8, 4);
		return 28;
	}
	put_16(r + 6, 3);
	r[28] = chronyd.sources[i].address;
	put_16(r + 44, 1);
	put_16(r + 52, chronyd.sources[i].state);
	put_16(r + 54, chronyd.sources[i].mode);
	put_16(r + 58, chronyd.sources[i].reached);
	put_32(r + 60, chronyd.sources[i].since_s);
	put_float(r + 64, chronyd.off_s + chronyd.sources[i].wrong_s - chronyd.sources[i].moved_s);
	put_float(r + 68, chronyd.off_s + chronyd.sources[i].wrong_s);
	put_float(r + 72, chronyd.sources[i].error_s);
	return 76;
}

static inline void write_reply(int i, const uint8_t *request)
{
	uint8_t *r = chronyd.replies[i];
	uint32_t command = (uint32_t)request[4] << 8 | request[5];

	memset(r, 0, sizeof(chronyd.replies[i]));
	r[0] = 6;
	r[1] = 2;
	put_16(r + 4, command);
	put_16(r + 8, chronyd.status);
	put_32(r + 16, get_32(request + 8) + chronyd.sequence_off);
	chronyd.lengths[i] = LENGTH;
	if (command == 33)
		write_tracking(r);
	else
		chronyd.lengths[i] = write_source(r, get_32(request + 20));
}

static inline void check_request(const struct hpt_datagrams *d, int i)
{
	static const uint8_t zeros[LENGTH];
	const uint8_t *request = (const uint8_t *)d->requests + (size_t)i * d->length, *first = d->requests;
	bool is_source = i && i < d->n - 1;

	assert_memory_equal(request, ((uint8_t[]){ 6, 1, 0, 0, 0, is_source ? 15 : 33, 0, 0 }), 8);
	assert_int_equal(get_32(request + 8), get_32(first + 8) + (uint32_t)i);
	assert_memory_equal(request + 12, zeros, 8);
	assert_int_equal(get_32(request + 20), is_source ? get_32(first + LENGTH + 20) + (uint32_t)i - 1 : 0);
	assert_memory_equal(request + 24, zeros, LENGTH - 24);
}

static inline void note_question(const char *address, const struct hpt_datagrams *d, int64_t timeout_ns)
{
	assert_int_equal(d->length, LENGTH);
	assert_in_range(d->n, 2, 10);
	chronyd.n = d->n;
	for (int i = 0; i < d->n; i++)
		check_request(d, i);
	snprintf(chronyd.address, sizeof(chronyd.address), "%s", address);
	chronyd.sequences[chronyd.asked % COUNT(chronyd.sequences)] = get_32((const uint8_t *)d->requests + 8);
	chronyd.timeouts_ns[chronyd.asked % COUNT(chronyd.timeouts_ns)] = timeout_ns;
}

static inline int exchange(const char *address, struct hpt_datagrams *d, int64_t timeout_ns)
{
	note_question(address, d, timeout_ns);
	world.now_ps += chronyd.there_ps;
	if (chronyd.meanwhile)
		chronyd.meanwhile();
	if (++chronyd.asked == chronyd.right_from) {
		chronyd.result = 0;
		chronyd.sequence_off = 0;
	}
	if (chronyd.result)
		return chronyd.result;
	chronyd.ref_ns = utc_now() - (int64_t)(chronyd.age_s * 1e9);
	for (int i = 0; i < d->n; i++) {
		write_reply(i, (const uint8_t *)d->requests + (size_t)i * d->length);
		if (chronyd.between && i + 1 < d->n)
			chronyd.between();
	}
	if (chronyd.spoil)
		chronyd.spoil();
	world.now_ps += chronyd.back_ps;
	for (int i = 0; i < d->n; i++) {
		int k = chronyd.is_reversed ? d->n - 1 - i : i;

		/* What lies beyond the length must not be read. */
		memcpy((uint8_t *)d->replies + (size_t)i * d->size, chronyd.replies[k], d->size);
		d->lengths[i] = chronyd.lengths[k];
	}
	return 0;
}

static inline int begin(void **state)
{
	fake_env_setup(state);
	utc_begin();
	utc_source = &hpt_wall_chrony;
	fake_env.exchange = exchange;
	memset(&chronyd, 0, sizeof(chronyd));
	chronyd.ref_id = 0x7f000001;
	chronyd.stratum = 2;
	chronyd.ref_family = 1;
	chronyd.ref_address = 1;
	chronyd.interval_s = 16;
	chronyd.delay_s = 1e-9;
	chronyd.age_s = 4;
	chronyd.there_ps = chronyd.back_ps = 40000000;
	chronyd.n_sources = utc_expected = 1;
	for (uint32_t i = 0; i < SOURCES_MOST; i++) {
		chronyd.sources[i].address = (uint8_t)(i + 1);
		chronyd.sources[i].error_s = 100e-6;
		chronyd.sources[i].since_s = 4;
		chronyd.sources[i].reached = 0377;
	}
	set_realtime(-3000000);
	return 0;
}

/* By this measurement, if it was made now. */
static inline struct hpt_wall_sample stated_by(uint32_t i)
{
	struct hpt_wall_sample s = reading.sample;

	s.earliest_ns += reading.measured[i].off_lo_ns;
	s.latest_ns += reading.measured[i].off_hi_ns;
	return s;
}

/* Each source is used, and right. */
static inline void check_answer(void)
{
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(ask_error, 0);
	assert_int_equal(reading.sample.flags, 0);
	assert_false(reading.has_rate);
	assert_int_equal(reading.leap_at_ns, 0);
	assert_int_equal(reading.tai_offset_s, 0);
	assert_int_equal(reading.n_measured, chronyd.n_sources < 8 ? chronyd.n_sources : 8);
	for (uint32_t i = 0; i < reading.n_measured; i++) {
		struct hpt_wall_sample s = stated_by(i);

		assert_int_equal(reading.measured[i].reason, HPT_WALL_REASON_NONE);
		if (!holds_utc(&s))
			fail_msg("source %u: [%lld, %lld] off UTC", i, (long long)(s.earliest_ns - utc_now()),
				 (long long)(s.latest_ns - utc_now()));
	}
}

#endif
