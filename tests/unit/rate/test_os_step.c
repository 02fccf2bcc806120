// SPDX-License-Identifier: MIT
/* The step of the OS clock, by clocks of many steps, and what the library says of it. */
#include "os_world.h"

#include "rate/os_step.h"

static uint32_t reads;

static uint64_t counted_read(const struct hpt_source *src)
{
	reads++;
	return os_read(src);
}

/* A clock that moves by step_ns and is read in read_ps, after some time. */
static uint64_t step_of(int64_t step_ns, uint64_t read_ps, uint64_t after_ps)
{
	make_os(0);
	clk.src.read = counted_read;
	world.clock_step_ns = step_ns;
	world.clock_ps = read_ps;
	world.now_ps += after_ps;
	reads = 0;
	return hpt_os_step_ns(&clk.src);
}

static void fine_clocks_step_by_a_nanosecond(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(step_of(1, 20000 + random_below(100000), random_below(PS_PER_S)), 1);
	assert_true(reads <= 40);
	assert_int_equal(step_of(70, 1200000, 0), 1); /* no reading repeats */
	assert_int_equal(step_of(279, 1500000, 0), 1);
}

static void steps_longer_than_a_read_are_seen(void **state)
{
	static const int64_t steps_ns[] = { 100, 1000, 3000 };

	(void)state;
	for (size_t i = 0; i < COUNT(steps_ns); i++)
		for (int n = 0; n < 100; n++)
			assert_in_range(step_of(steps_ns[i], 24000, random_below(PS_PER_S)), steps_ns[i],
					steps_ns[i] + 2);
	assert_in_range(step_of(30518, 24000, random_below(PS_PER_S)), 30518, 30520);
	assert_true(reads <= 4096);
}

/* In the first step of a jiffy the clock shows what the coarse one does. */
static void a_clock_that_begins_a_jiffy_is_none_of_jiffies(void **state)
{
	(void)state;
	for (int64_t ns = 0; ns < FAKE_JIFFY_NS; ns += 700)
		assert_in_range(step_of(3000, 24000, (uint64_t)ns * 1000), 3000, 3002);
}

static void jiffies_are_known_without_waiting_for_one(void **state)
{
	(void)state;
	for (int n = 0; n < 100; n++) {
		assert_int_equal(step_of(FAKE_JIFFY_NS, 24000, random_below(PS_PER_S)), FAKE_JIFFY_NS);
		assert_true(reads <= 4096 + 2); /* 0.1 ms here */
	}
	fake.coarse_step_ns = INT64_MAX;
	assert_int_equal(hpt_os_step_ns(&clk.src), 1);
}

static uint64_t still_read(const struct hpt_source *src)
{
	(void)src;
	if (++reads > 1000000)
		fail_msg("it reads on");
	return 12345;
}

static void clocks_that_stand_still_show_no_step(void **state)
{
	(void)state;
	make_os(0);
	clk.src.read = still_read; /* and the coarse clock goes on */
	reads = 0;
	assert_int_equal(hpt_os_step_ns(&clk.src), 1);
	assert_true(reads <= 4100);
	make_os(0);
	clk.src.read = counted_read;
	world.now_ps += PS_PER_MS;
	freeze();
	world.now_ps += PS_PER_MS;
	reads = 0;
	assert_true(hpt_os_step_ns(&clk.src) >= 1);
	assert_true(reads <= 4096 + 2);
	make_os(0);
	clk.src.read = counted_read;
	fake_world_lose_clocks();
	reads = 0;
	assert_int_equal(hpt_os_step_ns(&clk.src), 1);
	assert_true(reads <= 40);
}

/* Load may have timed 32 reads in one jiffy, or between two. */
static void granularity_is_the_step(void **state)
{
	static const int64_t deltas_ns[] = { 0, FAKE_JIFFY_NS, 3 * FAKE_JIFFY_NS };
	struct hpt_clock_info info;
	struct hpt_sample sample;

	(void)state;
	for (size_t i = 0; i < COUNT(deltas_ns); i++) {
		make_os(0);
		world.clock_step_ns = FAKE_JIFFY_NS;
		clk.load_reads.n = HPT_LOAD_READS;
		clk.load_reads.deltas[7] = deltas_ns[i];
		assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
		assert_int_equal(info.granularity_ns, FAKE_JIFFY_NS);
		assert_int_equal(hpt_clock_sample(&clk, &sample, sizeof(sample)), 0);
		assert_true(sample.width_ns >= FAKE_JIFFY_NS);
	}
	make_os(0);
	clk.load_reads.n = HPT_LOAD_READS;
	for (size_t i = 0; i < HPT_LOAD_READS; i++)
		clk.load_reads.deltas[i] = 24 + (int64_t)(i % 3);
	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	assert_int_equal(info.granularity_ns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fine_clocks_step_by_a_nanosecond),
		cmocka_unit_test(steps_longer_than_a_read_are_seen),
		cmocka_unit_test(a_clock_that_begins_a_jiffy_is_none_of_jiffies),
		cmocka_unit_test(jiffies_are_known_without_waiting_for_one),
		cmocka_unit_test(clocks_that_stand_still_show_no_step),
		cmocka_unit_test(granularity_is_the_step),
	};

	random_start();
	return cmocka_run_group_tests_name("step of the OS clock", tests, NULL, NULL);
}
