// SPDX-License-Identifier: MIT
/*
 * A clock's records in a simulated world of known rate: the race for the first, the next ones, and reads between
 * them.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock_world.h"
#include "machine/process.h"

static void record_is_computed_once(void **state)
{
	struct hpt_clock clk;
	struct hpt_record first, second;
	uint32_t reads;

	(void)state;
	new_clock(&clk, 400);
	hpt_timekeeper_current(&clk, &first);
	reads = world.clock_reads;
	hpt_timekeeper_current(&clk, &second);
	assert_memory_equal(&first, &second, sizeof(first));
	assert_int_equal(world.clock_reads, reads);
}

static void now_ns_is_on_the_reference_clocks_timeline(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 1000, 1001, 41667, 69841 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps); i++) {
		struct hpt_clock clk;
		int64_t last = INT64_MIN;

		new_clock(&clk, ticks_ps[i]);
		for (int n = 0; n < 1000; n++) {
			int64_t before = true_ns(), now = hpt_now_ns(&clk);

			assert_true(now >= last);
			last = now;
			if (n == 0)
				continue; /* computes the record */
			assert_in_range(now - before + 1000, 1000 - 200 - ticks_ps[i] / 1000,
					1000 + 200 + ticks_ps[i] / 1000);
		}
	}
}

static void time_becomes_unix_time(void **state)
{
	struct hpt_clock clk;
	int64_t unix_ns, want;
	hpt_time_t t;

	(void)state;
	new_clock(&clk, 400);
	t = hpt_now(&clk);
	want = true_ns() + world.realtime_offset_ns;
	assert_int_equal(hpt_time_to_unix_ns(&clk, t, &unix_ns), 0);
	assert_in_range(unix_ns - want + 1000, 0, 2000);
}

/* Uses the clock until its baseline is so old that segments last a second. */
static void settle(struct hpt_clock *clk)
{
	for (int i = 0; i < 40; i++) {
		world.now_ps += UINT64_C(100000000000);
		hpt_now_ns(clk);
	}
}

static void unix_time_follows_a_step_of_the_wall_clock(void **state)
{
	struct hpt_clock clk;
	int64_t unix_ns, want;
	hpt_time_t t;

	(void)state;
	new_clock(&clk, 400);
	settle(&clk);
	assert_int_equal(hpt_clock_generation(&clk), 1);
	world.realtime_offset_ns += INT64_C(3600000000000);
	world.now_ps += UINT64_C(1100000000000);
	t = hpt_now(&clk);
	want = true_ns() + world.realtime_offset_ns;
	assert_int_equal(hpt_time_to_unix_ns(&clk, t, &unix_ns), 0);
	assert_in_range(unix_ns - want + 1000, 0, 2000);
	assert_int_equal(hpt_clock_generation(&clk), 2);
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_REANCHORED);
}

/* Within a segment the clocks are not sampled, so that conversions are cheap. */
static void segment_needs_no_samples(void **state)
{
	struct hpt_clock clk;
	struct hpt_record rec;
	uint32_t reads;
	int64_t unix_ns;

	(void)state;
	new_clock(&clk, 400);
	settle(&clk);
	hpt_timekeeper_now(&clk, &rec);
	reads = world.clock_reads;
	while (hpt_record_serves(&rec, (uint64_t)hpt_now(&clk) + 25000000)) {
		hpt_now_ns(&clk);
		hpt_now_unix_ns(&clk);
		assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &unix_ns), 0);
		hpt_clock_generation(&clk);
		world.now_ps += UINT64_C(5000000000);
	}
	assert_int_equal(world.clock_reads, reads);
	world.now_ps += UINT64_C(20000000000);
	hpt_now_ns(&clk);
	assert_true(world.clock_reads > reads);
}

static void future_time_needs_no_samples(void **state)
{
	struct hpt_clock clk;
	int64_t unix_ns;
	uint32_t reads;

	(void)state;
	new_clock(&clk, 400);
	assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &unix_ns), 0);
	reads = world.clock_reads;
	assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk) + INT64_C(2500000000) * 3600, &unix_ns), 0);
	assert_int_equal(world.clock_reads, reads);
}

static void errno_is_left_alone(void **state)
{
	struct hpt_clock clk;
	int64_t unix_ns;

	(void)state;
	new_clock(&clk, 400);
	errno = EXDEV;
	hpt_now_ns(&clk);
	assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &unix_ns), 0);
	hpt_ticks_to_ns(&clk, 5);
	assert_int_equal(errno, EXDEV);
}

/* ---- Slots lost in forks ---------------------------------------------------------------------------------- */

/* Claims every slot of the clock but the current one, as writers that never come back. */
static void lose_slots(struct hpt_clock *clk)
{
	hpt_process(); /* from now on the number is known without a system call, where that is possible */
	while (hpt_seqlatch_claim(&clk->latch, hpt_process_known()) >= 0)
		;
}

/* Where nothing can be published a read takes samples once, not eight times. */
static void read_gives_up_where_no_slot_is_free(void **state)
{
	struct hpt_clock clk;
	uint32_t reads;
	int64_t before;

	(void)state;
	new_clock(&clk, 400);
	settle(&clk);
	world.now_ps += UINT64_C(1100000000000);
	reads = world.clock_reads;
	hpt_now_ns(&clk);
	reads = world.clock_reads - reads; /* of one round of samples */
	lose_slots(&clk);
	world.now_ps += UINT64_C(1100000000000);
	before = true_ns();
	assert_in_range(hpt_now_ns(&clk) - before + 1000, 0, 3000);
	assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_OK);
	world.clock_reads = 0;
	hpt_now_ns(&clk);
	assert_int_equal(world.clock_reads, reads);
}

/* The parent's other threads claimed them; the child publishes nevertheless, and so do its children. */
static void forked_child_makes_records_again(void **state)
{
	struct hpt_clock clk;
	pid_t child;
	int status;

	(void)state;
	new_clock(&clk, 400);
	settle(&clk);
	lose_slots(&clk);
	if (hpt_process_known() != hpt_process())
		leave_out("a fork wipes no page here, as under QEMU's user emulation");
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		uint32_t reads;

		world.now_ps += UINT64_C(1100000000000);
		hpt_now_ns(&clk);
		reads = world.clock_reads;
		for (int i = 0; i < 100; i++)
			hpt_now_ns(&clk);
		_exit(world.clock_reads != reads);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* ---- Racers on the live clock: all use one record -------------------------------------------------- */

#define RACERS 4
static struct hpt_clock raced;
static struct hpt_record seen[RACERS];

static void *race(void *arg)
{
	hpt_timekeeper_current(&raced, &seen[(uintptr_t)arg]);
	return NULL;
}

static void racers_agree_on_one_record(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		pthread_t threads[RACERS];

		memset(&raced, 0, sizeof(raced));
		raced.src = hpt_booted()->clk.src;
		hpt_read_set(&raced);
		raced.at_load = hpt_booted()->status;
		hpt_anchor_take(&raced.src, &raced.anchor);
		for (uintptr_t i = 0; i < RACERS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, race, (void *)i), 0);
		for (int i = 0; i < RACERS; i++)
			pthread_join(threads[i], NULL);
		for (int i = 1; i < RACERS; i++)
			assert_memory_equal(&seen[i], &seen[0], sizeof(seen[0]));
	}
}

/* ---- Instants ------------------------------------------------------------------------------------------- */

static struct hpt_instant instant(struct hpt_clock *clk, clockid_t id)
{
	struct hpt_instant i;

	errno = EXDEV;
	hpt_timekeeper_instant(clk, id, &i);
	assert_int_equal(errno, EXDEV);
	return i;
}

static double ns_per_tick(struct hpt_scale s)
{
	return (double)s.whole + (double)s.frac / 18446744073709551616.0;
}

static void instant_is_a_tick_and_its_time_on_either_timeline(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 1000, 41667, 69841 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps); i++) {
		struct hpt_clock clk;

		new_clock(&clk, ticks_ps[i]);
		hpt_now_ns(&clk);
		for (int n = 0; n < 300; n++) {
			int64_t last_ns = hpt_now_ns(&clk), last_unix_ns = hpt_now_unix_ns(&clk);
			struct hpt_instant raw = instant(&clk, CLOCK_MONOTONIC_RAW);
			struct hpt_instant wall = instant(&clk, CLOCK_REALTIME);
			uint64_t past_ticks = (uint64_t)hpt_now(&clk) - raw.tick;
			int64_t past_ns = (int64_t)((double)past_ticks * (double)ticks_ps[i] / 1000);

			assert_true(raw.tick <= wall.tick);
			assert_in_range(raw.ns - last_ns, 0, 200 + ticks_ps[i] / 1000);
			assert_in_range(wall.ns - last_unix_ns, 0, 200 + ticks_ps[i] / 1000);
			assert_in_range(hpt_now_ns(&clk) - raw.ns - past_ns + 1000, 900, 1200 + ticks_ps[i] / 1000);
			assert_true(fabs(ns_per_tick(raw.slope) * 1000 / (double)ticks_ps[i] - 1) < 1e-3);
			assert_true(fabs(ns_per_tick(raw.mono_per_tick) * ns_per_tick(raw.tick_per_ns) - 1) < 1e-3);
			assert_int_equal(raw.generation, 1);
			world.now_ps += random_below(UINT64_C(100000000000));
		}
	}
}

/* Its nanoseconds are its ticks, whatever happens to the kernel's clocks. */
static void instant_of_an_exact_source_is_its_tick(void **state)
{
	struct hpt_clock clk;
	struct hpt_instant i;

	(void)state;
	new_clock(&clk, 1000);
	clk.src.rate = (struct hpt_rate){ 1, 1, HPT_UHZ_PER_GHZ, 0, HPT_ORIGIN_EXACT, false };
	hpt_read_set(&clk);
	i = instant(&clk, CLOCK_MONOTONIC_RAW);
	assert_int_equal(i.ns, (int64_t)i.tick);
	assert_in_range(i.tick, (uint64_t)hpt_now(&clk) - 100, (uint64_t)hpt_now(&clk));
	assert_true(i.slope.whole == 1 && !i.slope.frac && i.mono_per_tick.whole == 1 && !i.mono_per_tick.frac);
	i = instant(&clk, CLOCK_REALTIME);
	assert_in_range(i.ns - fake_world_true_ns(CLOCK_REALTIME) + 1000, 900, 1000);
}

/* Within a segment the clocks are not sampled; a caller that knows of an event need not wait for its end. */
static void resample_is_immediate(void **state)
{
	struct hpt_clock clk;
	int64_t step_ns = INT64_C(3600000000000), off_ns;

	(void)state;
	new_clock(&clk, 400);
	settle(&clk);
	world.realtime_offset_ns += step_ns;
	off_ns = instant(&clk, CLOCK_REALTIME).ns - fake_world_true_ns(CLOCK_REALTIME);
	assert_in_range(-off_ns, step_ns - 1000, step_ns + 1000);
	errno = EXDEV;
	hpt_timekeeper_resample(&clk);
	assert_int_equal(errno, EXDEV);
	off_ns = instant(&clk, CLOCK_REALTIME).ns - fake_world_true_ns(CLOCK_REALTIME);
	assert_in_range(off_ns + 1000, 0, 2000);
	assert_int_equal(instant(&clk, CLOCK_REALTIME).generation, 2);
	assert_int_equal(instant(&clk, CLOCK_MONOTONIC_RAW).state, HPT_STATE_REANCHORED);
}

static void instant_has_the_rate_of_a_slewed_clock(void **state)
{
	struct hpt_clock clk;

	(void)state;
	for (int64_t ppb = -500000; ppb <= 500000; ppb += 500000) {
		struct hpt_instant raw, wall;

		new_clock(&clk, 400);
		fake_world_slew(&world.wall, ppb);
		settle(&clk);
		raw = instant(&clk, CLOCK_MONOTONIC_RAW);
		wall = instant(&clk, CLOCK_REALTIME);
		assert_true(fabs(ns_per_tick(raw.mono_per_tick) / 0.4 - 1 - (double)ppb / 1e9) < 1e-6);
		assert_true(fabs(ns_per_tick(raw.slope) / 0.4 - 1) < 1e-5);
		assert_true(fabs(ns_per_tick(wall.slope) / 0.4 - 1 - (double)ppb / 1e9) < 1e-5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_is_computed_once),
		cmocka_unit_test(now_ns_is_on_the_reference_clocks_timeline),
		cmocka_unit_test(time_becomes_unix_time),
		cmocka_unit_test(unix_time_follows_a_step_of_the_wall_clock),
		cmocka_unit_test(segment_needs_no_samples),
		cmocka_unit_test(future_time_needs_no_samples),
		cmocka_unit_test(errno_is_left_alone),
		cmocka_unit_test(read_gives_up_where_no_slot_is_free),
		cmocka_unit_test(forked_child_makes_records_again),
		cmocka_unit_test(racers_agree_on_one_record),
		cmocka_unit_test(instant_is_a_tick_and_its_time_on_either_timeline),
		cmocka_unit_test(instant_of_an_exact_source_is_its_tick),
		cmocka_unit_test(resample_is_immediate),
		cmocka_unit_test(instant_has_the_rate_of_a_slewed_clock),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
