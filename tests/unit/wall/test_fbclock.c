// SPDX-License-Identifier: MIT
/* The source FBCLOCK in a fake world: its samples contain UTC if its claim holds, or it gives a reason for none. */
#include "daemon_world.h"

/* fbclock_shmsection of facebook/time, fbclock/fbclock.h. */
struct section {
	uint64_t sequence;
	int64_t  ingress_ns;
	uint32_t error_ns, holdover;
	uint64_t leap_s;
	int16_t  before_s, after_s;
	uint32_t clock_id;
	int64_t  phc_ns, system_ns, coefficient_ppb;
};

/* As a table of leap seconds says since 2017. */
#define LEAP_2017_S (1483228800 + 36)
#define TAI_S       37

static struct hpt_wall_reading got;

static uint32_t ask(void)
{
	return world_ask(&hpt_wall_fbclock, &got);
}

/* As the daemon writes now: the card's clock, which is off TAI by off_ns, beside the system's. */
static struct section stated(clockid_t id, int64_t off_ns)
{
	return (struct section){
		.sequence = 2, .ingress_ns = world_utc_ns(world.now_ps) + (TAI_S - 1) * SECOND + off_ns,
		.error_ns = 1000, .leap_s = LEAP_2017_S, .before_s = 36, .after_s = TAI_S, .clock_id = (uint32_t)id,
		.phc_ns = world_utc_ns(world.now_ps) + TAI_S * SECOND + off_ns, .system_ns = fake_world_true_ns(id),
	};
}

/* The file has two sections. */
static uint32_t ask_of(const struct section *s)
{
	struct section both[2] = { *s, { 0 } };

	temp_write("data", both, sizeof(both));
	return ask();
}

static void refused(const struct section *s, uint32_t reason)
{
	assert_int_equal(ask_of(s), reason);
}

static void taken(const struct section *s)
{
	refused(s, HPT_WALL_REASON_NONE);
}

static int64_t width_ns(void)
{
	return got.sample.latest_ns - got.sample.earliest_ns;
}

static void pair_of_readings_is_brought_forward(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 900);

	(void)state;
	assert_int_equal(sizeof(s), 64);
	world_sleep(10000000);
	taken(&s);
	assert_true(world_holds(&got.sample));
	assert_int_equal(got.sample.flags, HPT_WALL_FLAG_CLAIMED);
	assert_int_equal(got.tai_offset_s, TAI_S);
	assert_int_equal(got.leap, HPT_WALL_LEAP_UNKNOWN);
	assert_false(got.has_rate || got.is_holdover);
	/* 1 us, 50 ppm of 10 ms, and what reading the clocks took. */
	assert_in_range(width_ns(), 2 * 1500, 2 * 1500 + 400);
	assert_in_range(got.age_ticks, 25000000, 29000000); /* 10 ms and an eighth */
	/* The slews of CLOCK_REALTIME. */
	s = stated(CLOCK_REALTIME, -900);
	world_sleep(10000000);
	taken(&s);
	assert_true(world_holds(&got.sample));
	assert_in_range(width_ns(), 2 * 1251000, 2 * 1251000 + 400);
}

static void window_grows_since_the_latest_message(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);
	int64_t without_ns;

	(void)state;
	taken(&s);
	without_ns = width_ns();
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.ingress_ns -= 9 * SECOND; /* 10 s in all, and half a ns a second: rounded up */
	s.holdover = 32768;
	taken(&s);
	assert_int_equal(width_ns(), without_ns + 2 * 6);
	s.holdover = 100 << 16;
	taken(&s);
	assert_in_range(width_ns(), without_ns + 2 * 1000, without_ns + 2 * 1000 + 10);
}

static void rate_may_be_given(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	world_config.rate_ppb = 1000000;
	world_sleep(10000000);
	taken(&s);
	assert_in_range(width_ns(), 2 * 11000, 2 * 11000 + 400);
	/* CLOCK_MONOTONIC_RAW need not be as good as the clock. */
	world_config.rate_ppb = 1;
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	world_sleep(10000000);
	taken(&s);
	assert_in_range(width_ns(), 2 * 1500, 2 * 1500 + 400);
}

static void dead_daemon_is_old(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	world_sleep(9999 * (SECOND / 1000));
	taken(&s);
	world_sleep(2 * (SECOND / 1000));
	refused(&s, HPT_WALL_REASON_OLD);
	/* Of before a reboot. */
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.system_ns += SECOND;
	refused(&s, HPT_WALL_REASON_OLD);
	s = stated(CLOCK_REALTIME, 0);
	s.system_ns += SECOND;
	refused(&s, HPT_WALL_REASON_OLD);
}

static void daemon_without_data_is_unsynced(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	s.sequence = 0;
	refused(&s, HPT_WALL_REASON_UNSYNCED);
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.error_ns = 0;
	refused(&s, HPT_WALL_REASON_UNSYNCED);
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.ingress_ns = 0;
	refused(&s, HPT_WALL_REASON_UNSYNCED);
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.phc_ns = 0;
	refused(&s, HPT_WALL_REASON_UNSYNCED);
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.system_ns = 0;
	refused(&s, HPT_WALL_REASON_UNSYNCED);
}

static void window_that_does_not_fit_is_no_bound(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	s.error_ns = UINT32_MAX;
	refused(&s, HPT_WALL_REASON_NO_BOUND);
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.holdover = UINT32_MAX;
	refused(&s, HPT_WALL_REASON_NO_BOUND);
}

#define ABSURD(member, value)                             \
	do {                                              \
		s = stated(CLOCK_MONOTONIC_RAW, 0);       \
		s.member = (value);                       \
		refused(&s, HPT_WALL_REASON_ABSURD);      \
	} while (0)

static void impossible_values_are_refused(void **state)
{
	struct section s;

	(void)state;
	ABSURD(ingress_ns, s.phc_ns + 1);
	ABSURD(ingress_ns, -1);
	ABSURD(phc_ns, -1);
	ABSURD(phc_ns, INT64_MAX);
	ABSURD(phc_ns, HPT_WALL_MOST_NS);
	ABSURD(system_ns, -1);
	ABSURD(before_s, 38 + 1);
	ABSURD(before_s, 35);
	ABSURD(before_s, -36);
	ABSURD(after_s, 0);
	ABSURD(after_s, 38);
	ABSURD(leap_s, 36);
	ABSURD(leap_s, 36 + (UINT64_C(86400) << 40));
	ABSURD(leap_s, LEAP_2017_S + 1);
	ABSURD(leap_s, LEAP_2017_S - 1);
	ABSURD(leap_s, 0);
	ABSURD(leap_s, UINT64_MAX);
	ABSURD(clock_id, CLOCK_MONOTONIC);
	ABSURD(clock_id, 77);
	for (int leap = -2; leap <= 2; leap++) {
		s = stated(CLOCK_MONOTONIC_RAW, 0);
		s.before_s = 9;
		s.after_s = (int16_t)(9 + leap);
		s.leap_s = 1483228800 + 9 + (leap < 0);
		refused(&s, HPT_WALL_REASON_ABSURD);
		s.before_s = 255;
		s.after_s = (int16_t)(255 + leap);
		s.leap_s = 1483228800 + 255 + (leap < 0);
		refused(&s, leap == 1 || leap * leap == 4 ? HPT_WALL_REASON_ABSURD : HPT_WALL_REASON_NONE);
		s.before_s = 256;
		s.after_s = (int16_t)(256 + leap);
		s.leap_s = 1483228800 + 256 + (leap < 0);
		refused(&s, HPT_WALL_REASON_ABSURD);
	}
	/* Earliest before 1970. */
	s = stated(CLOCK_MONOTONIC_RAW, 0);
	s.phc_ns = 38 * SECOND;
	s.ingress_ns = 1;
	s.before_s = s.after_s;
	s.error_ns = 2000000000;
	refused(&s, HPT_WALL_REASON_ABSURD);
}

static void daemon_without_a_table_has_no_utc(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	s.before_s = s.after_s = 0;
	s.leap_s = 0;
	refused(&s, HPT_WALL_REASON_NO_TIMESCALE);
}

static void same_offset_needs_no_leap_second(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	s.before_s = s.after_s;
	s.leap_s = 0;
	taken(&s);
	assert_true(world_holds(&got.sample));
	assert_int_equal(got.tai_offset_s, TAI_S);
	assert_int_equal(got.leap, HPT_WALL_LEAP_UNKNOWN);
}

/* In the daemon's table the next leap second is some days ahead, and is inserted or left out. */
static struct section announced(int leap, int64_t days)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);
	int64_t midnight_s = (world_utc_ns(world.now_ps) / SECOND / 86400 + days) * 86400;

	s.before_s = TAI_S;
	s.after_s = (int16_t)(TAI_S + leap);
	s.leap_s = (uint64_t)(midnight_s + TAI_S + (leap < 0));
	return s;
}

static void announced_leap_second_is_told(void **state)
{
	(void)state;
	for (int leap = -1; leap <= 1; leap += 2) {
		struct section s = announced(leap, 30);

		taken(&s);
		assert_true(world_holds(&got.sample));
		assert_int_equal(got.tai_offset_s, TAI_S);
		assert_int_equal(got.leap, leap > 0 ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT);
		assert_true(got.leap_at_ns == ((int64_t)s.leap_s - TAI_S) / 86400 * 86400 * SECOND);
		assert_int_equal(got.leap_at_ns / SECOND % 86400, 0);
	}
}

/* fbclock smears for 62500 s from then on; this does not. */
static void passed_leap_second_is_counted_at_once(void **state)
{
	struct section s;

	(void)state;
	s = announced(1, 0);
	s.phc_ns += SECOND;
	taken(&s);
	assert_true(world_holds(&got.sample));
	assert_int_equal(got.tai_offset_s, TAI_S + 1);
	assert_int_equal(got.leap, HPT_WALL_LEAP_UNKNOWN);
	assert_int_equal(got.sample.flags, HPT_WALL_FLAG_CLAIMED);
}

static void near_a_leap_second_there_is_none(void **state)
{
	static const struct { int64_t from_leap_ns; uint32_t reason; int offset_s; } rows[] = {
		{ -3 * SECOND, HPT_WALL_REASON_NONE, TAI_S },
		{ -2 * SECOND - 2000, HPT_WALL_REASON_NONE, TAI_S },
		{ -2 * SECOND + 2000, HPT_WALL_REASON_LEAP, 0 },
		{ 0, HPT_WALL_REASON_LEAP, 0 },
		{ SECOND, HPT_WALL_REASON_LEAP, 0 },
		{ 2 * SECOND - 2000, HPT_WALL_REASON_LEAP, 0 },
		{ 2 * SECOND + 2000, HPT_WALL_REASON_NONE, TAI_S + 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct section s = announced(1, 1);

		s.phc_ns = (int64_t)s.leap_s * SECOND + rows[i].from_leap_ns;
		s.ingress_ns = s.phc_ns;
		refused(&s, rows[i].reason);
		if (!rows[i].reason)
			assert_int_equal(got.tai_offset_s, rows[i].offset_s);
	}
}

static void step_of_realtime_is_seen(void **state)
{
	struct section s = stated(CLOCK_REALTIME, 0);

	(void)state;
	world_sleep(10000000);
	taken(&s);
	world.realtime_offset_ns += 5 * SECOND;
	world_off_ns -= 5 * SECOND;
	refused(&s, HPT_WALL_REASON_STEPPED);
	refused(&s, HPT_WALL_REASON_STEPPED);
	world_sleep(SECOND);
	s = stated(CLOCK_REALTIME, 0);
	world_sleep(10000000);
	taken(&s);
	assert_true(world_holds(&got.sample));
}

static void other_time_namespace_is_refused(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	temp_write("offsets", "monotonic      -86400         0\n", 32);
	refused(&s, HPT_WALL_REASON_NAMESPACE);
	/* CLOCK_REALTIME is one for all. */
	s = stated(CLOCK_REALTIME, 0);
	taken(&s);
}

static void other_files_are_refused(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);
	struct hpt_wall_ask question = { .clk = &world_clk, .config = &world_config };

	(void)state;
	assert_int_equal(ask(), HPT_WALL_REASON_ABSENT);
	temp_write("data", &s, 63);
	assert_int_equal(ask(), HPT_WALL_REASON_FORMAT);
	/* Daemons from before June 2026 write one section. */
	temp_write("data", &s, 64);
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	s.sequence = 7;
	refused(&s, HPT_WALL_REASON_TORN);
	assert_string_equal(hpt_wall_fbclock.path(&question), "/run/fbclock/data_v2");
	assert_int_equal(hpt_wall_fbclock.id, HPT_WALL_SOURCE_FBCLOCK);
	assert_true(hpt_wall_fbclock.is_on_request);
}

static int denied_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	(void)id, (void)by_syscall, (void)ret_ns;
	return -EPERM;
}

static void denied_clock_is_a_failure(void **state)
{
	struct section s = stated(CLOCK_MONOTONIC_RAW, 0);

	(void)state;
	world_env.try_clock = denied_clock;
	refused(&s, HPT_WALL_REASON_FAILED);
}

/* ---- Random worlds --------------------------------------------------------------------------------------------- */

static int64_t within(int64_t most)
{
	return (int64_t)random_below(2 * (uint64_t)most + 1) - most;
}

static unsigned int count_false(int n, int factor)
{
	unsigned int n_false = 0;

	for (int i = 0; i < n; i++) {
		int64_t error_ns = 1 + (int64_t)random_below(100000);
		bool is_raw = random_below(2);
		struct section s;

		world_ppb = within(is_raw ? 50000 : 500000);
		world_from_ps = world.now_ps;
		s = stated(is_raw ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME, within(error_ns) * factor);
		s.error_ns = (uint32_t)error_ns;
		world_sleep((int64_t)(random_magnitude() % (9 * (uint64_t)SECOND)));
		taken(&s);
		n_false += !world_holds(&got.sample);
	}
	return n_false;
}

static void random_true_statements_hold(void **state)
{
	(void)state;
	random_start();
	assert_int_equal(count_false(rounds(20000), 1), 0);
}

/* The test above can fail. */
static void false_statements_are_seen(void **state)
{
	(void)state;
	assert_true(count_false(400, 20) > 20);
}

/* Members of any value: no crash, and what is accepted can be taken by a record. */
static void random_sections_are_sane_if_accepted(void **state)
{
	unsigned int accepted = 0;

	(void)state;
	for (int i = 0; i < rounds(30000); i++) {
		struct section s = stated(random_below(2) ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME, 0);
		uint64_t at = random_below(7);
		uint64_t word = random_magnitude();

		memcpy((char *)&s + 8 + 8 * at, &word, random_below(2) ? 8 : 4);
		if (ask_of(&s))
			continue;
		accepted++;
		assert_true(hpt_wall_is_plausible(got.sample.earliest_ns, got.sample.latest_ns));
		assert_true(got.sample.before <= got.sample.after);
		assert_in_range(got.tai_offset_s, 10, 255);
	}
	note("accepted: %u", accepted);
	assert_true(accepted > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(pair_of_readings_is_brought_forward, world_setup),
		cmocka_unit_test_setup(window_grows_since_the_latest_message, world_setup),
		cmocka_unit_test_setup(rate_may_be_given, world_setup),
		cmocka_unit_test_setup(dead_daemon_is_old, world_setup),
		cmocka_unit_test_setup(daemon_without_data_is_unsynced, world_setup),
		cmocka_unit_test_setup(window_that_does_not_fit_is_no_bound, world_setup),
		cmocka_unit_test_setup(impossible_values_are_refused, world_setup),
		cmocka_unit_test_setup(daemon_without_a_table_has_no_utc, world_setup),
		cmocka_unit_test_setup(same_offset_needs_no_leap_second, world_setup),
		cmocka_unit_test_setup(announced_leap_second_is_told, world_setup),
		cmocka_unit_test_setup(passed_leap_second_is_counted_at_once, world_setup),
		cmocka_unit_test_setup(near_a_leap_second_there_is_none, world_setup),
		cmocka_unit_test_setup(step_of_realtime_is_seen, world_setup),
		cmocka_unit_test_setup(other_time_namespace_is_refused, world_setup),
		cmocka_unit_test_setup(other_files_are_refused, world_setup),
		cmocka_unit_test_setup(denied_clock_is_a_failure, world_setup),
		cmocka_unit_test_setup(random_true_statements_hold, world_setup),
		cmocka_unit_test_setup(false_statements_are_seen, world_setup),
		cmocka_unit_test_setup(random_sections_are_sane_if_accepted, world_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
