/* SPDX-License-Identifier: MIT */
/* The source CHRONY in a fake world, with a chronyd that answers as the test wants. */
#ifndef HPT_TEST_CHRONY_WORLD_H
#define HPT_TEST_CHRONY_WORLD_H

#include <math.h>
#include <string.h>

#include "realtime_world.h"

#define LENGTH 104

/* A chronyd whose error is within what it states. */
static struct {
	uint8_t reply[LENGTH + 64];
	int result;               /* of the exchange; 0: the length below */
	int length;
	uint32_t sequence_off;    /* added to the sequence number */
	double delay_s, dispersion_s, interval_s;
	double off_s;             /* how wrong its correction is */
	double age_s;             /* of the latest update; negative: in the future */
	uint32_t ref_id;
	uint16_t stratum, leap, status;
	uint64_t there_ps, back_ps; /* how long the datagrams travel */
	void (*meanwhile)(void);  /* called before it answers */
	void (*spoil)(void);      /* called with the reply ready */
	uint32_t right_from;      /* this question is the first one with a right answer */

	uint32_t asked;
	char address[64];
	uint32_t sequences[8];
	int64_t timeouts_ns[8];
} chronyd;

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

static inline uint32_t get_32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* As chrony's util.c does it: UTI_FloatHostToNetwork(). */
static inline void put_float(uint8_t *p, double x)
{
	double size = fabs(x);
	int exponent, coefficient, negative = x < 0;

	if (size < 1e-100) {
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

static inline void write_reply(const uint8_t *request)
{
	uint8_t *r = chronyd.reply;
	int64_t off_ns = utc_now() - fake_world_true_ns(CLOCK_REALTIME);

	memset(r, 0, sizeof(chronyd.reply));
	r[0] = 6;
	r[1] = 2;
	put_16(r + 4, 33);
	put_16(r + 6, 5);
	put_16(r + 8, chronyd.status);
	put_32(r + 16, get_32(request + 8) + chronyd.sequence_off);
	put_32(r + 28, chronyd.ref_id);
	put_16(r + 52, chronyd.stratum);
	put_16(r + 54, chronyd.leap);
	put_time(r + 56, utc_now() - (int64_t)(chronyd.age_s * 1e9));
	put_float(r + 68, (double)off_ns * 1e-9 + chronyd.off_s);
	put_float(r + 92, chronyd.delay_s);
	put_float(r + 96, chronyd.dispersion_s);
	put_float(r + 100, chronyd.interval_s);
}

static inline void check_request(const uint8_t *request, size_t length)
{
	static const uint8_t zeros[LENGTH];

	assert_int_equal(length, LENGTH);
	assert_memory_equal(request, ((uint8_t[]){ 6, 1, 0, 0, 0, 33, 0, 0 }), 8);
	assert_memory_equal(request + 12, zeros, LENGTH - 12);
}

static inline int exchange(const char *address, const void *request, size_t length, void *ret, size_t size,
			   int64_t timeout_ns)
{
	check_request(request, length);
	snprintf(chronyd.address, sizeof(chronyd.address), "%s", address);
	chronyd.sequences[chronyd.asked % COUNT(chronyd.sequences)] = get_32((const uint8_t *)request + 8);
	chronyd.timeouts_ns[chronyd.asked % COUNT(chronyd.timeouts_ns)] = timeout_ns;
	world.now_ps += chronyd.there_ps;
	if (chronyd.meanwhile)
		chronyd.meanwhile();
	if (++chronyd.asked == chronyd.right_from) {
		chronyd.result = 0;
		chronyd.sequence_off = 0;
	}
	if (chronyd.result)
		return chronyd.result;
	write_reply(request);
	if (chronyd.spoil)
		chronyd.spoil();
	world.now_ps += chronyd.back_ps;
	memcpy(ret, chronyd.reply, size); /* what lies beyond the length must not be read */
	return chronyd.length;
}

static inline int begin(void **state)
{
	fake_env_setup(state);
	utc_begin();
	utc_source = &hpt_wall_chrony;
	fake_env.exchange = exchange;
	memset(&chronyd, 0, sizeof(chronyd));
	chronyd.length = LENGTH;
	chronyd.ref_id = 0x7f000001;
	chronyd.stratum = 2;
	chronyd.delay_s = 100e-6;
	chronyd.dispersion_s = 50e-6;
	chronyd.interval_s = 16;
	chronyd.age_s = 4;
	chronyd.there_ps = chronyd.back_ps = 40000000;
	set_realtime(-3000000);
	return 0;
}

static inline void check_answer(void)
{
	check_bound(0);
	assert_int_equal(reading.tai_offset_s, 0);
}

#endif
