// SPDX-License-Identifier: MIT
/* The layout of a time base, what it refuses, and which two belong together. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "math/timebase.h"

_Static_assert(sizeof(struct hpt_timebase) == 128, "hpt_timebase");
_Static_assert(sizeof(struct hpt_timebase[3]) == 384, "an array of them is a trace file");

/* 2.5 GHz; Unix time is slewed by 100 ppm. */
static struct hpt_timebase_fields example(void)
{
	return (struct hpt_timebase_fields){
		.boot_id = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
			     0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f },
		.source = HPT_SOURCE_TSC, .state = HPT_STATE_REANCHORED, .generation = 0x2021222324252627,
		.start = 0x3031323334353637, .tick = 0x4041424344454647,
		.lines = {
			{ 0x5051525354555657, 0x5d, { 0, 0x6666666666666666 } },
			{ 0x5859606162636465, 0x5e, { 1, 0x6667777777777777 } },
		},
		.offset_ns = -2, .offset_error_ns = 0x71727374, .error_ppb = 0x81828384,
	};
}

static struct hpt_timebase encoded(const struct hpt_timebase_fields *fields)
{
	struct hpt_timebase base;

	assert_int_equal(hpt_timebase_encode(fields, &base), 0);
	return base;
}

/* Byte by byte: files of other machines and later versions have this layout for ever. */
static void layout_is_pinned(void **state)
{
	static const uint8_t want[128] = {
		'H', 'P', 'T', 'T', 'I', 'M', 'E', 'B',
		1, 0, 0, 0, 1, 0, 0, 0,
		0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,
		0x27, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x20, 0x37, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31, 0x30,
		0x47, 0x46, 0x45, 0x44, 0x43, 0x42, 0x41, 0x40,
		0x57, 0x56, 0x55, 0x54, 0x53, 0x52, 0x51, 0x50, 0x65, 0x64, 0x63, 0x62, 0x61, 0x60, 0x59, 0x58,
		0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x67, 0x66,
		0, 0, 0, 0, 1, 0, 0, 0,
		0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x74, 0x73, 0x72, 0x71, 1, 0, 0, 0,
		0x84, 0x83, 0x82, 0x81, 0x5d, 0, 0, 0, 0x5e, 0, 0, 0, 0x00, 0x00, 0x00, 0x00,
	};
	const struct hpt_timebase_fields fields = example();
	struct hpt_timebase base = encoded(&fields);
	uint32_t hash = 2166136261u;

	(void)state;
	assert_memory_equal(base.bytes, want, 124);
	for (int i = 0; i < 124; i++)
		hash = (hash ^ want[i]) * 16777619u;
	for (int i = 0; i < 4; i++)
		assert_int_equal(base.bytes[124 + i], hash >> 8 * i & 0xff);
}

static void every_member_comes_back(void **state)
{
	const struct hpt_timebase_fields fields = example();
	struct hpt_timebase base = encoded(&fields);
	struct hpt_timebase_fields back;

	(void)state;
	assert_int_equal(hpt_timebase_decode(&base, &back), 0);
	assert_memory_equal(back.boot_id, fields.boot_id, 16);
	assert_true(back.source == fields.source && back.state == fields.state &&
		    back.generation == fields.generation && back.start == fields.start && back.tick == fields.tick &&
		    back.offset_ns == -2 && back.offset_error_ns == fields.offset_error_ns &&
		    back.error_ppb == fields.error_ppb);
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++)
		assert_true(back.lines[i].ns == fields.lines[i].ns &&
			    back.lines[i].error_ns == fields.lines[i].error_ns &&
			    back.lines[i].slope.whole == fields.lines[i].slope.whole &&
			    back.lines[i].slope.frac == fields.lines[i].slope.frac);
}

static void assert_refused(const struct hpt_timebase *base)
{
	struct hpt_timebase_fields back;
	const int64_t tick = 1;
	int64_t ns = 4711;

	memset(&back, 0xa5, sizeof(back));
	assert_int_equal(hpt_timebase_decode(base, &back), -EINVAL);
	for (size_t i = 0; i < sizeof(back); i++)
		assert_int_equal(((uint8_t *)&back)[i], 0xa5);
	assert_int_equal(hpt_timebase_to_ns(base, NULL, &tick, &ns, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_unix_ns(base, NULL, &tick, &ns, 1), -EINVAL);
	assert_int_equal(ns, 4711);
}

static void changed_bytes_are_refused(void **state)
{
	const struct hpt_timebase_fields fields = example();
	const struct hpt_timebase good = encoded(&fields);
	struct hpt_timebase base;

	(void)state;
	for (int i = 0; i < 128; i++)
		for (int bit = 0; bit < 8; bit++) {
			base = good;
			base.bytes[i] ^= (uint8_t)(1 << bit);
			assert_refused(&base);
		}
	for (int size = 0; size < 128; size++) { /* cut, with zeros or with rubbish after it */
		base = good;
		memset(base.bytes + size, 0, 128 - (size_t)size);
		assert_refused(&base);
		memset(base.bytes + size, 0xff, 128 - (size_t)size);
		assert_refused(&base);
	}
}

static void swap(uint8_t *bytes, int from, int n)
{
	for (int i = 0; i < n / 2; i++) {
		uint8_t b = bytes[from + i];

		bytes[from + i] = bytes[from + n - 1 - i];
		bytes[from + n - 1 - i] = b;
	}
}

static void rehash(struct hpt_timebase *base)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < 124; i++)
		hash = (hash ^ base->bytes[i]) * 16777619u;
	for (int i = 0; i < 4; i++)
		base->bytes[124 + i] = (uint8_t)(hash >> 8 * i);
}

/* As a careless writer of big-endian words would make it, with a check sum that fits and with its own swapped too. */
static void swapped_bytes_are_refused(void **state)
{
	static const int words[][2] = { { 8, 4 }, { 12, 4 }, { 32, 8 }, { 40, 8 }, { 48, 8 }, { 56, 8 }, { 64, 8 },
					{ 72, 8 }, { 80, 8 }, { 88, 4 }, { 92, 4 }, { 96, 8 }, { 104, 4 }, { 108, 4 },
					{ 112, 4 }, { 116, 4 }, { 120, 4 } };
	const struct hpt_timebase_fields fields = example();
	struct hpt_timebase base = encoded(&fields);

	(void)state;
	for (size_t i = 0; i < COUNT(words); i++)
		swap(base.bytes, words[i][0], words[i][1]);
	rehash(&base);
	assert_refused(&base);
	swap(base.bytes, 124, 4);
	assert_refused(&base);
	base = encoded(&fields);
	for (int i = 0; i < 128; i += 8)
		swap(base.bytes, i, 8);
	rehash(&base);
	assert_refused(&base);
}

static void another_version_is_refused(void **state)
{
	const struct hpt_timebase_fields fields = example();
	struct hpt_timebase base = encoded(&fields);

	(void)state;
	base.bytes[8] = 2;
	rehash(&base);
	assert_refused(&base);
	base = encoded(&fields);
	base.bytes[0] = 'h';
	rehash(&base);
	assert_refused(&base);
}

static void absurd_rates_are_refused(void **state)
{
	static const struct {
		uint32_t whole;
		uint64_t frac;
		bool     is_good;
	} rows[] = {
		{ 0, 0, false }, { 0, 1, false }, { 0, (UINT64_C(1) << 54) - 1, false }, { 0, UINT64_C(1) << 54, true },
		{ 1, 0, true }, { 1000000000, 0, true }, { 1000000001, 0, false }, { UINT32_MAX, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows) * 2; i++) {
		struct hpt_timebase_fields fields = example();
		struct hpt_timebase base = encoded(&fields), out = { { 0 } };
		uint64_t frac = rows[i / 2].frac;
		int n = (int)(i % 2);

		for (int b = 0; b < 8; b++)
			base.bytes[72 + 8 * n + b] = (uint8_t)(frac >> 8 * b);
		for (int b = 0; b < 4; b++)
			base.bytes[88 + 4 * n + b] = (uint8_t)(rows[i / 2].whole >> 8 * b);
		rehash(&base);
		fields.lines[n].slope = (struct hpt_scale){ rows[i / 2].whole, frac };
		assert_int_equal(hpt_timebase_encode(&fields, &out), rows[i / 2].is_good ? 0 : -ERANGE);
		if (rows[i / 2].is_good)
			assert_memory_equal(&out, &base, sizeof(out));
		else
			assert_refused(&base);
		assert_int_equal(out.bytes[0], rows[i / 2].is_good ? 'H' : 0);
	}
}

/* ---- Two of them ------------------------------------------------------------------------------------------ */

/* Two of a clock of 1 GHz, a second apart. */
static void two(struct hpt_timebase_fields *a, struct hpt_timebase_fields *b)
{
	*a = example();
	a->tick = 1000000;
	a->generation = 3;
	a->offset_error_ns = 50;
	a->error_ppb = 1000;
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++)
		a->lines[i] = (struct hpt_timebase_line){
			.ns = i ? INT64_C(1795171679000000000) : 5000000, .error_ns = 100, .slope = { .whole = 1 },
		};
	*b = *a;
	b->tick += 1000000000;
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++)
		b->lines[i].ns += 1000000000;
}

static void assert_pair(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, int want)
{
	struct hpt_timebase first = encoded(a), last = encoded(b);
	int64_t ticks[] = { 5, 1000000, 2000000000 };
	const int64_t before[] = { 5, 1000000, 2000000000 };

	assert_int_equal(hpt_timebase_pair(a, b), want);
	assert_int_equal(hpt_timebase_to_ns(&first, &last, ticks, ticks, 0), want);
	assert_memory_equal(ticks, before, sizeof(ticks));
	assert_int_equal(hpt_timebase_to_unix_ns(&first, &last, ticks, ticks, 3), want);
	if (want)
		assert_memory_equal(ticks, before, sizeof(ticks));
	else
		assert_true(ticks[1] == a->lines[HPT_TIMEBASE_UNIX].ns);
}

static void which_two_belong_together(void **state)
{
	struct hpt_timebase_fields a, b;

	(void)state;
	two(&a, &b);
	assert_pair(&a, &b, 0);
	assert_pair(&a, &a, 0);
	assert_pair(&b, &a, -EINVAL);
	b.generation++;
	assert_pair(&a, &b, -ESTALE);
	assert_pair(&b, &a, -ESTALE);
	two(&a, &b);
	b.boot_id[15] ^= 1;
	assert_pair(&a, &b, -ESTALE);
	assert_pair(&b, &a, -ESTALE); /* its counter started again: not its order counts */
	two(&a, &b);
	b.source = HPT_SOURCE_HPET;
	assert_pair(&a, &b, -EINVAL);
	two(&a, &b);
	memset(a.boot_id, 0, 16);
	memset(b.boot_id, 0, 16);
	assert_pair(&a, &b, -ESTALE);
	assert_pair(&a, &a, -ESTALE);
	two(&a, &b);
	b.start++;                       /* of another process */
	b.state = HPT_STATE_OK;
	assert_pair(&a, &b, 0);
}

/* Two processes count generations each for itself; the offset of the kernel's clocks shows a suspend or a step. */
static void a_moved_offset_is_stale(void **state)
{
	struct hpt_timebase_fields a, b;

	(void)state;
	two(&a, &b);
	b.offset_ns = a.offset_ns + 100;
	assert_pair(&a, &b, 0);
	b.offset_ns = a.offset_ns + 101;
	assert_pair(&a, &b, -ESTALE);
	b.offset_ns = a.offset_ns - 101;
	assert_pair(&a, &b, -ESTALE);
	b.offset_ns = a.offset_ns + INT64_C(1000000000000);
	b.offset_error_ns = UINT32_MAX; /* not known */
	assert_pair(&a, &b, 0);
}

static void a_jump_is_stale(void **state)
{
	(void)state;
	for (int i = 0; i < HPT_TIMEBASE_LINES; i++) {
		struct hpt_timebase_fields a, b;
		int64_t exact_ns;

		two(&a, &b);
		exact_ns = b.lines[i].ns;
		b.lines[i].ns = exact_ns + 990000000;
		assert_pair(&a, &b, 0);
		b.lines[i].ns = exact_ns + 1010000000;
		assert_pair(&a, &b, -ESTALE);
		b.lines[i].ns = exact_ns - 490000000;
		assert_pair(&a, &b, 0);
		b.lines[i].ns = exact_ns - 510000000;
		assert_pair(&a, &b, -ESTALE);
		b.error_ppb = UINT32_MAX; /* nothing is known of the rate */
		assert_pair(&a, &b, 0);
		two(&a, &b);
		for (int j = 0; j < HPT_TIMEBASE_LINES; j++)
			a.lines[j].error_ns = b.lines[j].error_ns = 0;
		b.tick = a.tick + 100; /* two processes are some nanoseconds apart */
		b.lines[i].ns = a.lines[i].ns - 50;
		b.lines[!i].ns = a.lines[!i].ns + 100;
		assert_pair(&a, &b, 0);
	}
}

static void error_is_as_stated(void **state)
{
	struct hpt_timebase_fields a, b;

	(void)state;
	two(&a, &b);
	b.lines[HPT_TIMEBASE_NS].error_ns = 300;
	b.error_ppb = 2000;
	/* At a time base, half-way, and outside: the larger error, and the later rate's over the way to the nearer. */
	assert_in_range(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, a.tick), 301, 302);
	assert_in_range(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, b.tick), 301, 302);
	assert_in_range(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, a.tick + 500000000), 1301, 1302);
	assert_in_range(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, b.tick + 500000000), 1301, 1302);
	assert_in_range(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, a.tick - 500000000), 1301, 1302);
	assert_in_range(hpt_timebase_error_ns(&a, NULL, HPT_TIMEBASE_NS, a.tick + 500000000), 601, 602);
	/* NTP may slew Unix time. */
	assert_in_range(hpt_timebase_error_ns(&a, NULL, HPT_TIMEBASE_UNIX, a.tick + 1000000), 1101, 1103);
	b.error_ppb = UINT32_MAX;
	assert_true(hpt_timebase_error_ns(&a, &b, HPT_TIMEBASE_NS, a.tick) == INT64_MAX);
	a.lines[HPT_TIMEBASE_NS].error_ns = UINT32_MAX;
	assert_true(hpt_timebase_error_ns(&a, NULL, HPT_TIMEBASE_NS, a.tick) == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_is_pinned),
		cmocka_unit_test(every_member_comes_back),
		cmocka_unit_test(changed_bytes_are_refused),
		cmocka_unit_test(swapped_bytes_are_refused),
		cmocka_unit_test(another_version_is_refused),
		cmocka_unit_test(absurd_rates_are_refused),
		cmocka_unit_test(which_two_belong_together),
		cmocka_unit_test(a_moved_offset_is_stale),
		cmocka_unit_test(a_jump_is_stale),
		cmocka_unit_test(error_is_as_stated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
