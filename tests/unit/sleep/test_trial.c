// SPDX-License-Identifier: MIT
/* Trials: a thread whose sleeps are all shorter than its margin learns a shorter one, at little cost. */
#include "sleep_world.h"

#include "sleep/margin.h"

/*
 * The margin is longer than all sleeps of the thread, so it only spins and would never learn better. Its trials forget
 * samples and wait all the same: within some hundred sleeps it waits as it should. Without forgetting that would take
 * hundreds of thousands.
 */
static void margin_above_all_sleeps_comes_down_again(void **state)
{
	int n = 0;

	(void)state;
	begin_at(400, 5000000);
	kernel.late_ns = 450 * NS_PER_US;
	for (int i = 0; i < 600; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.late_ns = LATE_NS;
	assert_true(habits().margin_ns >= 450 * NS_PER_US);
	kernel.waits = 0;
	for (int i = 0; i < 200; i++)
		until_a_tick(200 * NS_PER_US);
	assert_in_range(kernel.waits, 1, 200 / 32); /* one in as many sleeps as there are samples, 32 at least */
	while (habits().margin_ns > 200 * NS_PER_US && n < 20000) {
		until_a_tick(200 * NS_PER_US);
		n++;
	}
	note("%d sleeps", n);
	assert_in_range(n, 1, 19999);
}

#define SHORT_NS (80 * NS_PER_US)

static void sleep_short(uint32_t n)
{
	while (n-- > 0)
		hpt_sleep_ns(&clk, SHORT_NS);
}

static void *run_short(void *ret)
{
	sleep_short(1000);
	return ask_habits(ret);
}

/* The first trials teach enough: from then on all sleeps wait. */
static void short_sleeps_alone_teach_a_margin(void **state)
{
	struct hpt_sleep_info info;
	const struct fake_wait *w = &kernel.wait[0];

	(void)state;
	begin();
	in_new_thread(run_short, &info);
	assert_true(info.samples >= HPT_MARGIN_ENOUGH);
	assert_in_range(info.margin_ns, LATE_NS, 2 * LATE_NS);
	assert_in_range(info.waits, 1000 - (HPT_MARGIN_ENOUGH + 1) * 32, 1000);
	/* A trial is a real wait, half as long as the sleep. */
	assert_in_range(w->until_ns - world.clock_offset_ns - (int64_t)(w->at_ps / 1000), SHORT_NS / 2 - 2 * NS_PER_US,
			SHORT_NS / 2);
}

static void *run_in_vain(void *ret)
{
	struct hpt_sleep_info *info = ret;

	sleep_short(20000);
	ask_habits(&info[0]);
	hpt_sleep_ns(&clk, NS_PER_MS);
	sleep_short(40);
	return ask_habits(&info[1]);
}

#define RARE (4 * 8 + (20000 - 8 * (32 + 64 + 128 + 256)) / 512)

/* The kernel is later than the sleeps are long: trials end late, and become rare until a sleep waits. */
static void trials_in_vain_become_rare(void **state)
{
	struct hpt_sleep_info info[2];

	(void)state;
	begin_at(400, 400000);
	kernel.late_ns = SHORT_NS + 10 * NS_PER_US;
	in_new_thread(run_in_vain, info);
	/* Eight each in 32, 64, 128 and 256 sleeps, then one in 512; after 50 ms of spinning one that is no trial. */
	assert_in_range(info[0].waits, RARE - 1, RARE + 20000 * SHORT_NS / (50 * NS_PER_MS) + 1);
	assert_in_range(info[1].waits - info[0].waits, 2, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(margin_above_all_sleeps_comes_down_again),
		cmocka_unit_test(short_sleeps_alone_teach_a_margin),
		cmocka_unit_test(trials_in_vain_become_rare),
	};

	return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
