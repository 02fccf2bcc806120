// SPDX-License-Identifier: MIT
/* Marks of CLOCK_REALTIME in a fake world: where they are, what moved between them, and what that means for UTC. */
#include "realtime_world.h"

#include <time.h>

/* What a mark's reads add to each bound of what moved. */
#define READS_NS 500

static struct hpt_realtime_mark take(void)
{
	struct hpt_wall_ask ask = utc_ask();
	struct hpt_realtime_mark mark;

	errno = EXDEV;
	assert_int_equal(hpt_realtime_mark(&ask, &mark), HPT_WALL_REASON_NONE);
	assert_int_equal(errno, EXDEV);
	return mark;
}

static uint64_t jitter(void)
{
	return random_below(4) ? random_below(20000) : random_below(900000);
}

static uint64_t late_once(void)
{
	static uint32_t calls;

	return calls++ % 7 ? 0 : 50000000;
}

static void mark_holds_the_reading(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 10000, 69841 };

	(void)state;
	for (int i = 0; i < rounds(4000); i++) {
		struct hpt_realtime_mark m;
		int64_t lo_ns, hi_ns;

		if (i % 1000 == 0) {
			utc_begin();
			new_clock(&utc_clk, ticks_ps[i / 1000]);
		}
		world.jitter_ps = i & 4 ? jitter : NULL;
		set_realtime((int64_t)random_below(1000000));
		m = take();
		assert_true(m.before <= m.after);
		/* CLOCK_REALTIME runs as UTC does: it was unix_ns at a moment of the window. */
		lo_ns = utc_at(ps_of((hpt_time_t)m.before));
		hi_ns = utc_at(ps_of((hpt_time_t)m.after + 1));
		lo_ns += fake_world_true_ns(CLOCK_REALTIME) - utc_now();
		hi_ns += fake_world_true_ns(CLOCK_REALTIME) - utc_now();
		assert_in_range((uint64_t)m.unix_ns, (uint64_t)lo_ns - 2, (uint64_t)hi_ns + 2);
		assert_true(m.raw_before_ns <= m.mono_before_ns && m.mono_after_ns <= m.raw_after_ns);
		assert_true(m.raw_after_ns <= fake_world_true_ns(CLOCK_MONOTONIC_RAW));
		assert_int_equal(m.step_ns, 1);
	}
}

/* One of three rounds is interrupted. */
static void narrowest_round_counts(void **state)
{
	(void)state;
	utc_begin();
	world.jitter_ps = late_once;
	for (int i = 0; i < 30; i++) {
		struct hpt_realtime_mark m = take();

		assert_true((m.after - m.before) * world.tick_ps < 50000);
	}
}

static void step_of_the_clocks_is_known(void **state)
{
	struct hpt_realtime_mark m = { 0 };

	(void)state;
	utc_begin();
	world.clock_step_ns = 1000;
	hpt_anchor_take(&utc_clk.src, &utc_clk.anchor);
	for (int i = 0; i < 100; i++) {
		pass_ns(1000000);
		hpt_timekeeper_resample(&utc_clk);
	}
	m = take();
	assert_true(m.step_ns >= 1000 && m.step_ns < 3000);
}

static void check_no_mark(uint32_t reason, int error)
{
	struct hpt_wall_ask ask = utc_ask();
	struct hpt_realtime_mark mark;

	errno = EXDEV;
	assert_int_equal(hpt_realtime_mark(&ask, &mark), reason);
	assert_int_equal(ask.error, error);
	assert_int_equal(errno, EXDEV);
}

static void refused_clock_gives_no_mark(void **state)
{
	static const clockid_t ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW };

	(void)state;
	for (size_t i = 0; i < COUNT(ids); i++) {
		utc_begin();
		fake.refused_clocks = 1u << ids[i];
		check_no_mark(HPT_WALL_REASON_FAILED, EPERM);
	}
}

static void manual_clock_has_no_realtime(void **state)
{
	struct hpt_wall_ask ask = utc_ask();
	struct hpt_realtime_mark mark;

	(void)state;
	utc_begin();
	assert_int_equal(hpt_clock_new_manual(1000, 0, 0, &ask.clk), 0);
	assert_int_equal(hpt_realtime_mark(&ask, &mark), HPT_WALL_REASON_OTHER_COUNTER);
	assert_int_equal(ask.error, 0);
	hpt_clock_close(ask.clk);
}

/* libfaketime replaces libc's clocks. What daemons and the kernel state is about the kernel's. */
static void kernel_is_asked_where_libc_is_replaced(void **state)
{
	struct hpt_realtime_mark mark, libc;

	(void)state;
	utc_begin();
	fake.kernel_ahead_ns = INT64_C(86400000000000);
	libc = take();
	utc_clk.reason = HPT_REASON_INTERPOSED;
	mark = take();
	assert_true(mark.unix_ns - libc.unix_ns >= fake.kernel_ahead_ns);
	fake.kernel_silent = true;
	check_no_mark(HPT_WALL_REASON_FAILED, EPERM);
}

static void forbidden_counter_is_not_read_by_the_clocks(void **state)
{
	(void)state;
	utc_begin();
	utc_clk.src.tsc_forbidden = true;
	(void)take();
	assert_true(fake.try_syscalls >= 15);
}

/* A constant rate between the marks, in ppb. */
static int64_t moved_at(int64_t ppb, int64_t ns)
{
	struct hpt_realtime_mark a, b;

	utc_begin();
	fake_world_slew(&world.wall, ppb);
	a = take();
	pass_ns(ns);
	b = take();
	return hpt_realtime_moved_ns(&a, &b);
}

/* A clock within 500 ppm may have gone that far and back. A faster one went at most halfway to what is possible. */
static void check_slew(int64_t ppb, int64_t ns)
{
	int64_t moved_ns = moved_at(ppb, ns), true_ns = (ppb < 0 ? -ppb : ppb) * ns / PPB;
	int64_t most_ns = ppb > -500000 && ppb < 500000 ? ns / 2000 : (ns / 10 + true_ns) * 51 / 100;

	if (moved_ns < true_ns || moved_ns > (most_ns > true_ns ? most_ns : true_ns) + READS_NS)
		fail_msg("%lld ppb in %lld ns: %lld, not %lld", (long long)ppb, (long long)ns, (long long)moved_ns,
			 (long long)true_ns);
}

static void slews_are_measured(void **state)
{
	static const int64_t ppb[] = { 0, 1, 40000, 499000, 501000, 5000000, 83333000, 100500000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ppb); i++)
		for (int64_t ns = 10; ns < INT64_C(1000000000); ns *= 3) {
			check_slew(ppb[i], ns);
			check_slew(-ppb[i], ns);
		}
}

/* Faster than the kernel slews: what looks like that is a step, even if both clocks moved alike. */
static void impossible_slews_are_steps(void **state)
{
	(void)state;
	assert_int_equal(moved_at(103000000, 1000000), -1);
	assert_int_equal(moved_at(-103000000, 1000000), -1);
	assert_true(moved_at(100900000, 1000000) > 0);
	assert_true(moved_at(-100900000, 1000000) > 0);
}

static int64_t moved_by_step(int64_t step_ns, int64_t ns)
{
	struct hpt_realtime_mark a, b;

	utc_begin();
	a = take();
	pass_ns(ns);
	world.realtime_offset_ns += step_ns;
	b = take();
	return hpt_realtime_moved_ns(&a, &b);
}

/* A slew of that size is possible in 0.1 s. A step is seen still, by CLOCK_MONOTONIC. */
static void steps_are_seen(void **state)
{
	static const int64_t steps_ns[] = { 1000, 100000, 9000000, INT64_C(3600000000000) };

	(void)state;
	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		assert_int_equal(moved_by_step(steps_ns[i], 100000000), -1);
		assert_int_equal(moved_by_step(-steps_ns[i], 100000000), -1);
		assert_int_equal(moved_by_step(steps_ns[i], 100), -1);
		assert_int_equal(moved_by_step(-steps_ns[i], 100), -1);
	}
	assert_true(moved_by_step(0, 100) >= 0);
	/* Within the reads, it counts as a move. */
	assert_true(moved_by_step(40, 100) >= 40);
	assert_true(moved_by_step(-40, 100) >= 40);
}

/* CLOCK_MONOTONIC_RAW goes back: another machine, or a restored one. */
static void backward_time_is_a_step(void **state)
{
	struct hpt_realtime_mark a, b;

	(void)state;
	utc_begin();
	a = take();
	world.clock_offset_ns -= 1000000;
	b = take();
	assert_int_equal(hpt_realtime_moved_ns(&a, &b), -1);
}

/* A mark on clocks that move by a microsecond may be that old, at both ends. */
static void coarse_clocks_do_not_look_like_steps(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(2000); i++) {
		struct hpt_realtime_mark a, b;

		if (!i)
			utc_begin();
		world.clock_step_ns = 1000;
		world.realtime_offset_ns += (int64_t)random_below(1000);
		world.now_ps += random_below(2000000);
		a = take();
		world.now_ps += random_below(3000000);
		b = take();
		a.step_ns = b.step_ns = 1000;
		assert_true(hpt_realtime_moved_ns(&a, &b) >= 0);
	}
}

/* Two marks 1 ms apart, on clocks of that step, all of whose reads took no time. */
static void make_marks(struct hpt_realtime_mark *a, struct hpt_realtime_mark *b, int64_t step_ns)
{
	*a = (struct hpt_realtime_mark){ .unix_ns = UTC_NS, .step_ns = step_ns };
	*b = (struct hpt_realtime_mark){ .unix_ns = UTC_NS + 1000000, .step_ns = step_ns,
					 .raw_before_ns = 1000000, .raw_after_ns = 1000000,
					 .mono_before_ns = 1000000, .mono_after_ns = 1000000 };
}

/* Two differences of two readings each, all up to a step old. */
static void steps_of_the_clocks_are_allowed(void **state)
{
	struct hpt_realtime_mark a, b;

	(void)state;
	for (int way = -1; way <= 1; way += 2) {
		make_marks(&a, &b, 1000);
		b.unix_ns += 2000 * way;
		assert_int_equal(hpt_realtime_moved_ns(&a, &b), 4000);
		b.unix_ns += way;
		assert_int_equal(hpt_realtime_moved_ns(&a, &b), -1);
		make_marks(&a, &b, 1);
		b.unix_ns += 3 * way;
		assert_int_equal(hpt_realtime_moved_ns(&a, &b), -1);
	}
	make_marks(&a, &b, 1);
	b.unix_ns = UTC_NS - 5;
	b.raw_before_ns = b.raw_after_ns = b.mono_before_ns = b.mono_after_ns = -5;
	assert_int_equal(hpt_realtime_moved_ns(&a, &b), -1);
}

/* How far CLOCK_REALTIME was from where it would be, at the moment of the statement. */
struct way {
	int64_t ppb[2]; /* before and after it */
	uint64_t ps[2];
};

static int64_t steady(void)
{
	return (int64_t)random_below(1000000) - 500000;
}

static int64_t any_rate(void)
{
	return (int64_t)random_below(200000000) - 100000000;
}

static struct way random_way(void)
{
	struct way w = { .ps = { random_below(200000000), random_below(200000000) } };

	switch (random_below(4)) {
	case 0: /* forth and back; for long, where the reads hide less of it */
		w.ppb[0] = steady();
		w.ppb[1] = random_below(2) ? steady() : -w.ppb[0];
		w.ps[0] = w.ps[1] = random_below(UINT64_C(40000000000));
		break;
	case 1:
		w.ppb[0] = w.ppb[1] = any_rate();
		break;
	case 2: /* a slew ends, or begins */
		w.ppb[random_below(2)] = any_rate();
		break;
	default: /* forth, and not as far back, so that it is seen to slew */
		w.ppb[0] = (int64_t)random_below(80000000) + 20000000;
		w.ppb[1] = -w.ppb[0];
		w.ps[0] += 50000000;
		w.ps[1] = w.ps[0] / 2;
	}
	return w;
}

/* Whatever way the clock takes, and whatever UTC's rate is: UTC is in the sample. */
static void sample_holds_utc(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		struct hpt_wall_ask ask = utc_ask();
		struct hpt_wall_sample s = { 0 };
		struct hpt_realtime_mark a, b;
		struct way w = random_way();
		int64_t off_ns, slack_ns = (int64_t)random_below(1000);

		if (i % 1000 == 0)
			utc_begin();
		utc_ppb = (int64_t)random_below(100001) - 50000;
		fake_world_slew(&world.wall, w.ppb[0]);
		set_realtime((int64_t)random_below(1000000000) - 500000000);
		a = take();
		world.now_ps += w.ps[0];
		off_ns = utc_now() - fake_world_true_ns(CLOCK_REALTIME);
		fake_world_slew(&world.wall, w.ppb[1]);
		world.now_ps += w.ps[1];
		b = take();
		assert_int_equal(hpt_realtime_sample(&ask, &a, &b, off_ns - slack_ns, off_ns + slack_ns, &s), 0);
		assert_int_equal(s.before, a.before);
		assert_int_equal(s.after, a.after);
		if (!holds_utc(&s))
			fail_msg("%lld then %lld ppb for %llu and %llu ps", (long long)w.ppb[0], (long long)w.ppb[1],
				 (unsigned long long)w.ps[0], (unsigned long long)w.ps[1]);
	}
}

/* The width added where nothing slews: the reads, 500 ppm of the time between the marks, and the rate's error. */
static void little_is_added(void **state)
{
	struct hpt_wall_ask ask;
	struct hpt_wall_sample s;
	struct hpt_realtime_mark a, b;

	(void)state;
	utc_begin();
	ask = utc_ask();
	a = take();
	pass_ns(100000);
	b = take();
	assert_int_equal(hpt_realtime_sample(&ask, &a, &b, -1000, 2000, &s), 0);
	assert_in_range((uint64_t)(s.latest_ns - s.earliest_ns), 3000, 3000 + 2 * READS_NS);
	utc_config.rate_ppb = 100000000; /* 10 % */
	assert_int_equal(hpt_realtime_sample(&ask, &a, &b, -1000, 2000, &s), 0);
	assert_in_range((uint64_t)(s.latest_ns - s.earliest_ns), 23000, 23200 + 2 * READS_NS);
}

static void check_no_sample(int64_t lo_ns, int64_t hi_ns, int64_t step_ns, uint32_t reason)
{
	struct hpt_wall_ask ask;
	struct hpt_wall_sample s = { .earliest_ns = 77, .latest_ns = 78, .before = 79, .after = 80 };
	struct hpt_realtime_mark a, b;

	utc_begin();
	ask = utc_ask();
	a = take();
	pass_ns(100000);
	world.realtime_offset_ns += step_ns;
	b = take();
	assert_int_equal(hpt_realtime_sample(&ask, &a, &b, lo_ns, hi_ns, &s), reason);
	assert_true(s.earliest_ns == 77 && s.latest_ns == 78 && s.before == 79 && s.after == 80);
}

static void impossible_samples_are_refused(void **state)
{
	(void)state;
	check_no_sample(0, 1, 1000000000, HPT_WALL_REASON_STEPPED);
	check_no_sample(1000000, 0, 0, HPT_WALL_REASON_ABSURD);
	check_no_sample(-2 * UTC_NS, 0, 0, HPT_WALL_REASON_ABSURD);
	check_no_sample(INT64_MIN, 0, 0, HPT_WALL_REASON_ABSURD);
	check_no_sample(0, INT64_MAX, 0, HPT_WALL_REASON_ABSURD);
	check_no_sample(0, HPT_WALL_MOST_NS - UTC_NS, 0, HPT_WALL_REASON_ABSURD);
	check_no_sample(INT64_MIN, INT64_MAX, 0, HPT_WALL_REASON_ABSURD);
}

/* The real clocks of this machine. */
static void live_marks_are_narrow(void **state)
{
	struct hpt_realtime_mark a, b;
	struct hpt_wall_ask ask = { .clk = hpt_clock_default(), .config = &utc_config };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(hpt_realtime_mark(&ask, &a), 0);
		assert_int_equal(hpt_realtime_mark(&ask, &b), 0);
		assert_true(a.after <= b.before && a.unix_ns <= b.unix_ns);
		assert_true(hpt_realtime_moved_ns(&a, &b) >= 0);
	}
	note("a mark's window: %llu ticks, %lld ns with all reads; moved %lld ns",
	     (unsigned long long)(a.after - a.before), (long long)(a.raw_after_ns - a.raw_before_ns),
	     (long long)hpt_realtime_moved_ns(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(mark_holds_the_reading, fake_env_setup),
		cmocka_unit_test_setup(narrowest_round_counts, fake_env_setup),
		cmocka_unit_test_setup(step_of_the_clocks_is_known, fake_env_setup),
		cmocka_unit_test_setup(refused_clock_gives_no_mark, fake_env_setup),
		cmocka_unit_test_setup(manual_clock_has_no_realtime, fake_env_setup),
		cmocka_unit_test_setup(kernel_is_asked_where_libc_is_replaced, fake_env_setup),
		cmocka_unit_test_setup(forbidden_counter_is_not_read_by_the_clocks, fake_env_setup),
		cmocka_unit_test_setup(slews_are_measured, fake_env_setup),
		cmocka_unit_test_setup(impossible_slews_are_steps, fake_env_setup),
		cmocka_unit_test_setup(steps_are_seen, fake_env_setup),
		cmocka_unit_test_setup(backward_time_is_a_step, fake_env_setup),
		cmocka_unit_test_setup(coarse_clocks_do_not_look_like_steps, fake_env_setup),
		cmocka_unit_test_setup(steps_of_the_clocks_are_allowed, fake_env_setup),
		cmocka_unit_test_setup(sample_holds_utc, fake_env_setup),
		cmocka_unit_test_setup(little_is_added, fake_env_setup),
		cmocka_unit_test_setup(impossible_samples_are_refused, fake_env_setup),
		cmocka_unit_test_setup(live_marks_are_narrow, fake_env_setup),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
