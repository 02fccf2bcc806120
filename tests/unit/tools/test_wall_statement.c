// SPDX-License-Identifier: MIT
/*
 * Statements for ClockBound's clients: what these make of each, by their own arithmetic with doubles, holds UTC as long
 * as it is not void, for each rate that the wall takes for possible.
 */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "wall/clockbound_segment.h"
#include "wall/wall_statement.h"

#define S   INT64_C(1000000000)
#define NOW (1700000000 * S + 345678901)

/* What a client has: clockbound_now() of both versions, in doubles as theirs. */
struct interval {
	int64_t earliest_ns, latest_ns;
	bool is_void;
};

/* compute_bound_at() of clock-bound-shm 2.0.3: real_ns and mono_ns are what it reads. */
static struct interval by_version_2(const struct wall_statement *s, int64_t real_ns, int64_t mono_ns)
{
	double seconds = (double)(mono_ns - s->as_of_ns) / 1e9;
	int64_t bound_ns = s->bound_ns + (int64_t)(seconds * (double)s->drift_ppb);

	return (struct interval){ real_ns - bound_ns, real_ns + bound_ns, mono_ns >= s->void_after_ns };
}

/* compute_bound_at_tsc() of clock-bound 3.0.0-rc.0. */
static struct interval by_version_3(const struct wall_statement *s, uint64_t tick)
{
	double ticks = (double)(tick - s->as_of_tick), period = (double)s->period / ldexp(1, 64 + (int)s->period_shift);
	double duration = ticks * period;
	int64_t now_ns = s->as_of_ns + (int64_t)(ticks * period * 1e9);
	int64_t bound_ns = (int64_t)((double)s->bound_ns + duration * (double)s->drift_ppb + ticks * period * 1e9 * 0);

	return (struct interval){ now_ns - bound_ns, now_ns + bound_ns, now_ns > s->void_after_ns };
}

/* A wall on a counter of 2.5 GHz, which knows UTC to 100 us. */
static struct wall_facts facts_of_bound(void)
{
	return (struct wall_facts){
		.state = HPT_WALL_STATE_SYNCED,
		.time = { .earliest_ns = NOW - 60000, .latest_ns = NOW + 40000, .tick = 123456789012,
			  .state = HPT_WALL_STATE_SYNCED },
		.ahead_min_ns = -30000, .ahead_max_ns = 70000,
		.info = { .state = HPT_WALL_STATE_SYNCED, .age_ns = S / 2, .rate_lo_ppb = -12000,
			  .rate_hi_ppb = 20001, .rate_ppb = 50000, .wander_ppb = 15000 },
		.tick = 123456780000, .unix_ns = NOW, .mono_ns = 12 * S + 34567, .has_marker = true,
		.marker = UINT64_C(0x1122334455667788), .ticks_ns = INT64_C(450359962737050),
	};
}

/* Some 122 kHz to 64 GHz: 2^44 ns to 2^63. */
static int64_t random_ticks_ns(void)
{
	return (int64_t)((UINT64_C(1) << 44) << random_below(18)) + (int64_t)random_below(UINT64_C(1) << 44);
}

static struct wall_facts random_facts(void)
{
	struct wall_facts f = facts_of_bound();
	int64_t width_ns = (int64_t)random_below(UINT64_C(1) << random_below(36)), rate = (int64_t)random_below(400000);

	f.state = f.time.state = random_below(2) ? HPT_WALL_STATE_SYNCED : HPT_WALL_STATE_HOLDOVER;
	f.ticks_ns = random_ticks_ns();
	f.time.tick = (hpt_time_t)random_below(UINT64_C(1) << random_below(63));
	f.time.latest_ns = f.time.earliest_ns + width_ns;
	f.ahead_min_ns = (int64_t)random_below(UINT64_C(1) << random_below(40)) - S;
	f.ahead_max_ns = f.ahead_min_ns + width_ns;
	f.info.rate_lo_ppb = (int32_t)(random_below(2 * (uint64_t)rate + 1)) - (int32_t)rate;
	f.info.rate_hi_ppb = f.info.rate_lo_ppb + (int32_t)random_below(100000);
	f.info.age_ns = (int64_t)random_below(UINT64_C(1) << random_below(41));
	f.is_last = random_below(2);
	return f;
}

static const char *name_of(const struct wall_facts *f)
{
	static char text[200];

	snprintf(text, sizeof(text), "2^50 ticks are %lld ns, rate %d to %d ppb, width %lld ns, age %lld ns",
		 (long long)f->ticks_ns, f->info.rate_lo_ppb, f->info.rate_hi_ppb,
		 (long long)(f->time.latest_ns - f->time.earliest_ns), (long long)f->info.age_ns);
	return text;
}

/* ---- Version 3 --------------------------------------------------------------------------------------------------- */

/* UTC, in ns after NOW, when the counter shows the tick, at one end of the interval and of the band. */
static long double utc_at(const struct wall_facts *f, bool is_fast, uint64_t ticks)
{
	/* The wall gives its rates to the nearest 10^-9. */
	long double ppb = is_fast ? (long double)f->info.rate_hi_ppb + 0.5L : (long double)f->info.rate_lo_ppb - 0.5L;
	long double tick_ns = ldexpl((long double)f->ticks_ns, -50) * (1 + ppb * 1e-9L);
	int64_t from_ns = is_fast ? f->time.latest_ns : f->time.earliest_ns;

	return (long double)(from_ns - NOW) + (long double)ticks * tick_ns;
}

static void check_counter(const struct wall_facts *f, const struct wall_statement *s, int64_t after_ns)
{
	uint64_t ticks = (uint64_t)(ldexpl((long double)after_ns, 50) / (long double)f->ticks_ns);
	struct interval got = by_version_3(s, (uint64_t)f->time.tick + ticks);
	long double slack = 8 + 2.1e-9L * (long double)after_ns * 2;

	if (got.is_void)
		return;
	if ((long double)(got.earliest_ns - NOW) > utc_at(f, false, ticks) ||
	    (long double)(got.latest_ns - NOW) < utc_at(f, true, ticks))
		fail_msg("%s: after %lld ns UTC is outside", name_of(f), (long long)after_ns);
	/* No wider than need be. */
	if ((long double)(got.latest_ns - got.earliest_ns) >
	    utc_at(f, true, ticks) - utc_at(f, false, ticks) + slack + (long double)after_ns * 1e-9L * 2)
		fail_msg("%s: after %lld ns it is too wide", name_of(f), (long long)after_ns);
}

static void counter_holds_utc_until_it_is_void(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		struct wall_facts f = random_facts();
		struct wall_statement s = wall_statement_of(&f, 3);

		if (s.status == HPT_CLOCKBOUND_UNKNOWN) {
			assert_true(f.info.age_ns >= WALL_FACTS_MAX_AGE_NS);
			continue;
		}
		check_counter(&f, &s, 0);
		check_counter(&f, &s, (int64_t)random_below(UINT64_C(1) << random_below(41)));
		check_counter(&f, &s, s.void_after_ns - s.as_of_ns);
	}
}

/* 2^31 Hz: a tick that is a little longer needs another bit. */
static void frequency_that_is_a_power_of_two(void **state)
{
	struct wall_facts f = facts_of_bound();
	struct wall_statement s;

	(void)state;
	f.ticks_ns = S << 19;
	for (f.info.rate_lo_ppb = -400000; f.info.rate_lo_ppb <= 400000; f.info.rate_lo_ppb += 200000) {
		f.info.rate_hi_ppb = f.info.rate_lo_ppb + 30000;
		s = wall_statement_of(&f, 3);
		check_counter(&f, &s, 100 * S);
	}
}

/* The library's own reader allows for another 10^-9, and for a step. */
static void own_reader_takes_the_same_lines(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(20000); i++) {
		struct wall_facts f = random_facts();
		struct wall_statement s;
		struct hpt_clockbound got;
		unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
		uint64_t ticks = random_below(UINT64_C(1) << 40);
		struct hpt_utc utc;

		/* It takes counters from 1 MHz on. */
		f.ticks_ns = random_ticks_ns() % (INT64_C(1000) << 49) + (INT64_C(1) << 44);
		s = wall_statement_of(&f, 3);
		if (s.status == HPT_CLOCKBOUND_UNKNOWN)
			continue;
		assert_int_equal(wall_statement_bytes(&s, 4, bytes), sizeof(bytes));
		assert_int_equal(hpt_clockbound_parse(bytes, sizeof(bytes), &got), HPT_WALL_REASON_NONE);
		assert_int_equal(got.version, 3);
		assert_true(got.lines.tick == (uint64_t)f.time.tick);
		assert_true(got.is_holdover == (s.status == HPT_CLOCKBOUND_FREE_RUNNING));
		assert_true(got.void_after_ns == s.void_after_ns && got.as_of_ns == s.as_of_ns);
		utc = hpt_bound_after(&got.lines, ticks);
		assert_true((long double)(utc.lo_ns - NOW) <= utc_at(&f, false, ticks));
		assert_true((long double)(utc.hi_ns - NOW) >= utc_at(&f, true, ticks));
	}
}

/* ---- Version 2 --------------------------------------------------------------------------------------------------- */

/*
 * A client that reads CLOCK_REALTIME as long after the look as UTC passes after_ns, while the clock runs as fast or as
 * slow as adjtimex(2) allows, and CLOCK_MONOTONIC_COARSE a step before.
 */
static void check_realtime(const struct wall_facts *f, const struct wall_statement *s, int64_t after_ns, int sign)
{
	long double x = 0.101L + (long double)f->info.rate_ppb * 1e-9L;
	int64_t passed_ns = (int64_t)((long double)after_ns * (1 + sign * x));
	struct interval got = by_version_2(s, NOW + passed_ns, f->mono_ns + passed_ns);

	if (got.is_void)
		return;
	if (got.earliest_ns > NOW - f->ahead_max_ns + after_ns || got.latest_ns < NOW - f->ahead_min_ns + after_ns)
		fail_msg("%s, ahead by %lld to %lld ns: after %lld ns UTC is outside", name_of(f),
			 (long long)f->ahead_min_ns, (long long)f->ahead_max_ns, (long long)after_ns);
}

static void realtime_holds_utc_however_it_is_slewed(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		struct wall_facts f = random_facts();
		struct wall_statement s = wall_statement_of(&f, 2);

		if (s.status == HPT_CLOCKBOUND_UNKNOWN) {
			assert_true(f.info.age_ns >= WALL_FACTS_MAX_AGE_NS);
			continue;
		}
		for (int sign = -1; sign <= 1; sign++) {
			check_realtime(&f, &s, 0, sign);
			check_realtime(&f, &s, (int64_t)random_below(UINT64_C(1) << random_below(34)), sign);
		}
	}
}

static void realtime_is_no_wider_than_need_be(void **state)
{
	struct wall_facts f = facts_of_bound();
	struct wall_statement s = wall_statement_of(&f, 2);

	(void)state;
	assert_in_range(s.bound_ns, 70000, 70003);
	/* 0.10105 / 0.89895 */
	assert_in_range(s.drift_ppb, 112408921, 112408923);
	f.ahead_min_ns = -90000;
	s = wall_statement_of(&f, 2);
	assert_in_range(s.bound_ns, 90000, 90003);
}

static void rate_that_the_layout_cannot_hold(void **state)
{
	struct wall_facts f = facts_of_bound();

	(void)state;
	/* x / (1 - x) is 1 at a half. */
	f.info.rate_ppb = 398999000;
	assert_int_equal(wall_statement_of(&f, 2).status, HPT_CLOCKBOUND_SYNCHRONIZED);
	f.info.rate_ppb = 399000000;
	assert_int_equal(wall_statement_of(&f, 2).status, HPT_CLOCKBOUND_UNKNOWN);
	f.info.rate_ppb = 999999999;
	assert_int_equal(wall_statement_of(&f, 2).status, HPT_CLOCKBOUND_UNKNOWN);
	f.info.rate_lo_ppb = -500000000;
	f.info.rate_hi_ppb = 500000000;
	assert_int_equal(wall_statement_of(&f, 3).status, HPT_CLOCKBOUND_SYNCHRONIZED);
	f.info.rate_lo_ppb = -1000000000 + 1;
	assert_int_equal(wall_statement_of(&f, 3).status, HPT_CLOCKBOUND_UNKNOWN);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

static void status_is_the_walls_state(void **state)
{
	static const struct { uint32_t state; bool is_last; uint32_t status; } rows[] = {
		{ HPT_WALL_STATE_NONE, false, HPT_CLOCKBOUND_UNKNOWN },
		{ HPT_WALL_STATE_SYNCED, false, HPT_CLOCKBOUND_SYNCHRONIZED },
		{ HPT_WALL_STATE_SYNCED, true, HPT_CLOCKBOUND_FREE_RUNNING },
		{ HPT_WALL_STATE_HOLDOVER, false, HPT_CLOCKBOUND_FREE_RUNNING },
		{ HPT_WALL_STATE_HOLDOVER, true, HPT_CLOCKBOUND_FREE_RUNNING },
		{ HPT_WALL_STATE_UNSYNCED, false, HPT_CLOCKBOUND_UNKNOWN },
		{ HPT_WALL_STATE_STALE, false, HPT_CLOCKBOUND_UNKNOWN },
		{ HPT_WALL_STATE_DISRUPTED, false, HPT_CLOCKBOUND_DISRUPTED },
		{ HPT_WALL_STATE_DISRUPTED, true, HPT_CLOCKBOUND_DISRUPTED },
		{ HPT_WALL_STATE_CONTRADICTED, false, HPT_CLOCKBOUND_UNKNOWN },
		{ HPT_WALL_STATE_LEAP, false, HPT_CLOCKBOUND_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (uint32_t version = 2; version <= 3; version++) {
			struct wall_facts f = facts_of_bound();

			f.state = rows[i].state;
			f.is_last = rows[i].is_last;
			assert_int_equal(wall_statement_of(&f, version).status, rows[i].status);
		}
	}
}

/* Clients that do not look at the status get years, and nothing that overflows. */
static void no_bound_is_void_and_wide(void **state)
{
	(void)state;
	for (uint32_t version = 2; version <= 3; version++) {
		struct wall_facts f = facts_of_bound();
		struct wall_statement s;
		struct interval got;

		f.state = HPT_WALL_STATE_CONTRADICTED;
		s = wall_statement_of(&f, version);
		assert_true(s.as_of_ns == (version == 2 ? f.mono_ns : f.unix_ns));
		assert_true(s.void_after_ns == s.as_of_ns);
		assert_true(s.has_marker && s.marker == f.marker);
		if (version == 2)
			got = by_version_2(&s, NOW, f.mono_ns + 1);
		else
			got = by_version_3(&s, (uint64_t)f.tick + 2500000000);
		assert_true(got.is_void);
		assert_true(got.latest_ns - got.earliest_ns > 10 * 365 * 86400 * S && got.earliest_ns > 0);
		assert_true(got.latest_ns > NOW && got.earliest_ns < NOW);
	}
}

static void rate_that_is_not_known_yet(void **state)
{
	struct wall_facts f = facts_of_bound();
	struct wall_statement s;

	(void)state;
	f.ticks_ns = 0;
	s = wall_statement_of(&f, 3);
	assert_int_equal(s.status, HPT_CLOCKBOUND_UNKNOWN);
	assert_int_equal(s.period, 0);
	assert_int_equal(wall_statement_of(&f, 2).status, HPT_CLOCKBOUND_SYNCHRONIZED);
}

static int64_t life_ns(const struct wall_facts *f, uint32_t version)
{
	struct wall_statement s = wall_statement_of(f, version);

	return s.void_after_ns - s.as_of_ns;
}

static void it_lives_as_long_as_the_wall_would(void **state)
{
	struct wall_facts f = facts_of_bound();

	(void)state;
	assert_true(life_ns(&f, 3) == 1000 * S - f.info.age_ns);
	assert_true(life_ns(&f, 2) == 10 * S);
	f.info.age_ns = 995 * S;
	assert_true(life_ns(&f, 3) == 5 * S);
	assert_true(life_ns(&f, 2) == 5 * S);
	f.info.age_ns = 1000 * S;
	for (uint32_t version = 2; version <= 3; version++)
		assert_int_equal(wall_statement_of(&f, version).status, HPT_CLOCKBOUND_UNKNOWN);
}

/* Whatever a client makes of it, UTC is then a second and more before the leap second. */
static void it_is_void_before_a_leap_second(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(20000); i++) {
		struct wall_facts f = random_facts();
		struct wall_statement s;

		f.info.age_ns = 0;
		f.time.flags = 0;
		f.info.leap_at_ns = f.time.latest_ns + (int64_t)random_below(UINT64_C(1) << random_below(42));
		s = wall_statement_of(&f, 3);
		if (s.status != HPT_CLOCKBOUND_UNKNOWN)
			assert_true(s.void_after_ns + s.bound_ns - 3 +
				    (int64_t)((long double)(s.void_after_ns - s.as_of_ns) * s.drift_ppb / 1e9L) <=
				    f.info.leap_at_ns - S);
		s = wall_statement_of(&f, 2);
		if (s.status != HPT_CLOCKBOUND_UNKNOWN)
			assert_true(f.time.latest_ns + (s.void_after_ns - s.as_of_ns) * 10000 / 8989 <=
				    f.info.leap_at_ns - S);
		f.time.flags = HPT_WALL_FLAG_SMEARED;
		assert_true(life_ns(&f, 3) == 1000 * S);
	}
}

static void near_a_leap_second_there_is_no_bound(void **state)
{
	struct wall_facts f = facts_of_bound();

	(void)state;
	f.info.leap_at_ns = f.time.latest_ns + 30 * S;
	assert_in_range(life_ns(&f, 3), 28 * S, 29 * S);
	f.info.leap_at_ns = f.time.latest_ns + S;
	for (uint32_t version = 2; version <= 3; version++)
		assert_int_equal(wall_statement_of(&f, version).status, HPT_CLOCKBOUND_UNKNOWN);
	f.info.leap_at_ns = f.time.latest_ns - 3 * S;
	for (uint32_t version = 2; version <= 3; version++)
		assert_int_equal(wall_statement_of(&f, version).status, HPT_CLOCKBOUND_UNKNOWN);
}

static void bytes_are_where_the_reader_has_them(void **state)
{
	(void)state;
	for (uint32_t version = 2; version <= 3; version++) {
		struct wall_facts f = facts_of_bound();
		struct wall_statement s = wall_statement_of(&f, version);
		unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
		size_t n = wall_statement_bytes(&s, 0x1234, bytes);
		struct hpt_clockbound got;

		assert_int_equal(n, version == 2 ? 80 : 104);
		assert_int_equal(hpt_clockbound_parse(bytes, n, &got), HPT_WALL_REASON_NONE);
		assert_int_equal(got.version, version);
		assert_false(got.is_holdover);
		assert_true(got.has_marker && got.marker == f.marker);
		assert_true(got.as_of_ns == s.as_of_ns && got.void_after_ns == s.void_after_ns);
		assert_true(got.bound_ns == s.bound_ns && got.drift_ppb == s.drift_ppb);
		assert_memory_equal(bytes + 14, &(uint16_t){ 0x1234 }, 2);
		f.has_marker = false;
		s = wall_statement_of(&f, version);
		n = wall_statement_bytes(&s, 0x1234, bytes);
		assert_int_equal(hpt_clockbound_parse(bytes, n, &got), HPT_WALL_REASON_NONE);
		assert_false(got.has_marker);
		/* 0: there is no generation yet. */
		assert_true(hpt_clockbound_is_settled(bytes, n));
		wall_statement_bytes(&s, 0, bytes);
		assert_false(hpt_clockbound_is_settled(bytes, n));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counter_holds_utc_until_it_is_void),
		cmocka_unit_test(frequency_that_is_a_power_of_two),
		cmocka_unit_test(own_reader_takes_the_same_lines),
		cmocka_unit_test(realtime_holds_utc_however_it_is_slewed),
		cmocka_unit_test(realtime_is_no_wider_than_need_be),
		cmocka_unit_test(rate_that_the_layout_cannot_hold),
		cmocka_unit_test(status_is_the_walls_state),
		cmocka_unit_test(no_bound_is_void_and_wide),
		cmocka_unit_test(rate_that_is_not_known_yet),
		cmocka_unit_test(it_lives_as_long_as_the_wall_would),
		cmocka_unit_test(it_is_void_before_a_leap_second),
		cmocka_unit_test(near_a_leap_second_there_is_no_bound),
		cmocka_unit_test(bytes_are_where_the_reader_has_them),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
