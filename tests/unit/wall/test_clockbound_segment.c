// SPDX-License-Identifier: MIT
/* ClockBound's shared memory: what the daemons write is read, everything else is refused. */
#include <float.h>
#include <math.h>

#include "unit.h"

#include "clockbound_bytes.h"

static uint32_t parse(const struct segment *s, struct hpt_clockbound *ret)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];

	return hpt_clockbound_parse(bytes, segment_bytes(s, bytes), ret);
}

static void versions_2_and_3_are_read(void **state)
{
	struct segment s = segment_2;
	struct hpt_clockbound got;

	(void)state;
	s.has_marker = 1;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	assert_int_equal(got.version, 2);
	assert_false(got.is_holdover);
	assert_true(got.has_marker);
	assert_true(got.marker == s.marker);
	assert_true(got.as_of_ns == 12 * SECOND + 345678901);
	assert_true(got.void_after_ns == 1012 * SECOND);
	assert_int_equal(got.bound_ns, 50000);
	assert_int_equal(got.drift_ppb, 1000);

	s = segment_3;
	s.status = 2;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	assert_int_equal(got.version, 3);
	assert_true(got.is_holdover);
	assert_false(got.has_marker);
	assert_true(got.void_after_ns == 1700001000 * SECOND);
	assert_true(got.lines.tick == s.as_of_tick);
	assert_true(got.lines.lo.ns == (uint64_t)(1700000000 * SECOND + 345678901 - 50000) && !got.lines.lo.frac);
	assert_true(got.lines.hi.ns == (uint64_t)(1700000000 * SECOND + 345678901 + 50000) && !got.lines.hi.frac);
}

/* In ns a tick; within a billionth, by which the error is rounded up. */
static long double number(struct hpt_scale s)
{
	return (long double)s.whole + ldexpl((long double)s.frac, -64);
}

static void check_band(const struct segment *s, const struct hpt_band *got)
{
	long double period = ldexpl((long double)s->period, -64 - s->period_shift) * 1e9L;
	long double error = ldexpl((long double)s->period_error, -64 - s->error_shift) + s->drift_ppb / 1e9L;
	long double lo = period * (1 - error), hi = period * (1 + error), slack = period * 4 * LDBL_EPSILON;

	slack += ldexpl(1, -62);
	if (number(got->lo) > lo + slack || number(got->lo) < lo - period * 1e-9L - slack ||
	    number(got->hi) < hi - slack || number(got->hi) > hi + period * 1e-9L + slack)
		fail_msg("period %llu shift %d, error %llu shift %d, drift %u: [%.18Lg, %.18Lg]",
			 (unsigned long long)s->period, s->period_shift, (unsigned long long)s->period_error,
			 s->error_shift, s->drift_ppb, number(got->lo), number(got->hi));
}

static void band_is_of_period_and_errors(void **state)
{
	struct segment s = segment_3;
	struct hpt_clockbound got;

	(void)state;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	check_band(&s, &got.lines.band);
	s.period_error = s.drift_ppb = 0;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	check_band(&s, &got.lines.band);
	assert_true(number(got.lines.band.hi) - number(got.lines.band.lo) < 1e-18L);
	/* Nearly all of a second in a billion, and the other way round. */
	s.period_error = UINT64_MAX;
	s.error_shift = 0;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_ABSURD);
	s.error_shift = 1;
	s.drift_ppb = 400000000;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	check_band(&s, &got.lines.band);
	s.drift_ppb = 500000000;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_ABSURD);
	s.error_shift = 64;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	check_band(&s, &got.lines.band);
	s.error_shift = 255;
	assert_int_equal(parse(&s, &got), HPT_WALL_REASON_NONE);
	check_band(&s, &got.lines.band);
}

static void refuse(const struct segment *s, uint32_t reason)
{
	struct hpt_clockbound got, was;

	memset(&got, 0x5a, sizeof(got));
	was = got;
	assert_int_equal(parse(s, &got), reason);
	assert_memory_equal(&got, &was, sizeof(got));
}

#define REFUSE(member, value, reason)                             \
	do {                                                      \
		for (int v_ = 2; v_ <= 3; v_++) {                 \
			s = v_ == 2 ? segment_2 : segment_3;      \
			s.member = (value);                       \
			refuse(&s, HPT_WALL_REASON_##reason);     \
		}                                                 \
	} while (0)

static void impossible_values_are_refused(void **state)
{
	struct segment s;

	(void)state;
	REFUSE(bound_ns, -1, ABSURD);
	REFUSE(bound_ns, 0, ABSURD);
	REFUSE(bound_ns, INT64_MIN, ABSURD);
	REFUSE(bound_ns, INT64_MAX, ABSURD);
	REFUSE(drift_ppb, 1000000000, ABSURD);
	REFUSE(drift_ppb, UINT32_MAX, ABSURD);
	REFUSE(as_of_ns, SECOND, ABSURD);
	REFUSE(as_of_ns, -1, ABSURD);
	REFUSE(void_ns, SECOND, ABSURD);
	REFUSE(as_of_s, -1, ABSURD);
	REFUSE(as_of_s, INT64_MAX, ABSURD);
	REFUSE(void_s, INT64_MAX, ABSURD);
	REFUSE(void_s, 11, ABSURD);
	REFUSE(has_marker, 2, ABSURD);
	s = segment_3;
	s.bound_ns = 1700000001 * SECOND;
	refuse(&s, HPT_WALL_REASON_ABSURD);
	s = segment_3;
	s.period = 0;
	refuse(&s, HPT_WALL_REASON_ABSURD);
	s = segment_3;
	s.period_shift = 19; /* 1.6 us */
	refuse(&s, HPT_WALL_REASON_ABSURD);
	s.period_shift = 20; /* 0.8 us */
	assert_int_equal(parse(&s, &(struct hpt_clockbound){ 0 }), HPT_WALL_REASON_NONE);
	s.period_shift = 35; /* 1/40 ns */
	assert_int_equal(parse(&s, &(struct hpt_clockbound){ 0 }), HPT_WALL_REASON_NONE);
	s.period_shift = 36; /* 1/80 ns */
	refuse(&s, HPT_WALL_REASON_ABSURD);
	s.period_shift = 255;
	refuse(&s, HPT_WALL_REASON_ABSURD);
	s.period_shift = 100;
	refuse(&s, HPT_WALL_REASON_ABSURD);
}

static void daemon_without_a_bound_is_unsynced(void **state)
{
	static const uint32_t statuses[] = { 0, 3, 4, 9, UINT32_MAX };
	struct segment s;

	(void)state;
	for (size_t i = 0; i < COUNT(statuses); i++)
		REFUSE(status, statuses[i], UNSYNCED);
}

static void other_formats_are_refused(void **state)
{
	static const uint16_t versions[] = { 1, 3, 4, 0x0100, 0x0202, 0x0203, 0x0302, 0x0304, 0x0404, 0xffff };
	struct segment s;

	(void)state;
	REFUSE(magic[0], 0x4e5a4d41, FORMAT);
	REFUSE(magic[1], 0x43420100, FORMAT);
	for (size_t i = 0; i < COUNT(versions); i++)
		REFUSE(version, versions[i], FORMAT);
	/* 32-bit daemons: time_t and nanoseconds of 4 bytes each. */
	REFUSE(size, 64, FORMAT);
	REFUSE(size, 72, FORMAT);
	REFUSE(size, 88, FORMAT);
	REFUSE(size, 112, FORMAT);
	REFUSE(size, 0, FORMAT);
	REFUSE(size, UINT32_MAX, FORMAT);
	s = segment_2;
	s.size = 104;
	refuse(&s, HPT_WALL_REASON_FORMAT);
	s = segment_3;
	s.size = 80;
	refuse(&s, HPT_WALL_REASON_FORMAT);
}

static void foreign_byte_order_is_refused(void **state)
{
	struct segment s;

	(void)state;
	for (int v = 2; v <= 3; v++) {
		s = v == 2 ? segment_2 : segment_3;
		for (int i = 0; i < 2; i++)
			s.magic[i] = __builtin_bswap32(s.magic[i]);
		s.size = __builtin_bswap32(s.size);
		s.version = __builtin_bswap16(s.version);
		refuse(&s, HPT_WALL_REASON_FORMAT);
	}
}

static void short_files_are_refused(void **state)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	struct hpt_clockbound got;

	(void)state;
	for (int v = 2; v <= 3; v++) {
		size_t whole = segment_bytes(v == 2 ? &segment_2 : &segment_3, bytes);

		for (size_t n = 0; n < whole; n++)
			assert_int_equal(hpt_clockbound_parse(bytes, n, &got), HPT_WALL_REASON_FORMAT);
		assert_int_equal(hpt_clockbound_parse(bytes, whole, &got), HPT_WALL_REASON_NONE);
	}
}

static bool is_settled(uint16_t version, uint16_t generation)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	struct segment s = segment_3;

	s.version = version;
	s.generation = generation;
	return hpt_clockbound_is_settled(bytes, segment_bytes(&s, bytes));
}

static void generation_is_even_and_not_0(void **state)
{
	static const unsigned char nothing[16];
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	struct segment s;

	(void)state;
	assert_true(is_settled(2, 2));
	assert_true(is_settled(0x0303, 0xfffe));
	assert_false(is_settled(2, 3));
	assert_false(is_settled(2, 0xffff));
	assert_false(is_settled(2, 0));
	/* wipe() sets version and generation to 0. */
	assert_false(is_settled(0, 2));
	REFUSE(generation, 5, FORMAT);
	REFUSE(generation, 0, FORMAT);
	/* Nothing to wait for: too short, or none of its own. */
	s = segment_2;
	s.generation = 3;
	(void)segment_bytes(&s, bytes);
	assert_true(hpt_clockbound_is_settled(bytes, 15));
	assert_false(hpt_clockbound_is_settled(bytes, 16));
	assert_true(hpt_clockbound_is_settled(nothing, 0));
	assert_true(hpt_clockbound_is_settled(nothing, 16));
}

static void spoil(struct segment *s)
{
	switch (random_below(12)) {
	case 0: s->bound_ns = (int64_t)random_magnitude(); break;
	case 1: s->drift_ppb = (uint32_t)random_magnitude(); break;
	case 2: s->status = (uint32_t)random_below(4); break;
	case 3: s->as_of_s = (int64_t)random_magnitude(); break;
	case 4: s->void_s = (int64_t)random_magnitude(); break;
	case 5: s->as_of_ns = (int64_t)random_magnitude(); break;
	case 6: s->period = random_magnitude(); break;
	case 7: s->period_error = random_magnitude(); break;
	case 8: s->period_shift = (uint8_t)random_u64(); break;
	case 9: s->error_shift = (uint8_t)random_u64(); break;
	case 10: s->as_of_tick = random_u64(); break;
	default: s->has_marker = (uint8_t)random_below(3); break;
	}
}

/* Members of any value: what is accepted is sane, and the band is the one computed by other means. */
static void random_segments_are_sane_if_accepted(void **state)
{
	unsigned int accepted = 0;

	(void)state;
	random_start();
	for (int i = 0; i < rounds(1000000); i++) {
		struct segment s = i & 1 ? segment_2 : segment_3;
		struct hpt_clockbound got;
		int64_t as_of_ns;

		for (uint64_t n = 1 + random_below(4); n > 0; n--)
			spoil(&s);
		if (parse(&s, &got))
			continue;
		accepted++;
		as_of_ns = s.as_of_s * SECOND + s.as_of_ns;
		assert_true(s.status == 1 || s.status == 2);
		assert_true(got.is_holdover == (s.status == 2));
		assert_true(got.bound_ns == s.bound_ns && s.bound_ns > 0);
		assert_true(got.drift_ppb == s.drift_ppb && s.drift_ppb < 1000000000);
		assert_true(got.as_of_ns == as_of_ns && as_of_ns >= 0);
		assert_true(got.void_after_ns == s.void_s * SECOND + s.void_ns && got.void_after_ns >= as_of_ns);
		if (got.version == 2)
			continue;
		assert_true((int64_t)got.lines.lo.ns == as_of_ns - s.bound_ns && (int64_t)got.lines.lo.ns >= 0);
		assert_true((int64_t)got.lines.hi.ns == as_of_ns + s.bound_ns);
		assert_true(got.lines.tick == s.as_of_tick);
		check_band(&s, &got.lines.band);
	}
	note("accepted: %u", accepted);
	assert_true(accepted > 1000);
}

static void random_bytes_do_no_harm(void **state)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	struct hpt_clockbound got;

	(void)state;
	for (int i = 0; i < rounds(200000); i++) {
		size_t n = segment_bytes(i & 1 ? &segment_2 : &segment_3, bytes);

		for (uint64_t k = random_below(4); k > 0; k--)
			bytes[random_below(n)] = (unsigned char)random_u64();
		if (random_below(100) == 0)
			for (size_t k = 0; k < n; k++)
				bytes[k] = (unsigned char)random_u64();
		if (!hpt_clockbound_parse(bytes, random_below(2) ? n : random_below(n + 1), &got))
			assert_true(got.bound_ns > 0 && got.drift_ppb < 1000000000 &&
				    hpt_clockbound_is_settled(bytes, n));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_2_and_3_are_read),
		cmocka_unit_test(band_is_of_period_and_errors),
		cmocka_unit_test(impossible_values_are_refused),
		cmocka_unit_test(daemon_without_a_bound_is_unsynced),
		cmocka_unit_test(other_formats_are_refused),
		cmocka_unit_test(foreign_byte_order_is_refused),
		cmocka_unit_test(short_files_are_refused),
		cmocka_unit_test(generation_is_even_and_not_0),
		cmocka_unit_test(random_segments_are_sane_if_accepted),
		cmocka_unit_test(random_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
