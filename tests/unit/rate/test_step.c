// SPDX-License-Identifier: MIT
/* Steps: by scripted reads, and in worlds whose counters move in steps of all kinds. */
#include "record_world.h"

#include "rate/calibrate.h"

/* ---- By scripted reads ---------------------------------------------------------------------------------- */

#define GROUP 16

/* Brackets of these widths, one after the other, from a tick on. */
static void script(struct hpt_bracket *ret, uint64_t tick, const uint64_t *widths)
{
	for (uint32_t i = 0; i < GROUP; i++) {
		ret[i] = (struct hpt_bracket){ .before = tick, .after = tick + widths[i] };
		tick += widths[i];
	}
}

static struct hpt_step step_of(const uint64_t *old_widths, uint64_t apart, const uint64_t *recent_widths,
			       bool *ret_shown)
{
	struct hpt_bracket old[GROUP], recent[GROUP];
	struct hpt_moves moves = { 0 };

	script(old, 1000, old_widths);
	script(recent, old[GROUP - 1].after + apart, recent_widths);
	for (int i = 0; i < GROUP; i++)
		hpt_moves_add_bracket(&moves, &old[i]);
	for (int i = 0; i < GROUP; i++)
		hpt_moves_add_bracket(&moves, &recent[i]);
	*ret_shown = hpt_moves_show_step(&moves);
	return hpt_step_of_counter(&moves, hpt_group_of(old, GROUP), hpt_group_of(recent, GROUP));
}

#define ALL(width) { width, width, width, width, width, width, width, width,                                           \
		     width, width, width, width, width, width, width, width }

static const struct steps {
	uint64_t old[GROUP], apart, recent[GROUP];
	uint64_t size, lag; /* wanted */
} steps[] = {
	/* No step is known: the counter stands still, or moved too seldom. */
	{ ALL(0), 0, ALL(0), 0, 0 },
	{ ALL(0), 1177, ALL(0), 0, 0 },
	{ { 0, 1177 }, 65, { 0, 1 }, 0, 0 },
	{ { 0, 1 }, 0, { 0, 1 }, 0, 0 },
	/* Reads repeat: a step is the smallest move, however long preemptions last. */
	{ { 0, 1, 1177 }, 65, { 1, 1 }, 1, 1 },
	{ { 1170, 26, 0 }, 260, { 52, 26, 0, 26 }, 26, 28 }, /* so few moves do not show that steps are equal */
	{ { 0, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26 }, 260, { 26, 26, 26, 26 }, 26, 28 },
	{ { 0, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26 }, 260, { 26, 26, 26, 26, 26 }, 26, 26 },
	{ { 0, 62, 63, 0 }, 125, { 62, 0, 62 }, 62, 64 },
	{ { 0, 63, 63, 0 }, 125, { 62, 0, 62 }, 62, 64 },
	{ { 0, 63, 62, 0 }, 125, { 0, 63, 0 }, 62, 64 },
	{ { 0, 62, 62, 0 }, 125, { 62, 0, 62 }, 62, 64 },
	{ { 0, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62 }, 125, { 62, 62, 62, 62, 62 }, 62, 64 },
	{ { 0, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62 }, 124, { 62, 62, 62, 62, 62 }, 62, 62 },
	{ { 0, 124, 126, 0 }, 250, { 124, 0, 124 }, 124, 128 }, /* in units of two ticks */
	/* They do not: steps of 26 ticks. The thread goes to another CPU in a bracket, or between the groups. */
	{ { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 104, 104, 104, 104, 130, 104 }, 26000, ALL(104), 26, 26 },
	{ { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 104, 104, 104, 104, 130, 5207 }, 26000,
	  ALL(104), 26, 28 },
	{ { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 104, 104, 104, 104, 130, 104 }, 26007, ALL(104), 26, 28 },
	{ { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 5207, 104, 104, 104, 130, 5211 }, 26000,
	  ALL(104), 26, 28 },
	{ { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 104, 104, 104, 104, 130, 130 }, 26000,
	  { 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211 }, 26, 28 },
	{ { 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211, 5207, 5211 }, 26000,
	  { 104, 130, 104, 156, 130, 104, 104, 104, 130, 130, 104, 104, 104, 104, 130, 130 }, 26, 28 },
	/* 41 2/3 ticks: an Arm counter of 1 GHz that moves at 24 MHz. */
	{ { 41, 42, 83, 42, 42, 41, 42, 84, 42, 83, 42, 42, 125, 41, 42, 42 }, 41667, ALL(42), 42, 44 },
	/* Widths that scatter, and a slow counter read at regular intervals. */
	{ { 96, 97, 98, 99, 96, 97, 98, 99, 101, 97, 140, 190, 96, 96, 96, 96 }, 100001, ALL(97), 1, 1 },
	{ { 96, 98, 101, 104, 96, 98, 101, 104, 96, 98, 101, 104, 96, 98, 101, 190 }, 100001, ALL(96), 1, 1 },
	{ { 96, 99, 102, 106, 96, 99, 102, 106, 96, 99, 102, 106, 96, 99, 102, 190 }, 100001, ALL(96), 3, 5 },
	{ { 96, 98, 100, 102, 96, 98, 100, 104, 96, 98, 100, 102, 96, 98, 100, 190 }, 100000, ALL(96), 2, 2 },
	{ { 15, 16, 15, 16, 15, 15, 15, 16, 15, 15, 15, 16, 15, 15, 15, 16 }, 1001, ALL(15), 1, 1 },
	{ ALL(130), 26000, ALL(130), 130, 130 },
	{ ALL(130), 26026, ALL(130), 26, 26 },
};

static void step_is_found_in_scripted_reads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(steps); i++) {
		bool is_shown;
		struct hpt_step step = step_of(steps[i].old, steps[i].apart, steps[i].recent, &is_shown);

		assert_int_equal(is_shown, step.size > 0);
		if (step.size != steps[i].size || hpt_step_lag(step) != steps[i].lag)
			fail_msg("row %zu: step %llu, lag %llu", i, (unsigned long long)step.size,
				 (unsigned long long)hpt_step_lag(step));
	}
}

static struct hpt_step step_of_readings(const uint64_t *readings, int n)
{
	struct hpt_moves moves = { 0 };

	for (int i = 0; i < n; i++)
		hpt_moves_add(&moves, readings[i]);
	return hpt_step_of_clock(&moves);
}

static void step_of_a_clock_is_found_where_readings_repeat(void **state)
{
	static const uint64_t readings[] = { 5, 5, 45, 4100, 8155, 8195, 8195, 8235, 8275 };
	static const uint64_t fine[] = { 0, 38, 76, 114, 153 };

	(void)state;
	assert_int_equal(step_of_readings(fine, COUNT(fine)).size, 1);
	assert_int_equal(step_of_readings(fine, 1).size, 1);
	assert_int_equal(step_of_readings(readings, 2).size, 0); /* it has not moved */
	assert_int_equal(step_of_readings(readings, 7).size, 0); /* by its smallest move twice */
	assert_int_equal(step_of_readings(readings, 8).size, 40);
	assert_int_equal(step_of_readings(readings, 8).unit, 5); /* preemptions show that steps are unequal */
}

static void counter_that_goes_back_counts_by_its_distance(void **state)
{
	const uint64_t back[GROUP] = { 26, (uint64_t)-52, 26, 26 };
	struct hpt_moves moves = { 0 };
	struct hpt_bracket b[GROUP];

	(void)state;
	script(b, 1000, back);
	for (int i = 0; i < GROUP; i++)
		hpt_moves_add_bracket(&moves, &b[i]);
	assert_int_equal(moves.divisor, 26);
	assert_int_equal(moves.least, 26);
	assert_int_equal(moves.times, 3);
}

/* ---- In scripted worlds --------------------------------------------------------------------------------- */

#define WORLDS 40 /* of each kind */

static const struct counter {
	const char *what;
	uint64_t tick_fs, pause_ps, staircase;
} counters[] = {
	{ "32768 Hz", UINT64_C(30517578125), 0, 0 },
	{ "1 MHz", 1000000000, 0, 0 },
	{ "3.579545 MHz", 279365115, 0, 0 },
	{ "14.318 MHz", 69841279, 0, 0 },
	{ "24 MHz", 41666667, 0, 0 },
	{ "62.5 MHz", 16000000, 0, 0 },
	{ "62.5 MHz each us", 16000000, 1000000, 0 },
	{ "62.5 MHz each 0.5 us", 16000000, 500000, 0 },
	{ "50 MHz each us", 20000000, 1000000, 0 },
	{ "1 GHz", 1000000, 0, 0 },
	{ "1 GHz at 24 MHz", 1000000, 41667, 0 },
	{ "1 GHz at 37 MHz", 1000000, 27027, 0 },
	{ "2.6 GHz", 384615, 0, 0 },
	{ "2.6 GHz by 26 ticks", 384615, 0, 26 },
	{ "4.7 GHz", 212766, 0, 0 },
};

static void new_counter(const struct counter *c, int64_t clock_step_ns)
{
	world = (struct fake_world){
		.now_ps = 5 * PS_PER_S + random_below(PS_PER_S), .tick_fs = c->tick_fs,
		.tick_offset = random_u64() >> 2, .pause_ps = c->pause_ps, .staircase = c->staircase, .read_ps = 8000,
		.clock_ps = 24000, .jitter_ps = jitter, .clock_step_ns = clock_step_ns,
		.clock_offset_ns = INT64_C(77000000000), .realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(&clk, 0, sizeof(clk));
	fake_world_source(&clk.src, &fake_env);
	hpt_read_set(&clk);
	clk.at_load = hpt_booted()->status;
	hpt_anchor_take(&clk.src, &clk.anchor);
}

struct tally {
	int no_rate, rates, lag, coarse, line, state;
	int64_t worst_ns;
};

static struct last_look {
	uint64_t ps;
	double error_ppb;
	int64_t left_ns;
} last;

/*
 * How far a reading's time may be from the reference: the steps of both clocks, a bracket, and what the rate's errors
 * have added up to. (A line makes up for them by the end of its segment only.)
 */
static int64_t claimed_ns(const struct counter *c, const struct hpt_clock_info *i)
{
	uint64_t step_ps = c->staircase ? c->staircase * c->tick_fs / 1000 : c->pause_ps + c->tick_fs / 1000;

	last.left_ns += (int64_t)((double)(world.now_ps - last.ps) / 1e12 * last.error_ppb);
	last.ps = world.now_ps;
	last.error_ppb = i->frequency_error_ppb;
	return 3 * (int64_t)step_ps / 2000 + 2 * world.clock_step_ns + 100 + last.left_ns;
}

static void look(const struct counter *c, struct tally *t)
{
	struct hpt_clock_info i = info();
	uint64_t (*disturbed)(void) = world.jitter_ps;
	double error_ppb = fabs(1 - 1e21 / (double)c->tick_fs / (double)i.frequency_uhz) * 1e9;
	int64_t before, now, off;

	t->no_rate += i.frequency_error_ppb == UINT32_MAX;
	t->rates += error_ppb > i.frequency_error_ppb;
	t->state += i.state != HPT_STATE_OK;
	world.jitter_ps = NULL; /* a preemption between now_ns() and its end is no error */
	before = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	now = hpt_now_ns(&clk);
	world.jitter_ps = disturbed;
	off = now - (before + fake_world_true_ns(CLOCK_MONOTONIC_RAW)) / 2;
	off = off < 0 ? -off : off;
	t->line += off > claimed_ns(c, &i);
	t->worst_ns = off > t->worst_ns ? off : t->worst_ns;
}

/* The lag that the counter's steps need. Unequal ones are up to a tick longer by rounding. */
static double least_lag(const struct counter *c)
{
	double step = c->staircase ? (double)c->staircase : (double)c->pause_ps * 1000 / (double)c->tick_fs;

	return step < 1 ? 1 : step == floor(step) ? step : floor(step) + 1;
}

/* One world: the first record from an anchor of some age, then use for seconds. */
static bool is_wrong(const struct counter *c, int64_t clock_step_ns, uint64_t age_ps, struct tally *total)
{
	struct hpt_record first;
	struct tally t = { 0 };

	new_counter(c, clock_step_ns);
	pass(age_ps);
	last = (struct last_look){ .ps = world.now_ps };
	hpt_timekeeper_current(&clk, &first);
	last.error_ppb = (double)first.rate.error_ppb;
	t.lag = (double)first.granularity.ticks < least_lag(c);
	total->coarse += (double)first.granularity.ticks > least_lag(c) + 5;
	for (int i = 0; i < 40; i++) {
		look(c, &t);
		pass(random_below(i < 20 ? 5 * PS_PER_MS : 500 * PS_PER_MS));
	}
	total->no_rate += t.no_rate > 0;
	total->rates += t.rates > 0;
	total->lag += t.lag;
	total->line += t.line > 0;
	total->state += t.state > 0;
	total->worst_ns = t.worst_ns > total->worst_ns ? t.worst_ns : total->worst_ns;
	return t.no_rate || t.rates || t.lag || t.line || t.state;
}

static void rate_and_line_are_right_in_every_world(void **state)
{
	static const int64_t clock_steps_ns[] = { 1, 1000 };
	int wrong = 0, coarse = 0, all = 0;

	(void)state;
	for (size_t k = 0; k < COUNT(counters); k++) {
		struct tally t = { 0 };
		int mine = 0;

		for (int i = 0; i < WORLDS; i++)
			mine += is_wrong(&counters[k], clock_steps_ns[i / 2 % 2],
					 i & 1 ? 0 : random_below(20 * PS_PER_MS), &t);
		if (mine)
			note("%s: %d of %d wrong: no rate %d, rates %d, lag %d, line %d (worst %lld ns), state %d",
			     counters[k].what, mine, WORLDS, t.no_rate, t.rates, t.lag, t.line, (long long)t.worst_ns,
			     t.state);
		wrong += mine;
		coarse += t.coarse;
		all += WORLDS;
	}
	note("of %d worlds %d wrong, %d with much more than the counter's step", all, wrong, coarse);
	assert_int_equal(wrong, 0);
	assert_true(coarse <= all / 50); /* where preemptions leave two or three brackets */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_is_found_in_scripted_reads),
		cmocka_unit_test(step_of_a_clock_is_found_where_readings_repeat),
		cmocka_unit_test(counter_that_goes_back_counts_by_its_distance),
		cmocka_unit_test(rate_and_line_are_right_in_every_world),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
