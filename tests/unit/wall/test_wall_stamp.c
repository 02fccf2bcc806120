// SPDX-License-Identifier: MIT
/*
 * hpt_wall_at_os_ns(): UTC when a clock of the kernel showed a time is in the interval, however that clock is slewed
 * since; and a time of which that is not known is refused.
 */
#include "wall_fakes.h"

#include "source/manual.h"

/* What a clock showed, and UTC then. */
struct stamp {
	int64_t ns, utc_ns;
};

static const struct hpt_wall_time untouched = { 1, 2, 3, 4, 5, 6 };

static const clockid_t slewed[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME };

/* The limits of adjtimex(2): tick, frequency and adjtime(3). */
static const int64_t slews_ppb[] = { -101000000, -500000, 0, 500000, 101000000 };

static struct stamp stamp_of(clockid_t id)
{
	return (struct stamp){ fake_world_true_ns(id), utc_ns() };
}

static int at_os(clockid_t id, int64_t ns, struct hpt_wall_time *ret)
{
	int r;

	*ret = untouched;
	r = hpt_wall_at_os_ns(wall, id, ns, ret, sizeof(*ret));
	if (r)
		assert_memory_equal(ret, &untouched, sizeof(*ret));
	return r;
}

static void check_refused(clockid_t id, int64_t ns)
{
	struct hpt_wall_time t;

	assert_int_equal(at_os(id, ns, &t), -ERANGE);
}

static int64_t check_interval(clockid_t id, const struct stamp *s)
{
	struct hpt_wall_time t;
	int r = at_os(id, s->ns, &t);

	if (r || t.earliest_ns > s->utc_ns + 1 || t.latest_ns < s->utc_ns)
		fail_msg("%d: [%lld, %lld] of %lld", r, (long long)(t.earliest_ns - s->utc_ns),
			 (long long)(t.latest_ns - s->utc_ns), (long long)s->utc_ns);
	return t.latest_ns - t.earliest_ns;
}

static int64_t width_now(void)
{
	struct hpt_wall_time t = now_checked();

	return t.latest_ns - t.earliest_ns;
}

/* ---- The interval -------------------------------------------------------------------------------------------- */

/* It is wider than that of now by 11.3 % of the stamp's age to each side, and the reads. */
static void check_ages(clockid_t id, int64_t slew_ppb, int64_t share_percent)
{
	static const int64_t ages_ns[] = { 0, 1000, 50000, NS_PER_MS, 20 * NS_PER_MS, 900 * NS_PER_MS };

	for (size_t i = 0; i < COUNT(ages_ns); i++) {
		struct stamp s = stamp_of(id);
		int64_t width_ns;

		fake_world_slew(&world.wall, slew_ppb);
		pass((uint64_t)ages_ns[i] * 1000);
		width_ns = check_interval(id, &s);
		assert_in_range(width_ns, 0, width_now() + ages_ns[i] * share_percent / 50 + 2500);
		fake_world_slew(&world.wall, 0);
	}
}

static void utc_of_a_stamp_is_in_the_interval_at_each_slew(void **state)
{
	for (size_t i = 0; i < COUNT(slews_ppb); i++)
		for (size_t k = 0; k < COUNT(slewed); k++) {
			wall_begins(state);
			feed(NS_PER_US);
			pass(300 * PS_PER_MS);
			check_ages(slewed[k], slews_ppb[i], 13);
		}
}

static void raw_clock_is_not_slewed(void **state)
{
	for (size_t i = 0; i < COUNT(slews_ppb); i++) {
		wall_begins(state);
		feed(NS_PER_US);
		pass(PS_PER_MS);
		check_ages(CLOCK_MONOTONIC_RAW, slews_ppb[i], 0);
	}
}

/* The tick is the one of that moment, by the present rate. */
static void tick_is_near_the_stamps(void **state)
{
	struct hpt_wall_time t;
	hpt_time_t tick;
	struct stamp s;

	(void)state;
	feed(NS_PER_US);
	pass(PS_PER_MS);
	tick = hpt_now(&clk);
	s = stamp_of(CLOCK_MONOTONIC);
	pass(PS_PER_MS);
	assert_int_equal(at_os(CLOCK_MONOTONIC, s.ns, &t), 0);
	assert_in_range(t.tick - tick + 300, 0, 600); /* of 0.4 ns */
	assert_int_equal(t.generation, 1);
	assert_int_equal(t.state, HPT_WALL_STATE_SYNCED);
	assert_int_equal(t.flags, HPT_WALL_FLAG_ASSUMED_RATE);
}

static void begin_on_the_os_clock(void **state)
{
	wall_begins(state);
	open_on_the_os_clock(0);
	feed(NS_PER_US);
	pass(300 * PS_PER_MS);
}

static void os_clock_serves_stamps_too(void **state)
{
	for (size_t i = 0; i < COUNT(slews_ppb); i++)
		for (size_t k = 0; k < COUNT(slewed); k++) {
			begin_on_the_os_clock(state);
			check_ages(slewed[k], slews_ppb[i], 13);
		}
}

/* A clock that moves by 4 ms at a time shows each time for 4 ms. */
static void coarse_clocks_make_it_wider(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct stamp s;

	(void)state;
	new_clock(400);
	world.clock_step_ns = 4 * NS_PER_MS;
	use(4 * PS_PER_S, 50 * PS_PER_MS);
	errno = EXDEV;
	open_as(&c, 0);
	feed(NS_PER_US);
	pass(100 * PS_PER_MS);
	for (int i = 0; i < 40; i++) {
		pass(700 * PS_PER_US);
		s = stamp_of(CLOCK_MONOTONIC);
		pass((uint64_t)i * 300 * PS_PER_US);
		assert_in_range(check_interval(CLOCK_MONOTONIC, &s), 8 * NS_PER_MS, 20 * NS_PER_MS);
	}
}

static uint64_t jitter_of_100_us(void)
{
	return 100 * PS_PER_US;
}

/* The clock's moment is between two reads of the counter, which other threads may hold up. */
static void reads_that_are_held_up_make_it_wider(void **state)
{
	struct stamp s;

	(void)state;
	feed(0);
	pass(PS_PER_MS);
	world.jitter_ps = jitter_of_100_us;
	s = stamp_of(CLOCK_MONOTONIC);
	assert_in_range(check_interval(CLOCK_MONOTONIC, &s), 200000, 300000);
}

/* ---- Steps --------------------------------------------------------------------------------------------------- */

static void stamp_from_before_a_step_is_refused(void **state)
{
	static const int64_t steps_ns[] = { 5000, -5000, 20 * NS_PER_MS, -20 * NS_PER_MS, NS_PER_S, -NS_PER_S };

	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		struct stamp of_real, of_mono, later;

		wall_begins(state);
		feed(NS_PER_US);
		pass(300 * PS_PER_MS);
		of_real = stamp_of(CLOCK_REALTIME);
		of_mono = stamp_of(CLOCK_MONOTONIC);
		check_interval(CLOCK_REALTIME, &of_real);
		world.realtime_offset_ns += steps_ns[i];
		/* Nothing has looked since: the call itself must. */
		check_refused(CLOCK_REALTIME, of_real.ns);
		check_interval(CLOCK_MONOTONIC, &of_mono);
		pass(1100 * PS_PER_MS);
		check_refused(CLOCK_REALTIME, of_real.ns);
		check_interval(CLOCK_MONOTONIC, &of_mono);
		later = stamp_of(CLOCK_REALTIME);
		pass(PS_PER_MS);
		check_interval(CLOCK_REALTIME, &later);
	}
}

/* Set back by 20 ms the clock shows these a second time, and nothing says which time a stamp is of. */
static void time_that_was_shown_twice_is_refused(void **state)
{
	struct stamp s;

	(void)state;
	feed(NS_PER_US);
	pass(100 * PS_PER_MS);
	now_checked();
	world.realtime_offset_ns -= 20 * NS_PER_MS;
	for (int i = 0; i < 19; i++) {
		s = stamp_of(CLOCK_REALTIME);
		check_refused(CLOCK_REALTIME, s.ns);
		pass(PS_PER_MS);
	}
	pass(2 * PS_PER_MS);
	s = stamp_of(CLOCK_REALTIME);
	check_interval(CLOCK_REALTIME, &s);
}

/* A step that is smaller than what the reads of a look take is not seen: the interval allows for it. */
static void step_that_no_look_sees_is_in_the_interval(void **state)
{
	for (int64_t step_ns = -200; step_ns <= 200; step_ns += 5) {
		struct hpt_wall_time t;
		struct stamp s;
		int r;

		wall_begins(state);
		feed(0);
		s = stamp_of(CLOCK_REALTIME);
		world.realtime_offset_ns += step_ns;
		r = at_os(CLOCK_REALTIME, s.ns, &t);
		if (r)
			assert_int_equal(r, -ERANGE);
		else
			assert_true(t.earliest_ns <= s.utc_ns + 1 && t.latest_ns >= s.utc_ns);
	}
}

/* Slews and steps at random, and stamps of all ages: 0 false. */
static void no_interval_of_a_random_world_is_false(void **state)
{
	struct stamp s[3];
	uint64_t x = 1;
	int served = 0;

	(void)state;
	feed(NS_PER_US);
	for (int i = 0; i < 20000; i++) {
		size_t k = (size_t)i % COUNT(slewed);
		struct hpt_wall_time t;

		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		if (i < 3 || x >> 62 == 0)
			s[k] = stamp_of(slewed[k]);
		fake_world_slew(&world.wall, slews_ppb[x >> 40 & 3]);
		if (x >> 50 % 64 == 0)
			world.realtime_offset_ns += (int64_t)(x >> 20 & 0xffffff) - 0x800000;
		pass((x >> 30 & 0xff) * 10000000);
		if (at_os(slewed[k], s[k].ns, &t))
			continue;
		served++;
		assert_true(t.earliest_ns <= s[k].utc_ns + 1 && t.latest_ns >= s[k].utc_ns);
	}
	assert_in_range(served, 10000, 20000);
}

/* ---- Refused ------------------------------------------------------------------------------------------------- */

static void stamps_of_no_use_are_refused(void **state)
{
	struct stamp s = stamp_of(CLOCK_MONOTONIC);

	(void)state;
	pass(PS_PER_MS);
	feed(NS_PER_US);
	for (size_t i = 0; i < COUNT(slewed); i++) {
		check_refused(slewed[i], fake_world_true_ns(slewed[i]) + NS_PER_MS);
		check_refused(slewed[i], INT64_MAX);
		check_refused(slewed[i], INT64_MIN);
		check_refused(slewed[i], 0);
	}
	check_refused(CLOCK_MONOTONIC, s.ns); /* from before the first sample */
	s = stamp_of(CLOCK_MONOTONIC);
	check_interval(CLOCK_MONOTONIC, &s);
}

static void stamp_from_before_a_suspend_is_refused(void **state)
{
	struct stamp s[COUNT(slewed)];

	(void)state;
	feed(NS_PER_US);
	pass(100 * PS_PER_MS);
	for (size_t i = 0; i < COUNT(slewed); i++)
		s[i] = stamp_of(slewed[i]);
	pass(PS_PER_MS);
	world.boottime_offset_ns += NS_PER_S; /* the counter stood still */
	world.realtime_offset_ns += NS_PER_S;
	utc_moved_ns += NS_PER_S;
	pass(PS_PER_MS);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	feed(NS_PER_US);
	for (size_t i = 0; i < COUNT(slewed); i++)
		check_refused(slewed[i], s[i].ns);
}

static void limit_of_width_holds(void **state)
{
	struct stamp s;

	(void)state;
	feed(NS_PER_US);
	pass(10 * PS_PER_MS);
	s = stamp_of(CLOCK_MONOTONIC);
	pass(10 * PS_PER_MS);
	check_interval(CLOCK_MONOTONIC, &s);
	wall->max_width_ns = 100000;
	check_refused(CLOCK_MONOTONIC, s.ns);
	s = stamp_of(CLOCK_MONOTONIC);
	check_interval(CLOCK_MONOTONIC, &s);
}

static void without_a_bound_there_is_no_interval(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	assert_int_equal(at_os(CLOCK_REALTIME, fake_world_true_ns(CLOCK_REALTIME), &t), -EAGAIN);
}

static void clock_that_is_denied_says_so(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	fake.refused_clocks = 1u << CLOCK_REALTIME;
	assert_int_equal(at_os(CLOCK_REALTIME, fake_world_true_ns(CLOCK_REALTIME), &t), -EPERM);
	assert_int_equal(at_os(CLOCK_MONOTONIC, fake_world_true_ns(CLOCK_MONOTONIC), &t), 0);
	fake.refused_clocks = 0;
}

static void nothing_is_done_without_arguments(void **state)
{
	static const clockid_t others[] = { CLOCK_TAI, CLOCK_PROCESS_CPUTIME_ID, CLOCK_REALTIME_COARSE, -1, 99 };
	struct hpt_wall_time t = untouched;

	(void)state;
	feed(NS_PER_US);
	assert_int_equal(hpt_wall_at_os_ns(NULL, CLOCK_REALTIME, 1, &t, sizeof(t)), -EINVAL);
	assert_int_equal(hpt_wall_at_os_ns(wall, CLOCK_REALTIME, 1, NULL, sizeof(t)), -EINVAL);
	assert_int_equal(hpt_wall_at_os_ns(wall, CLOCK_REALTIME, 1, &t, sizeof(t) - 1), -EINVAL);
	for (size_t i = 0; i < COUNT(others); i++)
		assert_int_equal(hpt_wall_at_os_ns(wall, others[i], 1, &t, sizeof(t)), -EINVAL);
	assert_memory_equal(&t, &untouched, sizeof(t));
}

static void manual_clock_knows_no_kernel(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_time t;
	hpt_clock *manual;
	hpt_wall *w;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(NS_PER_S, 0, 0, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
	assert_int_equal(hpt_wall_at_os_ns(w, CLOCK_REALTIME, 1, &t, sizeof(t)), -ENOTSUP);
	hpt_wall_close(w);
	hpt_clock_close(manual);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(utc_of_a_stamp_is_in_the_interval_at_each_slew),
		wall_test(raw_clock_is_not_slewed),
		wall_test(tick_is_near_the_stamps),
		wall_test(os_clock_serves_stamps_too),
		wall_test(coarse_clocks_make_it_wider),
		wall_test(reads_that_are_held_up_make_it_wider),
		wall_test(stamp_from_before_a_step_is_refused),
		wall_test(time_that_was_shown_twice_is_refused),
		wall_test(step_that_no_look_sees_is_in_the_interval),
		wall_test(no_interval_of_a_random_world_is_false),
		wall_test(stamps_of_no_use_are_refused),
		wall_test(stamp_from_before_a_suspend_is_refused),
		wall_test(limit_of_width_holds),
		wall_test(without_a_bound_there_is_no_interval),
		wall_test(clock_that_is_denied_says_so),
		wall_test(nothing_is_done_without_arguments),
		wall_test(manual_clock_knows_no_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
