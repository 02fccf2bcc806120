// SPDX-License-Identifier: MIT
/* hpt_time_to_ns() and hpt_time_from_ns() compared with hpt_now_ns(), in worlds where the timeline is bent. */
#include <errno.h>

#include "record_world.h"

#include "rate/timeline.h"

/* A tick, and the results of hpt_now_ns() before and after it. */
struct seen {
	hpt_time_t t;
	int64_t before, after;
};

static struct seen see(void)
{
	struct seen s;

	s.before = hpt_now_ns(&clk);
	s.t = hpt_now(&clk);
	s.after = hpt_now_ns(&clk);
	return s;
}

static int64_t ns_of(hpt_time_t t)
{
	int64_t ns = 0;

	assert_int_equal(hpt_time_to_ns(&clk, t, &ns), 0);
	return ns;
}

static void assert_seen(const struct seen *s)
{
	int64_t ns = ns_of(s->t);

	if (ns < s->before || ns > s->after)
		fail_msg("%lld ns, but hpt_now_ns() was %lld before and %lld after", (long long)ns,
			 (long long)s->before, (long long)s->after);
}

/* There and back: within half a nanosecond and half a tick. */
static void assert_comes_back(hpt_time_t t)
{
	hpt_time_t back;

	assert_int_equal(hpt_time_from_ns(&clk, ns_of(t), &back), 0);
	if ((uint64_t)(back > t ? back - t : t - back) * world.tick_ps * 2 >
	    (world.tick_ps < 1000 ? 1000 + world.tick_ps : 0))
		fail_msg("%lld comes back as %lld", (long long)t, (long long)back);
}

static void times_are_those_that_hpt_now_ns_returned(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 435, 999, 1000, 1001, 10000, 41667, 69841 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 2; i++) {
		struct seen last = { 0 };
		struct hpt_record rec;

		new_clock(ticks_ps[i / 2]);
		world.jitter_ps = i & 1 ? jitter : NULL;
		for (int n = 0; n < 400; n++) {
			struct seen s = see();

			assert_seen(&s);
			/* And while the record knows its segment, whatever has passed since. */
			hpt_timekeeper_current(&clk, &rec);
			if (n && hpt_timeline_has(&rec, last.t) && hpt_clock_generation(&clk) == 1)
				assert_seen(&last);
			last = s;
			assert_comes_back(s.t);
			assert_comes_back(s.t - (int64_t)random_below(UINT64_C(1) << 40));
			assert_comes_back(s.t + (int64_t)random_below(UINT64_C(1) << 40));
			pass(random_magnitude() >> 24);
		}
	}
}

/* One comparison of the clocks moves a tick from the present segment to the one before; it stays exact. */
static void segment_before_is_exact(void **state)
{
	struct hpt_record rec;
	struct seen s;

	(void)state;
	new_clock(400);
	for (int n = 0; n < 60; n++) {
		uint64_t start;

		s = see();
		hpt_timekeeper_current(&clk, &rec);
		start = rec.read.start;
		pass(rec.convert.span * world.tick_ps);
		hpt_now_ns(&clk);
		hpt_timekeeper_current(&clk, &rec);
		assert_true(rec.read.start != start && (uint64_t)s.t < rec.read.start && rec.past.span);
		assert_true(hpt_timeline_has(&rec, s.t));
		assert_seen(&s);
		/* And also if the present segment is over as well. */
		pass(rec.convert.span * world.tick_ps);
		assert_seen(&s);
		world.clock_offset_ns += n % 3 ? 700 : -700; /* bends the line */
	}
}

/* From before the segment before to after the present one, also where the line was restarted after a pause. */
static void never_decreases_from_tick_to_tick(void **state)
{
	(void)state;
	for (int pause = 0; pause < 2; pause++) {
		struct hpt_record rec;
		hpt_time_t first, t;
		int64_t last = INT64_MIN;

		new_clock(400);
		hpt_timekeeper_now(&clk, &rec);
		world.clock_offset_ns += 700;
		pass((pause ? 50 : 1) * rec.convert.span * world.tick_ps);
		hpt_now_ns(&clk);
		hpt_timekeeper_current(&clk, &rec);
		assert_true(rec.past.span);
		first = (hpt_time_t)rec.past.start - 5000;
		for (t = first; t < (hpt_time_t)(rec.read.start + rec.convert.span) + 5000;
		     t += (int64_t)random_below(20000)) {
			int64_t ns;

			assert_int_equal(hpt_wide_narrow(hpt_timeline_ns(&rec, t), &ns), 0);
			assert_true(ns >= last);
			last = ns;
		}
	}
}

/* The line restarts at the old end if the samples are lower than that: times between the two are not below it. */
static void times_between_two_segments_lie_between_theirs(void **state)
{
	int64_t t;
	struct hpt_record rec = {
		.convert.ns_per_tick = { .whole = 1 }, .read.start = 3000, .convert.span = 1000,
		.past = { .start = 1000, .span = 1000 }, .generation = 1,
	};
	const struct { int64_t t, ns; } rows[] = {
		{ 999, 4999 }, { 1000, 5000 }, { 1999, 5999 }, { 2000, 6000 }, { 2700, 6000 }, { 2701, 6001 },
		{ 2999, 6299 }, { 3000, 6300 }, { 3999, 7299 }, { 4000, 7300 }, { 5000, 8300 }, { -1000, 3000 },
	};

	(void)state;
	rec.past.ns = hpt_line_through(1000, (struct hpt_fixed){ .ns = 5000 }, rec.convert.ns_per_tick);
	rec.read.ns = hpt_line_through(3000, (struct hpt_fixed){ .ns = 6300 }, rec.convert.ns_per_tick);
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t ns;

		assert_int_equal(hpt_wide_narrow(hpt_timeline_ns(&rec, rows[i].t), &ns), 0);
		assert_int_equal(ns, rows[i].ns);
		assert_int_equal(hpt_timeline_tick(&rec, ns, &t), 0);
		if (rows[i].t < 2000 || rows[i].t > 2700)
			assert_int_equal(t, rows[i].t);
		else
			assert_in_range(t, 2000, 2700);
	}
	/* And a rate by which the earlier segment's times would be higher than its own end. */
	rec.read.ns = hpt_line_through(3000, (struct hpt_fixed){ .ns = 9000 }, rec.convert.ns_per_tick);
	for (int64_t ns, back, at = 2000; at < 3000; at += 100) {
		assert_int_equal(hpt_wide_narrow(hpt_timeline_ns(&rec, at), &ns), 0);
		assert_int_equal(ns, 6000 + at);
		assert_int_equal(hpt_timeline_tick(&rec, ns, &back), 0);
		assert_int_equal(back, at);
	}
	assert_int_equal(hpt_timeline_tick(&rec, 6500, &t), 0); /* no tick has this time */
	assert_int_equal(t, 2000);
	/* The first tick of a segment is late in its nanosecond. */
	rec.convert.ns_per_tick = (struct hpt_scale){ .frac = UINT64_C(1) << 62 };
	rec.read.ns = hpt_line_through(3000, (struct hpt_fixed){ .ns = 9000, .frac = UINT64_MAX / 10 * 9 },
				       rec.convert.ns_per_tick);
	assert_int_equal(hpt_timeline_tick(&rec, 9000, &t), 0);
	assert_int_equal(t, 3000);
}

static void an_unknown_tick_gets_a_fresh_record(void **state)
{
	uint32_t reads;
	hpt_time_t t;
	int64_t ns;

	(void)state;
	new_clock(400);
	ns = hpt_now_ns(&clk) + 3 * NS_PER_S;
	reads = world.clock_reads;
	pass(3 * PS_PER_S);
	ns_of(hpt_now(&clk));
	assert_true(world.clock_reads > reads);
	pass(3 * PS_PER_S);
	reads = world.clock_reads;
	assert_int_equal(hpt_time_from_ns(&clk, ns + 3 * NS_PER_S, &t), 0);
	assert_true(world.clock_reads > reads);
}

/* The line of a new generation begins with it. */
static void a_generation_knows_no_segment_of_another(void **state)
{
	struct hpt_record rec;
	struct seen s;

	(void)state;
	new_clock(400);
	settle();
	hpt_timekeeper_current(&clk, &rec);
	assert_true(rec.past.span);
	world.tick_offset += 1000000000;
	hpt_clock_check(&clk, NULL);
	s = see();
	assert_int_equal(hpt_clock_generation(&clk), 2);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.past.span, 0);
	assert_int_equal(rec.generation_start, rec.read.start);
	assert_seen(&s);
}

/* A step of the wall clock alone begins a generation, whose timeline goes on. */
static void a_step_of_the_wall_clock_leaves_the_timeline(void **state)
{
	struct hpt_record rec;
	struct seen s;

	(void)state;
	new_clock(400);
	settle();
	s = see();
	world.realtime_offset_ns += NS_PER_S;
	hpt_clock_check(&clk, NULL);
	hpt_timekeeper_current(&clk, &rec);
	assert_int_equal(rec.generation, 2);
	assert_true(rec.generation_start > (uint64_t)s.t && rec.generation_start <= (uint64_t)hpt_now(&clk));
	assert_seen(&s);
	pass(3 * PS_PER_S);
	hpt_now_ns(&clk);
	assert_int_equal(hpt_clock_generation(&clk), 2);
	assert_seen(&s);
}

static void demoted_times_go_by_the_counter(void **state)
{
	hpt_time_t t;
	int64_t ns;

	(void)state;
	new_kernel_clock();
	settle();
	fake_env_kernel("hpet\n");
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DEMOTED);
	t = hpt_now(&clk);
	ns = ns_of(t);
	world.clock_offset_ns += 500; /* the kernel's clock moves, the counter does not */
	assert_int_equal(ns_of(t), ns);
	assert_in_range(hpt_now_ns(&clk) - ns_of(hpt_now(&clk)), 400, 600);
	assert_in_range(ns_of(t + 2300) - ns, 999, 1001);
	assert_comes_back(t);
	fake_env_kernel(NULL);
}

static void os_clock_is_its_own_timeline(void **state)
{
	static const int64_t times[] = { INT64_MIN, -1, 0, 1, INT64_C(1000000000000), INT64_MAX };
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	for (size_t i = 0; i < COUNT(times); i++) {
		int64_t ns;
		hpt_time_t t;

		assert_int_equal(hpt_time_to_ns(os, times[i], &ns), 0);
		assert_true(ns == times[i]);
		assert_int_equal(hpt_time_from_ns(os, times[i], &t), 0);
		assert_true(t == times[i]);
	}
	hpt_clock_close(os);
}

static void refuses_what_does_not_fit(void **state)
{
	int64_t ns = 4711;
	hpt_time_t t = 4711;

	(void)state;
	new_clock(400);
	assert_int_equal(hpt_time_to_ns(&clk, 0, NULL), -EINVAL);
	assert_int_equal(hpt_time_from_ns(&clk, 0, NULL), -EINVAL);
	assert_int_equal(hpt_time_from_ns(&clk, INT64_MAX, &t), -ERANGE);
	assert_int_equal(hpt_time_from_ns(&clk, INT64_MIN, &t), -ERANGE);
	assert_int_equal(t, 4711);
	new_clock(10000);
	assert_int_equal(hpt_time_to_ns(&clk, INT64_MAX, &ns), -ERANGE);
	assert_int_equal(hpt_time_to_ns(&clk, INT64_MIN, &ns), -ERANGE);
	assert_int_equal(ns, 4711);
	assert_int_equal(hpt_time_to_ns(&clk, INT64_MIN / 11, &ns), 0);
	assert_true(ns < INT64_MIN / 11 * 9);
}

static void live_times_lie_between_reads(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t before = hpt_now_ns(NULL), ns, after;
		hpt_time_t t = hpt_now(NULL);

		after = hpt_now_ns(NULL);
		assert_int_equal(hpt_time_to_ns(NULL, t, &ns), 0);
		assert_true(before <= ns && ns <= after);
	}
}

static void errno_is_left_alone(void **state)
{
	int64_t ns;

	(void)state;
	new_clock(400);
	errno = EXDEV;
	assert_int_equal(hpt_time_to_ns(&clk, 0, &ns), 0);
	assert_int_equal(hpt_time_from_ns(&clk, 0, &ns), 0);
	assert_int_equal(errno, EXDEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_that_hpt_now_ns_returned),
		cmocka_unit_test(segment_before_is_exact),
		cmocka_unit_test(never_decreases_from_tick_to_tick),
		cmocka_unit_test(times_between_two_segments_lie_between_theirs),
		cmocka_unit_test(an_unknown_tick_gets_a_fresh_record),
		cmocka_unit_test(a_generation_knows_no_segment_of_another),
		cmocka_unit_test(a_step_of_the_wall_clock_leaves_the_timeline),
		cmocka_unit_test(demoted_times_go_by_the_counter),
		cmocka_unit_test(os_clock_is_its_own_timeline),
		cmocka_unit_test(refuses_what_does_not_fit),
		cmocka_unit_test(live_times_lie_between_reads),
		cmocka_unit_test(errno_is_left_alone),
	};

	random_start();
	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
