// SPDX-License-Identifier: MIT
/* Walls on an OS clock that is bent: which ticks have an interval, and that it contains UTC. */
#include "wall_fakes.h"

#include "wall/wall_counter.h"

/* adjtimex(2) can bend CLOCK_MONOTONIC by 10 % and 500 ppm, each way. */
static const int64_t bends_ppb[] = { -100500000, -50000, 0, 50000, 100500000 };

#define YEAR_NS (365 * 86400 * NS_PER_S)

/* A tick of the clock, and UTC before and after it was read. */
struct moment {
	hpt_time_t tick;
	int64_t    before_ns, after_ns;
};

static struct moment moment_now(void)
{
	struct moment m = { .before_ns = utc_ns() };

	m.tick = hpt_now(&clk);
	m.after_ns = utc_ns() + 1;
	return m;
}

static void begin(void **state, int64_t bend_ppb)
{
	wall_begins(state);
	open_on_the_os_clock(bend_ppb);
}

static void check_at(const struct moment *m, int64_t earliest_ns)
{
	struct hpt_wall_time t;

	assert_int_equal(hpt_wall_at(wall, m->tick, &t), 0);
	assert_true(t.earliest_ns <= m->after_ns && t.latest_ns >= m->before_ns);
	assert_true(t.earliest_ns >= earliest_ns);
}

static void check_refused(hpt_time_t tick)
{
	struct hpt_wall_time t;

	assert_int_equal(hpt_wall_at(wall, tick, &t), -ERANGE);
}

/* Both clocks show the same here. */
static void clock_is_read_between_two_reads_of_the_counter(void **state)
{
	uint64_t tick, from, to;

	begin(state, 0);
	for (int i = 0; i < 10; i++) {
		tick = (uint64_t)hpt_now(&clk);
		hpt_wall_counter_at(wall, tick, &from, &to);
		assert_true(from <= tick && tick <= to && to - from < 100);
		pass(77 * PS_PER_MS);
	}
}

/* Of ticks 146 years away and more the eighth would exceed int64. */
static void ticks_out_of_reach_have_no_wrong_place(void **state)
{
	uint64_t now, from, to;

	begin(state, 0);
	for (int64_t years = 140; years < 290; years += 10) {
		now = hpt_wall_counter(wall);
		hpt_wall_counter_at(wall, now - (uint64_t)(years * YEAR_NS), &from, &to);
		assert_true((int64_t)(now - from) > 120 * YEAR_NS && (int64_t)(now - to) > 120 * YEAR_NS);
		hpt_wall_counter_at(wall, now + (uint64_t)(years * YEAR_NS), &from, &to);
		assert_true((int64_t)(from - now) > 120 * YEAR_NS && (int64_t)(to - now) > 120 * YEAR_NS);
	}
}

/*
 * However soon after the sample it was, and however long ago: earliest is not before the sample by more than what its
 * own ticks, of 50 ms before, may be off.
 */
static void every_tick_since_the_first_sample_has_an_interval(void **state)
{
	for (size_t bend = 0; bend < COUNT(bends_ppb); bend++) {
		struct hpt_wall_sample s;
		struct moment moments[20];
		int64_t least_ns;

		begin(state, bends_ppb[bend]);
		s = sample_of(1000);
		least_ns = s.earliest_ns - 15 * NS_PER_MS;
		pass(50 * PS_PER_MS); /* the program feeds it late */
		moments[0] = moment_now();
		assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
		for (size_t i = 1; i < COUNT(moments); i++) {
			pass(PS_PER_MS / 1000 << i);
			moments[i] = moment_now();
			for (size_t k = 0; k <= i; k++)
				check_at(&moments[k], least_ns);
		}
		moments[0] = (struct moment){ s.before, s.earliest_ns, s.latest_ns };
		check_at(&moments[0], least_ns);
		check_refused(s.before - 1);
		check_refused(hpt_now(&clk) + 1000);
	}
}

/* A sample that is fed after others, though it was taken before them. */
static void earlier_sample_moves_the_first_tick(void **state)
{
	struct hpt_wall_sample early;
	struct moment m;

	begin(state, 0);
	early = sample_of(1000);
	m = moment_now();
	pass(10 * PS_PER_MS);
	feed(1000);
	check_refused(m.tick);
	assert_int_equal(hpt_wall_feed(wall, &early, sizeof(early)), 0);
	check_at(&m, INT64_MIN);
	check_refused(early.before - 1);
	pass(PS_PER_S);
	feed(1000); /* a later one does not */
	check_at(&m, INT64_MIN);
}

/* A leap second begins a generation in the middle of a bound. */
static void no_tick_of_before_a_leap_second(void **state)
{
	for (size_t bend = 0; bend < COUNT(bends_ppb); bend++) {
		struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_INSERTED };
		struct hpt_wall_time t;
		struct moment m;

		begin(state, bends_ppb[bend]);
		r.sample = sample_of(1000);
		r.leap_at_ns = r.sample.latest_ns + 3 * NS_PER_S;
		assert_int_equal(hpt_wall_add(wall, &r), 0);
		pass(2500 * PS_PER_MS);
		m = moment_now();
		assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
		pass(2500 * PS_PER_MS);
		utc_moved_ns = -NS_PER_S;
		assert_int_equal(now_checked().generation, 2);
		check_refused(m.tick);
		m = moment_now();
		pass(60 * PS_PER_S);
		check_at(&m, INT64_MIN);
	}
}

/* A bound too wide to say whether it has passed, until a narrow sample of after it. */
static void no_tick_of_before_a_leap_second_that_a_sample_passes(void **state)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_INSERTED };
	struct hpt_wall_sample s;
	struct hpt_wall_time t;
	struct moment m;

	begin(state, 0);
	r.sample = sample_of(3 * NS_PER_S);
	r.leap_at_ns = utc_ns() + 5 * NS_PER_S;
	assert_int_equal(hpt_wall_add(wall, &r), 0);
	m = moment_now();
	pass(8 * PS_PER_S);
	utc_moved_ns = -NS_PER_S;
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
	s = sample_of(1000);
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
	assert_int_equal(now_checked().generation, 2);
	check_refused(m.tick);
	m = moment_now();
	pass(60 * PS_PER_S);
	check_at(&m, INT64_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(clock_is_read_between_two_reads_of_the_counter, wall_ends),
		cmocka_unit_test_teardown(ticks_out_of_reach_have_no_wrong_place, wall_ends),
		cmocka_unit_test_teardown(every_tick_since_the_first_sample_has_an_interval, wall_ends),
		cmocka_unit_test_teardown(earlier_sample_moves_the_first_tick, wall_ends),
		cmocka_unit_test_teardown(no_tick_of_before_a_leap_second, wall_ends),
		cmocka_unit_test_teardown(no_tick_of_before_a_leap_second_that_a_sample_passes, wall_ends),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_counter", tests, NULL, NULL);
}
