// SPDX-License-Identifier: MIT
/* The source CLOCKBOUND in a fake world: its samples contain UTC, or it gives a reason for none. */
#include "clockbound_bytes.h"
#include "daemon_world.h"
#include "open_files.h"
#include "vmclock_page.h"

static struct hpt_wall_reading got;

static uint32_t ask(void)
{
	return world_ask(&hpt_wall_clockbound, &got);
}

static void write_segment(const char *name, const struct segment *s)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];

	temp_write(name, bytes, segment_bytes(s, bytes));
}

static void set_time(int64_t ns, int64_t *ret_s, int64_t *ret_ns)
{
	*ret_s = ns / SECOND;
	*ret_ns = ns % SECOND;
}

/* Stated now, by CLOCK_MONOTONIC. */
static struct segment stated_2(void)
{
	struct segment s = segment_2;

	set_time(fake_world_true_ns(CLOCK_MONOTONIC), &s.as_of_s, &s.as_of_ns);
	s.void_s = s.as_of_s + 1000;
	return s;
}

/* Stated now, by the counter; as_of is off UTC by off_ns. */
static struct segment stated_3(int64_t off_ns)
{
	struct segment s = segment_3;

	s.as_of_tick = world_tick();
	set_time(world_utc_ns(world.now_ps) - off_ns, &s.as_of_s, &s.as_of_ns);
	s.void_s = s.as_of_s + 1000;
	return s;
}

static void refused(const char *name, const struct segment *s, uint32_t reason)
{
	write_segment(name, s);
	assert_int_equal(ask(), reason);
}

static void taken(const char *name, const struct segment *s)
{
	refused(name, s, HPT_WALL_REASON_NONE);
}

/* ---- Version 2 ------------------------------------------------------------------------------------------------- */

static int64_t width_ns(void)
{
	return got.sample.latest_ns - got.sample.earliest_ns;
}

static void version_2_bounds_realtime(void **state)
{
	struct segment s = stated_2();

	(void)state;
	world_sleep(10 * SECOND);
	taken("shm0", &s);
	assert_true(world_holds(&got.sample));
	/* 50 us, 15 ppm of 10 s and of the reads; CLOCK_REALTIME's step is 1 ns. */
	assert_in_range(width_ns(), 2 * 200000, 2 * 200000 + 30);
	assert_false(got.has_rate);
	assert_int_equal(got.sample.flags, 0);
	assert_int_equal(got.leap, HPT_WALL_LEAP_UNKNOWN);
	assert_int_equal(got.tai_offset_s, 0);
	/* 10 s are 25e9 ticks; MONOTONIC may have been slow. */
	assert_in_range(got.age_ticks, UINT64_C(25000000000), UINT64_C(29000000000));
	assert_true(got.sample.before < got.sample.after && got.sample.after <= (hpt_time_t)world_tick());
}

/* The error grows by the drift, rounded up: a third of a ns is a whole one. */
static void drift_is_rounded_up(void **state)
{
	struct segment s = stated_2();
	int64_t without_ns;

	(void)state;
	world_config.wander_ppb = 1;
	s.drift_ppb = 0;
	taken("shm0", &s);
	without_ns = width_ns();
	assert_in_range(without_ns, 100000, 100003);
	s = stated_2();
	s.drift_ppb = 1;
	world_sleep(SECOND / 3);
	taken("shm0", &s);
	assert_in_range(width_ns(), 100002, 100003);
}

/* What the daemon assumes of the rate, and what the wall does: whichever is more. */
static void greatest_drift_counts(void **state)
{
	static const struct { uint32_t drift_ppb, wander_ppb; int64_t most_ppb; } rows[] = {
		{ 1000, 0, 15000 }, { 50000, 0, 50000 }, { 1000, 3000, 3000 }, { 4000, 3000, 4000 }, { 0, 3000, 3000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct segment s = stated_2();

		s.drift_ppb = rows[i].drift_ppb;
		world_config.wander_ppb = rows[i].wander_ppb;
		world_sleep(SECOND);
		taken("shm0", &s);
		assert_in_range(width_ns(), 2 * (50000 + rows[i].most_ppb), 2 * (50000 + rows[i].most_ppb) + 30);
	}
}

static void old_statement_is_holdover(void **state)
{
	struct segment s = stated_2();

	(void)state;
	world_sleep(4 * SECOND);
	taken("shm0", &s);
	assert_false(got.is_holdover);
	world_sleep(SECOND);
	taken("shm0", &s);
	assert_true(got.is_holdover);
	s = stated_2();
	s.status = 2;
	taken("shm0", &s);
	assert_true(got.is_holdover);
	s = stated_3(0);
	world_sleep(59 * SECOND);
	taken("shm1", &s);
	assert_false(got.is_holdover);
	world_sleep(SECOND);
	taken("shm1", &s);
	assert_true(got.is_holdover);
	s = stated_3(0);
	s.status = 2;
	taken("shm1", &s);
	assert_true(got.is_holdover);
}

static void dead_writer_is_old(void **state)
{
	struct segment s = stated_2();

	(void)state;
	world_sleep(999 * SECOND);
	taken("shm0", &s);
	world_sleep(SECOND);
	refused("shm0", &s, HPT_WALL_REASON_OLD);
	s = stated_3(0);
	world_sleep(998 * SECOND);
	taken("shm1", &s);
	world_sleep(2 * SECOND);
	refused("shm1", &s, HPT_WALL_REASON_OLD);
}

static void statement_of_the_future_is_absurd(void **state)
{
	struct segment s = stated_2();

	(void)state;
	s.as_of_s++;
	s.void_s++;
	refused("shm0", &s, HPT_WALL_REASON_ABSURD);
	/* Within ClockBound's own tolerance its age is 0. */
	s = stated_2();
	set_time(fake_world_true_ns(CLOCK_MONOTONIC) + 1000, &s.as_of_s, &s.as_of_ns);
	taken("shm0", &s);
	assert_in_range(width_ns(), 100000, 100001);
	assert_in_range(got.age_ticks, 0, 1);
	s = stated_2();
	set_time(fake_world_true_ns(CLOCK_MONOTONIC) + 2000, &s.as_of_s, &s.as_of_ns);
	refused("shm0", &s, HPT_WALL_REASON_ABSURD);
}

static void absurd_intervals_are_refused(void **state)
{
	struct segment s = stated_2();

	(void)state;
	s.bound_ns = INT64_C(8000000000000000000);
	refused("shm0", &s, HPT_WALL_REASON_ABSURD);
	/* Earliest before 1970, by a nanosecond or so; and latest after 2224. */
	s.bound_ns = fake_world_true_ns(CLOCK_REALTIME) + 100000;
	refused("shm0", &s, HPT_WALL_REASON_ABSURD);
	s.bound_ns -= 200000;
	taken("shm0", &s);
	s = stated_2();
	world.realtime_offset_ns = HPT_WALL_MOST_NS - 2000 * SECOND;
	refused("shm0", &s, HPT_WALL_REASON_STEPPED);
	world_sleep(SECOND);
	s = stated_2();
	taken("shm0", &s);
	s.bound_ns = 2000 * SECOND;
	refused("shm0", &s, HPT_WALL_REASON_ABSURD);
}

/* ClockBound 2 itself gives an interval that is wrong by the step, and says SYNCHRONIZED. */
static void step_of_realtime_since_the_statement_is_seen(void **state)
{
	static const int64_t steps[] = { 3600 * SECOND, -3600 * SECOND, 10000, -10000 };

	(void)state;
	for (size_t i = 0; i < COUNT(steps); i++) {
		struct segment s = stated_2();

		world_sleep(SECOND);
		taken("shm0", &s);
		world.realtime_offset_ns += steps[i];
		world_off_ns -= steps[i];
		refused("shm0", &s, HPT_WALL_REASON_STEPPED);
		refused("shm0", &s, HPT_WALL_REASON_STEPPED);
		world_sleep(SECOND);
		refused("shm0", &s, HPT_WALL_REASON_STEPPED);
		/* The daemon has noticed. */
		world_sleep(SECOND);
		world_off_ns = 0;
		s = stated_2();
		world_sleep(SECOND);
		taken("shm0", &s);
		assert_true(world_holds(&got.sample));
	}
}

static void sleep_since_the_statement_is_seen(void **state)
{
	struct segment s = stated_2();

	(void)state;
	taken("shm0", &s);
	/* CLOCK_REALTIME goes on while the machine sleeps, CLOCK_MONOTONIC does not. */
	world.realtime_offset_ns += 100 * SECOND;
	refused("shm0", &s, HPT_WALL_REASON_STEPPED);
	world_sleep(SECOND);
	refused("shm0", &s, HPT_WALL_REASON_STEPPED);
}

/* A slew moves CLOCK_MONOTONIC alike, and is part of what the daemon states. */
static void slew_is_no_step(void **state)
{
	struct segment s;

	(void)state;
	world_config.wander_ppb = 1;
	fake_world_slew(&world.wall, -83000000);
	world_sleep(SECOND);
	s = stated_2();
	world_sleep(SECOND);
	taken("shm0", &s);
	assert_in_range(width_ns(), 100000 + 2 * 900, 100000 + 2 * 1100);
}

static void other_time_namespace_is_refused(void **state)
{
	struct segment s = stated_2();

	(void)state;
	temp_write("offsets", "monotonic           0         0\nboottime            0         0\n", 64);
	taken("shm0", &s);
	temp_write("offsets", "monotonic      -86400         0\nboottime            0         0\n", 64);
	refused("shm0", &s, HPT_WALL_REASON_NAMESPACE);
	temp_write("offsets", "monotonic           0         1\nboottime            0         0\n", 64);
	refused("shm0", &s, HPT_WALL_REASON_NAMESPACE);
	/* Version 3 has no times of that clock. */
	s = stated_3(0);
	taken("shm1", &s);
}

static int denied_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	(void)id, (void)by_syscall, (void)ret_ns;
	return -EPERM;
}

static void denied_clock_is_a_failure(void **state)
{
	struct segment s = stated_2();

	(void)state;
	world_env.try_clock = denied_clock;
	refused("shm0", &s, HPT_WALL_REASON_FAILED);
}

/* ---- Version 3 ------------------------------------------------------------------------------------------------- */

static void version_3_is_a_line_of_the_counter(void **state)
{
	struct segment s = stated_3(20000);

	(void)state;
	world_sleep(10 * SECOND);
	taken("shm1", &s);
	assert_true(world_holds(&got.sample));
	assert_true(got.sample.before == got.sample.after);
	assert_true(got.age_ticks == (uint64_t)got.sample.before - s.as_of_tick);
	/* 50 us, and 15.1 ppm of 10 s. */
	assert_in_range(width_ns(), 2 * 201000, 2 * 201000 + 30);
	assert_true(got.has_rate);
	assert_false(got.rate.lo.whole || got.rate.hi.whole);
	/* 0.4 ns and 15.1 ppm, of which the error of the period is rounded up by a billionth. */
	assert_in_range(got.rate.lo.frac / 1e9, 7378697629.4838 * (1 - 15102e-9), 7378697629.4838 * (1 - 15100e-9));
	assert_in_range(got.rate.hi.frac / 1e9, 7378697629.4838 * (1 + 15099e-9), 7378697629.4838 * (1 + 15102e-9));
}

static void counter_behind_the_statement_is_old(void **state)
{
	struct segment s = stated_3(0);

	(void)state;
	s.as_of_tick += 1000000;
	refused("shm1", &s, HPT_WALL_REASON_OLD);
	s.as_of_tick = world_tick() + (UINT64_C(1) << 63);
	refused("shm1", &s, HPT_WALL_REASON_OLD);
	s.as_of_tick = world_tick() - (UINT64_C(1) << 50) - 1;
	refused("shm1", &s, HPT_WALL_REASON_OLD);
	/* 819.2 ns a tick, 2^64 ns ago: nothing, modulo 2^64. */
	s.period_shift = 20;
	s.period_error = s.drift_ppb = 0;
	s.as_of_tick = world_tick() - 5 * (UINT64_C(1) << 52);
	refused("shm1", &s, HPT_WALL_REASON_OLD);
}

static void version_3_needs_its_own_counter(void **state)
{
	struct segment s = stated_3(0);

	(void)state;
	world_own.id = HPT_SOURCE_HPET;
	refused("shm1", &s, HPT_WALL_REASON_OTHER_COUNTER);
	world_own.id = HPT_SOURCE_OS;
	refused("shm1", &s, HPT_WALL_REASON_OTHER_COUNTER);
	/* Version 2 does not. */
	world_own.id = HPT_SOURCE_HPET;
	s = stated_2();
	taken("shm0", &s);
	assert_false(got.has_rate);
}

/* ---- Both ------------------------------------------------------------------------------------------------------ */

static void version_3_comes_first_and_2_if_it_gives_nothing(void **state)
{
	struct segment two = stated_2(), three = stated_3(0);

	(void)state;
	assert_int_equal(ask(), HPT_WALL_REASON_ABSENT);
	write_segment("shm0", &two);
	taken("shm1", &three);
	assert_true(got.has_rate);
	three.version = 0x0404;
	taken("shm1", &three);
	assert_false(got.has_rate);
	/* The reason of the first that is there. */
	two.bound_ns = -1;
	write_segment("shm0", &two);
	refused("shm1", &three, HPT_WALL_REASON_FORMAT);
	unlink(temp_path("shm1"));
	assert_int_equal(ask(), HPT_WALL_REASON_ABSURD);
	/* A daemon that has no bound has none in version 2. */
	two = stated_2();
	write_segment("shm0", &two);
	three = stated_3(0);
	three.status = 3;
	refused("shm1", &three, HPT_WALL_REASON_UNSYNCED);
	three.version = 0x0404;
	write_segment("shm1", &three);
	two.status = 0;
	refused("shm0", &two, HPT_WALL_REASON_UNSYNCED);
}

/* As the reason does, the error goes with the file that is there. */
static void error_is_that_of_the_reason(void **state)
{
	struct hpt_wall_ask question = { .clk = &world_clk, .config = &world_config };
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };

	(void)state;
	assert_int_equal(hpt_wall_clockbound.ask(&question, &reading), HPT_WALL_REASON_ABSENT);
	assert_int_equal(question.error, ENOENT);
	assert_int_equal(symlink("shm1", temp_path("shm1")), 0);
	assert_int_equal(hpt_wall_clockbound.ask(&question, &reading), HPT_WALL_REASON_FAILED);
	assert_int_equal(question.error, ELOOP);
}

static void given_path_is_asked_alone(void **state)
{
	struct segment two = stated_2(), three = stated_3(0);

	(void)state;
	write_segment("shm0", &two);
	write_segment("shm1", &three);
	strcpy(world_config.clockbound_path, temp_path("data"));
	assert_int_equal(ask(), HPT_WALL_REASON_ABSENT);
	taken("data", &two);
	assert_false(got.has_rate);
	taken("data", &three);
	assert_true(got.has_rate);
	world_own.id = HPT_SOURCE_HPET;
	assert_int_equal(ask(), HPT_WALL_REASON_OTHER_COUNTER);
}

static const char *path(void)
{
	struct hpt_wall_ask question = { .clk = &world_clk, .config = &world_config };
	uint32_t before = open_files();
	const char *found = hpt_wall_clockbound.path(&question);

	assert_int_equal(open_files(), before);
	return found;
}

static void path_is_that_of_the_file(void **state)
{
	struct segment s = stated_2();

	(void)state;
	assert_string_equal(path(), "/var/run/clockbound/shm1");
	write_segment("shm0", &s);
	assert_string_equal(path(), "/var/run/clockbound/shm0");
	unlink(temp_path("shm0"));
	assert_int_equal(symlink("shm0", temp_path("shm0")), 0); /* it cannot be opened, but is there */
	assert_string_equal(path(), "/var/run/clockbound/shm0");
	write_segment("shm1", &s);
	assert_string_equal(path(), "/var/run/clockbound/shm1");
	strcpy(world_config.clockbound_path, "/x");
	assert_string_equal(path(), "/x");
	assert_int_equal(hpt_wall_clockbound.id, HPT_WALL_SOURCE_CLOCKBOUND);
	assert_false(hpt_wall_clockbound.is_on_request);
}

/* A machine that has moved since: VMClock's marker is another. */
static void moved_machine_makes_statements_void(void **state)
{
	uint64_t marker = UINT64_C(0x1122334455667788);
	struct vmclock_page p = { .magic = VMCLOCK_MAGIC, .size = 104, .version = 1, .seq_count = 2,
				  .disruption_marker = marker };
	uint32_t page[VMCLOCK_WORDS];
	struct segment two, three;

	(void)state;
	vmclock_encode(&p, page);
	world_page = page;
	two = stated_2();
	three = stated_3(0);
	two.has_marker = three.has_marker = 1;
	taken("shm1", &three);
	unlink(temp_path("shm1"));
	taken("shm0", &two);
	two.marker++;
	refused("shm0", &two, HPT_WALL_REASON_OLD);
	unlink(temp_path("shm0"));
	three.marker ^= UINT64_C(1) << 63;
	refused("shm1", &three, HPT_WALL_REASON_OLD);
	/* Nothing of it is left in what version 2 states. */
	two.has_marker = 0;
	taken("shm0", &two);
	assert_false(got.has_rate);
	unlink(temp_path("shm0"));
	/* The daemon does not watch it. */
	three.has_marker = 0;
	taken("shm1", &three);
	three.has_marker = 1;
	three.marker = marker;
	page[VMCLOCK_SEQ_WORD] = vmclock_little(3);
	refused("shm1", &three, HPT_WALL_REASON_TORN);
	world_page = NULL;
	taken("shm1", &three);
}

static void torn_file_gives_nothing(void **state)
{
	struct segment s = stated_2();

	(void)state;
	s.generation = 5;
	refused("shm0", &s, HPT_WALL_REASON_TORN);
	s.generation = 0;
	refused("shm0", &s, HPT_WALL_REASON_TORN);
	temp_write("shm0", "", 0);
	assert_int_equal(ask(), HPT_WALL_REASON_FORMAT);
}

static void manual_clock_has_no_realtime(void **state)
{
	struct segment s = stated_2();
	hpt_clock *manual;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000, 0, 0, &manual), 0);
	world_clk.src.own_time = manual->src.own_time;
	assert_non_null(world_clk.src.own_time);
	refused("shm0", &s, HPT_WALL_REASON_OTHER_COUNTER);
	hpt_clock_close(manual);
}

/* ---- Random worlds --------------------------------------------------------------------------------------------- */

static int64_t within(int64_t most)
{
	return (int64_t)random_below(2 * (uint64_t)most + 1) - most;
}

/* The statement is true in that world; or UTC is off by up to `factor` times the bound. */
static void make_world(struct segment *s, bool is_3, int factor)
{
	int64_t bound_ns = 1 + (int64_t)random_below(10000000), drift_ppb = 1 + (int64_t)random_below(100000), off_ns;

	unlink(temp_path(is_3 ? "shm0" : "shm1"));
	world_ppb = within(drift_ppb);
	off_ns = within(bound_ns) * factor;
	world_off_ns = is_3 ? 0 : off_ns;
	world_from_ps = world.now_ps;
	*s = is_3 ? stated_3(off_ns) : stated_2();
	s->bound_ns = bound_ns;
	s->drift_ppb = (uint32_t)drift_ppb;
	world_config.wander_ppb = 1;
	world_sleep((int64_t)random_below(UINT64_C(200000000000)));
}

static unsigned int count_false(int n, bool is_3, int factor)
{
	unsigned int n_false = 0;

	for (int i = 0; i < n; i++) {
		struct segment s;

		make_world(&s, is_3, factor);
		taken(is_3 ? "shm1" : "shm0", &s);
		n_false += !world_holds(&got.sample);
	}
	return n_false;
}

static void random_true_statements_hold(void **state)
{
	(void)state;
	random_start();
	assert_int_equal(count_false(rounds(20000), false, 1), 0);
	assert_int_equal(count_false(rounds(20000), true, 1), 0);
}

/* The test above can fail. */
static void false_statements_are_seen(void **state)
{
	(void)state;
	assert_true(count_false(400, false, 20) > 20);
	assert_true(count_false(400, true, 20) > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(version_2_bounds_realtime, world_setup),
		cmocka_unit_test_setup(drift_is_rounded_up, world_setup),
		cmocka_unit_test_setup(greatest_drift_counts, world_setup),
		cmocka_unit_test_setup(old_statement_is_holdover, world_setup),
		cmocka_unit_test_setup(dead_writer_is_old, world_setup),
		cmocka_unit_test_setup(statement_of_the_future_is_absurd, world_setup),
		cmocka_unit_test_setup(absurd_intervals_are_refused, world_setup),
		cmocka_unit_test_setup(step_of_realtime_since_the_statement_is_seen, world_setup),
		cmocka_unit_test_setup(sleep_since_the_statement_is_seen, world_setup),
		cmocka_unit_test_setup(slew_is_no_step, world_setup),
		cmocka_unit_test_setup(other_time_namespace_is_refused, world_setup),
		cmocka_unit_test_setup(denied_clock_is_a_failure, world_setup),
		cmocka_unit_test_setup(version_3_is_a_line_of_the_counter, world_setup),
		cmocka_unit_test_setup(counter_behind_the_statement_is_old, world_setup),
		cmocka_unit_test_setup(version_3_needs_its_own_counter, world_setup),
		cmocka_unit_test_setup(version_3_comes_first_and_2_if_it_gives_nothing, world_setup),
		cmocka_unit_test_setup(error_is_that_of_the_reason, world_setup),
		cmocka_unit_test_setup(given_path_is_asked_alone, world_setup),
		cmocka_unit_test_setup(path_is_that_of_the_file, world_setup),
		cmocka_unit_test_setup(moved_machine_makes_statements_void, world_setup),
		cmocka_unit_test_setup(torn_file_gives_nothing, world_setup),
		cmocka_unit_test_setup(manual_clock_has_no_realtime, world_setup),
		cmocka_unit_test_setup(random_true_statements_hold, world_setup),
		cmocka_unit_test_setup(false_statements_are_seen, world_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
