// SPDX-License-Identifier: MIT
/* How a wall's record is kept: looks, a clock that has lost its rate, records that others publish meanwhile. */
#include "wall_fakes.h"

#include "machine/process.h"
#include "wall/wall_fd.h"

static int present(struct hpt_wall_record *rec)
{
	uint64_t tick = 4711;
	int r;

	memset(rec, 0, sizeof(*rec));
	r = hpt_wall_present(wall, rec, &tick);
	if (!r)
		assert_true(tick - rec->read.bound.tick < rec->read.span);
	return r;
}

static void record_serves_the_tick(void **state)
{
	struct hpt_wall_record rec;

	(void)state;
	assert_int_equal(present(&rec), -EAGAIN);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_NONE);
	feed(NS_PER_US);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(present(&rec), 0);
		pass(7 * PS_PER_MS);
	}
}

/* A look within the span finds what reads do not see yet. */
static void look_again_finds_a_small_jump(void **state)
{
	(void)state;
	feed(NS_PER_US);
	assert_true(hpt_wall_look(wall));
	now_checked();
	counter_goes(25000); /* 10 us */
	assert_int_equal(hpt_wall_after(wall, 0), 1);
	assert_true(hpt_wall_look(wall));
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(hpt_wall_after(wall, 0), -EAGAIN);
}

static void look_that_cannot_be_published_is_none(void **state)
{
	(void)state;
	feed(NS_PER_US);
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
	assert_false(hpt_wall_look(wall));
}

/* The clock knows of an event, and has no rate: that is no state with a bound. */
static void clock_without_a_rate_disrupts(void **state)
{
	struct hpt_wall_record rec;
	struct hpt_wall_sample s;

	(void)state;
	feed(NS_PER_US);
	counter_goes(-INT64_C(2500000000) * 3600);
	hpt_clock_check(&clk, NULL);
	assert_int_equal(present(&rec), -EAGAIN);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(rec.counts.disruptions, 1);
	assert_int_equal(rec.read.generation, 2);
	assert_int_equal(wall->records[hpt_seqlatch_slot(hpt_seqlatch_begin(&wall->latch))].read.generation, 2);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(wall_info().width_ns, -1);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_DISRUPTED);
	s = sample_of(1000);
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -EAGAIN);
}

/* A thread that is overtaken looks again, and adds its sample to the other's record. */
static int overtakes;

static void overtake(void)
{
	feed(NS_PER_US);
	if (--overtakes > 0)
		happens_after(0, overtake);
}

static void overtaken_samples_are_not_lost(void **state)
{
	(void)state;
	feed(NS_PER_US);
	for (int i = 0; i < 20; i++) {
		struct hpt_wall_sample s = sample_of(500);
		uint64_t samples = wall_info().samples;

		overtakes = 1;
		happens_after(i * 8, overtake);
		assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
		if (sleeping.event)
			let_happen(false);
		assert_int_equal(wall_info().samples, samples + 2);
		now_checked();
		pass(PS_PER_MS);
	}
}

static void overtaken_reads_go_on(void **state)
{
	(void)state;
	feed(NS_PER_US);
	for (int i = 0; i < 20; i++) {
		pass(20 * PS_PER_MS);
		overtakes = 1;
		happens_after(i * 8, overtake);
		now_checked();
		if (sleeping.event)
			let_happen(false);
	}
}

static void ring_is_for_the_walls_bell_alone(void **state)
{
	uint32_t values[HPT_BELLS];

	(void)state;
	for (uint32_t i = 0; i < HPT_BELLS; i++)
		values[i] = hpt_eventcount_value(hpt_bell(i + 1));
	hpt_wall_ring(wall);
	for (uint32_t i = 0; i < HPT_BELLS; i++)
		assert_int_equal(hpt_eventcount_value(hpt_bell(i + 1)) - values[i], i + 1 == wall->bell);
}

static void errno_is_kept(void **state)
{
	struct hpt_wall_reading unsynced = { .sample.source = HPT_WALL_SOURCE_CHRONY };
	struct hpt_wall_record rec;

	(void)state;
	errno = EDOM;
	feed(NS_PER_US);
	pass(20 * PS_PER_MS);
	(void)present(&rec);
	(void)hpt_wall_look(wall);
	hpt_wall_note_unsynced(wall, &unsynced);
	hpt_wall_ring(wall);
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(record_serves_the_tick),
		wall_test(look_again_finds_a_small_jump),
		wall_test(look_that_cannot_be_published_is_none),
		wall_test(clock_without_a_rate_disrupts),
		wall_test(overtaken_samples_are_not_lost),
		wall_test(overtaken_reads_go_on),
		wall_test(ring_is_for_the_walls_bell_alone),
		wall_test(errno_is_kept),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_keeper", tests, NULL, NULL);
}
