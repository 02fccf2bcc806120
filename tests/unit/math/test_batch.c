// SPDX-License-Identifier: MIT
/* hpt_timebase_to_ns() and hpt_timebase_to_unix_ns() compared with one tick at a time by wide arithmetic. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "math/line.h"
#include "math/timebase.h"

#define MOST 200

static struct hpt_timebase_fields at(uint64_t hz, int64_t tick, int64_t ns, int64_t unix_ns)
{
	struct hpt_scale slope = hpt_scale_of(1000000000, hz);

	return (struct hpt_timebase_fields){
		.boot_id = { 1 }, .source = HPT_SOURCE_TSC, .generation = 1, .tick = tick, .error_ppb = 1000,
		.lines = { { .ns = ns, .slope = slope }, { .ns = unix_ns, .slope = slope } },
	};
}

static struct hpt_timebase encoded(const struct hpt_timebase_fields *fields)
{
	struct hpt_timebase base;

	assert_int_equal(hpt_timebase_encode(fields, &base), 0);
	return base;
}

static int64_t saturated(struct hpt_ray ray, int64_t t)
{
	struct hpt_wide ns = hpt_ray_ns(&ray, t);
	int64_t ret = hpt_wide_is_negative(ns) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(ns, &ret);
	return ret;
}

static int64_t want(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, int line, int64_t t)
{
	const struct hpt_timebase_line *from = &a->lines[line], *to = &b->lines[line];

	if (t >= b->tick)
		return saturated((struct hpt_ray){ b->tick, to->ns, to->slope }, t);
	if (t < a->tick)
		return saturated((struct hpt_ray){ a->tick, from->ns, to->slope }, t);
	return saturated((struct hpt_ray){ a->tick, from->ns, hpt_scale_of((uint64_t)to->ns - (uint64_t)from->ns,
					   (uint64_t)b->tick - (uint64_t)a->tick) }, t);
}

static int64_t any_tick(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b)
{
	static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX, 0 };
	uint64_t near = random_below(5);

	switch (random_below(6)) {
	case 0:
		return ends[random_below(COUNT(ends))];
	case 1:
		return (int64_t)((uint64_t)a->tick + near - 2);
	case 2:
		return (int64_t)((uint64_t)b->tick + near - 2);
	case 3:
		return (int64_t)((uint64_t)a->tick + random_below((uint64_t)(b->tick - a->tick) + 1));
	case 4:
		return (int64_t)((uint64_t)b->tick + random_magnitude() - random_magnitude());
	default:
		return (int64_t)random_u64();
	}
}

static void check(const struct hpt_timebase_fields *a, const struct hpt_timebase_fields *b, bool is_alone)
{
	struct hpt_timebase first = encoded(a), last = encoded(b);
	int64_t ticks[MOST], ns[MOST], place[MOST];
	size_t n = random_below(MOST);

	for (size_t i = 0; i < n; i++)
		ticks[i] = i && random_below(3) ? (int64_t)((uint64_t)ticks[i - 1] + random_below(100)) :
						  any_tick(a, b);
	for (int line = 0; line < HPT_TIMEBASE_LINES; line++) {
		int (*convert)(const struct hpt_timebase *, const struct hpt_timebase *, const int64_t *, int64_t *,
			       size_t) = line ? hpt_timebase_to_unix_ns : hpt_timebase_to_ns;

		memset(ns, 0x11, sizeof(ns));
		memcpy(place, ticks, sizeof(place));
		assert_int_equal(convert(&first, is_alone ? NULL : &last, ticks, ns, n), 0);
		assert_int_equal(convert(&first, is_alone ? NULL : &last, place, place, n), 0);
		for (size_t i = 0; i < n; i++) {
			int64_t expected = want(a, is_alone ? a : b, line, ticks[i]);

			if (ns[i] != expected || place[i] != expected)
				fail_msg("tick %lld: %lld, in place %lld, not %lld", (long long)ticks[i],
					 (long long)ns[i], (long long)place[i], (long long)expected);
		}
		for (size_t i = n; i < MOST; i++)
			assert_true(ns[i] == 0x1111111111111111);
	}
}

static void every_tick_is_as_alone(void **state)
{
	static const uint64_t rates_hz[] = { 1, 1000, 10000000, 14318180, 1000000000, 2500000000, 5000000000,
					     300000000000 };

	(void)state;
	for (int round = 0; round < 4000; round++) {
		uint64_t hz = rates_hz[random_below(COUNT(rates_hz))];
		int64_t tick = (int64_t)(random_magnitude() >> 2) * (random_below(4) ? 1 : -1);
		int64_t ns = (int64_t)(random_magnitude() >> 4), unix_ns = INT64_C(1795171679000000000);
		int64_t apart_ns = (int64_t)(random_magnitude() >> 6) + 1;
		double apart = (double)apart_ns * (double)hz / 1e9;
		struct hpt_timebase_fields a = at(hz, tick, ns, unix_ns), b;

		if (apart >= 0x1p60)
			continue;
		b = at(hz + random_below(hz / 1000 + 1), tick + (int64_t)apart, ns + apart_ns,
		       unix_ns + apart_ns / 100 * (int64_t)(90 + random_below(20)));
		if (hpt_timebase_pair(&a, &b))
			continue;
		check(a.tick < b.tick ? &a : &b, &b, round & 1);
	}
}

/* A billion ticks of 4 GHz: a time base at each end, and a third rate between them. */
static void between_two_goes_straight_from_one_to_the_other(void **state)
{
	struct hpt_timebase_fields a = at(4000000000, 4000, 1000, 2000);
	struct hpt_timebase_fields b = at(4000000000, 4000004000, 1000002000, 1000001000);
	struct hpt_timebase first = encoded(&a), last = encoded(&b);
	const int64_t ticks[] = { 0, 4000, 4002, 2000004000, 4000003999, 4000004000, 4000004004 };
	const int64_t want_ns[] = { 0, 1000, 1001, 500001500, 1000002000, 1000002000, 1000002001 };
	struct hpt_timebase_fields c = at(2000000000, 4000, 1500, 2500);
	struct hpt_timebase same = encoded(&c);
	int64_t ns[COUNT(ticks)];

	(void)state;
	assert_int_equal(hpt_timebase_to_ns(&first, &last, ticks, ns, COUNT(ticks)), 0);
	for (size_t i = 0; i < COUNT(ticks); i++)
		assert_int_equal(ns[i], want_ns[i]);
	/* Two at one tick: the later one. */
	assert_int_equal(hpt_timebase_to_ns(&first, &same, ticks, ns, 3), 0);
	assert_true(ns[0] == -500 && ns[1] == 1500 && ns[2] == 1501);
}

/* Two processes' time bases, 10 ns apart, the later one 20 ns lower: the time stands still between them. */
static void never_decreases_between_two(void **state)
{
	struct hpt_timebase_fields a = at(1000000000, 5000, 1000000, 2000000);
	struct hpt_timebase_fields b = at(1000000000, 5010, 999980, 1999980);
	struct hpt_timebase first = encoded(&a), last = encoded(&b);
	int64_t ticks[10], ns[10];

	(void)state;
	for (int i = 0; i < 10; i++)
		ticks[i] = 5000 + i;
	assert_int_equal(hpt_timebase_to_ns(&first, &last, ticks, ns, 10), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ns[i], 1000000);
}

static void wrong_arguments_are_refused(void **state)
{
	struct hpt_timebase_fields a = at(1000000000, 0, 0, 0);
	struct hpt_timebase base = encoded(&a), wrong = { { 0 } }, later;
	int64_t tick = 5;

	(void)state;
	a.generation++;
	later = encoded(&a);
	assert_int_equal(hpt_timebase_to_ns(NULL, NULL, &tick, &tick, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_ns(NULL, &base, &tick, &tick, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, NULL, &tick, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, &tick, NULL, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_ns(&base, &wrong, &tick, &tick, 1), -EINVAL);
	assert_int_equal(hpt_timebase_to_unix_ns(&wrong, &base, &tick, &tick, 1), -EINVAL);
	assert_int_equal(tick, 5);
	assert_int_equal(hpt_timebase_to_ns(&base, &later, &tick, &tick, 1), -ESTALE);
	assert_int_equal(hpt_timebase_to_unix_ns(&base, &later, &tick, &tick, 1), -ESTALE);
	assert_int_equal(tick, 5);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, &tick, &tick, 0), 0);
	assert_int_equal(tick, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tick_is_as_alone),
		cmocka_unit_test(between_two_goes_straight_from_one_to_the_other),
		cmocka_unit_test(never_decreases_between_two),
		cmocka_unit_test(wrong_arguments_are_refused),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
