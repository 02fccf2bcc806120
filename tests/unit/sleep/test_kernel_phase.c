// SPDX-License-Identifier: MIT
/*
 * The kernel phase: what threads learn of the kernel's lateness, the margins of each policy, and
 * hpt_sleep_get_info().
 */
#include <pthread.h>

#include "sleep_world.h"

#include "sleep/margin.h"

/* ---- Learning ---------------------------------------------------------------------------------------- */

/* Fresh threads know nothing. */
static void in_new_thread(void *(*fn)(void *arg), void *arg)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, fn, arg), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static void *ask_habits(void *arg)
{
	assert_int_equal(hpt_sleep_get_info(arg, sizeof(struct hpt_sleep_info)), 0);
	return NULL;
}

static void new_threads_know_nothing(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	begin();
	train();
	in_new_thread(ask_habits, &info);
	assert_int_equal(info.samples + info.long_samples, 0);
	assert_int_equal(info.waits + info.oversleeps + info.oversleep_ns, 0);
	assert_in_range(info.margin_ns, 20 * NS_PER_US, NS_PER_MS);
	assert_in_range(info.long_margin_ns, info.margin_ns, NS_PER_MS);
	assert_true(habits().samples > 0);
}

struct course {
	uint32_t policy, sleeps, late, oversleeps, waits, waits_known;
	uint64_t spun_ps;
	struct hpt_sleep_info at_end;
};

/* 15 to 60 us, mostly at the lower end; for one wake in 20 up to 300 us. */
static int64_t noisy_lateness_ns(void)
{
	int64_t ns = 15 * NS_PER_US + (int64_t)(random_below(45000) * random_below(1000) / 1000);

	return random_below(20) ? ns : ns + (int64_t)random_below(240000);
}

static void one_of_course(struct course *c)
{
	hpt_time_t deadline = in_ns(NS_PER_MS);
	uint64_t woken_ps;

	kernel.waits = 0;
	hpt_sleep_until(&clk, deadline);
	c->late += (hpt_now(&clk) - deadline) * (int64_t)world.tick_ps > turn_ps();
	woken_ps = (uint64_t)(kernel.wait[kernel.waits - 1].until_ns - world.clock_offset_ns) * 1000;
	c->spun_ps += world.now_ps > woken_ps ? world.now_ps - woken_ps : 0;
	c->waits += kernel.waits;
	c->sleeps++;
}

static void *run_course(void *arg)
{
	struct course *c = arg;

	hpt_sleep_set_policy(c->policy, 0);
	for (int i = 0; i < 600; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	ask_habits(&c->at_end);
	c->oversleeps = (uint32_t)c->at_end.oversleeps;
	c->waits_known = (uint32_t)c->at_end.waits;
	for (int i = 0; i < 4000; i++)
		one_of_course(c);
	ask_habits(&c->at_end);
	c->oversleeps = (uint32_t)c->at_end.oversleeps - c->oversleeps;
	c->waits_known = (uint32_t)c->at_end.waits - c->waits_known;
	return NULL;
}

static struct course course(uint32_t policy)
{
	struct course c = { .policy = policy };

	begin_at(400, 200000);
	kernel.lateness_ns = noisy_lateness_ns;
	in_new_thread(run_course, &c);
	note("policy %u: %u of %u late, margin %u ns", policy, c.late, c.sleeps, c.at_end.margin_ns);
	return c;
}

static void margins_are_as_long_as_they_are_worth(void **state)
{
	struct course frugal = course(HPT_SLEEP_FRUGAL), balanced = course(HPT_SLEEP_BALANCED);
	struct course strict = course(HPT_SLEEP_STRICT);

	(void)state;
	/* In the tail, 1 us more avoids one late wake in 4800: not worth it at 2 ms each, but at 10 and at 50 ms. */
	assert_in_range(frugal.late, frugal.sleeps / 50, frugal.sleeps / 8);
	assert_in_range(balanced.late, 0, balanced.sleeps / 20);
	assert_in_range(strict.late, 0, strict.sleeps / 200);
	assert_true(balanced.late < frugal.late);
	/* Both margins are where one wake in 1000 is later: so few are late that chance decides who has fewer. */
	assert_true(strict.late <= balanced.late || strict.late <= 4);
	assert_true(strict.spun_ps > frugal.spun_ps);
}

static void counts_are_of_what_happened(void **state)
{
	struct course c = course(HPT_SLEEP_FRUGAL);

	(void)state;
	assert_int_equal(c.waits, c.waits_known);
	/* Some are late by less than the test's own turn. */
	assert_in_range(c.oversleeps, c.late, c.late + c.sleeps / 50);
	assert_true(c.at_end.oversleep_ns > 0 && c.at_end.oversleep_ns < 240000 * c.at_end.oversleeps);
	assert_in_range(c.at_end.samples, 100, c.at_end.waits);
	assert_int_equal(c.at_end.policy, HPT_SLEEP_FRUGAL);
}

/* The kernel becomes three times as late: a few sleeps end late, and then no more. */
static void follows_the_kernel_within_a_few_sleeps(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, LATE_NS, 2 * LATE_NS);
	kernel.late_ns = 3 * LATE_NS;
	for (int i = 0; i < 10; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, 3 * LATE_NS, 5 * LATE_NS);
	for (int i = 0; i < 100; i++)
		until_a_tick(NS_PER_MS / 5);
	kernel.late_ns = LATE_NS;
	for (int i = 0; i < 4096; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	assert_in_range(habits().margin_ns, LATE_NS, 2 * LATE_NS);
}

/* One preemption of 30 ms: only that sleep is late. */
static void one_bad_wake_is_one_late_sleep(void **state)
{
	struct hpt_sleep_info before, after;
	hpt_time_t deadline;

	(void)state;
	begin();
	for (int i = 0; i < 600; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	before = habits();
	kernel.late_ns = 30 * NS_PER_MS;
	deadline = in_ns(NS_PER_MS / 5);
	assert_int_equal(slept(hpt_sleep_until(&clk, deadline)), 0);
	assert_reached(deadline, 30 * NS_PER_MS);
	kernel.late_ns = LATE_NS;
	after = habits();
	assert_int_equal(after.oversleeps, before.oversleeps + 1);
	assert_in_range(after.oversleep_ns - before.oversleep_ns, 29 * NS_PER_MS, 30 * NS_PER_MS);
	assert_int_equal(after.margin_ns, before.margin_ns);
	until_a_tick(NS_PER_MS / 5);
}

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
	assert_in_range(kernel.waits, 0, 1); /* one in as many sleeps as there are samples */
	while (habits().margin_ns > 200 * NS_PER_US && n < 20000) {
		until_a_tick(200 * NS_PER_US);
		n++;
	}
	note("%d sleeps", n);
	assert_in_range(n, 1, 19999);
}

/* ---- Busy CPUs ---------------------------------------------------------------------------------------- */

/* More than half of the wakes wait for the end of another thread's slice, up to 4 ms. */
static int64_t queued_lateness_ns(void)
{
	return random_below(100) < 57 ? (int64_t)random_below(4000000) : 17 * NS_PER_US;
}

static void *run_beside_load(void *ret)
{
	struct hpt_sleep_info *info = ret;

	kernel.lateness_ns = queued_lateness_ns;
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	ask_habits(&info[0]);
	kernel.lateness_ns = NULL;
	kernel.late_ns = 60 * NS_PER_US;
	for (int i = 0; i < 100; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	return ask_habits(&info[1]);
}

/* No margin avoids these waits, so none is spent on them; 100 sleeps after the load it is an idle CPU's again. */
static void waits_for_a_busy_cpu_lengthen_no_margin(void **state)
{
	struct hpt_sleep_info info[2];

	(void)state;
	begin();
	in_new_thread(run_beside_load, info);
	note("margins %u and %u ns", info[0].margin_ns, info[1].margin_ns);
	assert_in_range(info[0].margin_ns, 17 * NS_PER_US, 100 * NS_PER_US);
	assert_in_range(info[1].margin_ns, 60 * NS_PER_US, 500 * NS_PER_US);
}

/* ---- Sleeps shorter than the first guess -------------------------------------------------------------- */

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

/* ---- Policies ---------------------------------------------------------------------------------------- */

static void nospin_is_as_late_as_the_kernel(void **state)
{
	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0);
	for (int64_t ns = 50 * NS_PER_US; ns < 2 * NS_PER_S; ns *= 3) {
		hpt_time_t deadline = in_ns(ns);

		kernel.waits = 0;
		assert_int_equal(slept(hpt_sleep_until(&clk, deadline)), 0);
		assert_true(kernel.waits > 0);
		assert_reached(deadline, LATE_NS + NS_PER_US);
	}
}

/* A second wait would cost a second wake, and the end is late anyhow. From some 0.15 s on the clocks may differ. */
static void nospin_that_is_never_early_waits_once(void **state)
{
	struct hpt_sleep_info before;

	(void)state;
	begin();
	kernel.late_long_ns = 2 * LATE_NS;
	train();
	before = habits();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0);
	for (int64_t ns = 50 * NS_PER_US; ns < 150 * NS_PER_MS; ns *= 2) {
		kernel.waits = kernel.slack_gets = 0;
		hpt_sleep_ns(&clk, ns);
		assert_int_equal(kernel.waits, 1);
		assert_int_equal(kernel.wait[0].slack_ns, 1); /* after an early wake it would have to spin */
		assert_int_equal(kernel.slack_gets, 1);
	}
	kernel.waits = 0;
	hpt_sleep_ns(&clk, NS_PER_S);
	assert_in_range(kernel.waits, 2, 3);
	/* Such waits are of any length, and lengthen no margin. */
	assert_in_range(habits().samples, before.samples, before.samples + 2);
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 50 * NS_PER_US);
	kernel.waits = 0;
	hpt_sleep_ns(&clk, 5 * NS_PER_MS);
	assert_int_equal(kernel.waits, 2);
}

static void nospin_may_be_early_by_its_allowance(void **state)
{
	int64_t early_ns = 50 * NS_PER_US;
	uint64_t woken_ps;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, early_ns);
	for (int64_t ns = 60 * NS_PER_US; ns < 2 * NS_PER_S; ns *= 3) {
		hpt_time_t deadline = in_ns(ns);
		int64_t left_ns;

		assert_int_equal(slept(hpt_sleep_until(&clk, deadline)), 0);
		woken_ps = world.now_ps;
		left_ns = hpt_ticks_to_ns(&clk, deadline - hpt_now(&clk));
		assert_in_range(left_ns + early_ns, 0, 2 * early_ns);
		assert_true(left_ns > -LATE_NS);
		assert_true(world.now_ps - woken_ps < 1000000);
	}
	/* A sleep no longer than that ends at once: it neither waits nor spins. */
	kernel.waits = 0;
	woken_ps = world.now_ps;
	assert_int_equal(slept(hpt_sleep_ns(&clk, early_ns / 2)), 0);
	assert_int_equal(kernel.waits, 0);
	assert_true(world.now_ps - woken_ps < PS_PER_MS / 1000);
}

static void spin_with_a_cap_waits_once_until_there(void **state)
{
	int64_t start_ns;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 3 * NS_PER_MS);
	assert_int_equal(waits_of(3 * NS_PER_MS), 0);
	start_ns = true_monotonic_ns();
	assert_int_equal(waits_of(50 * NS_PER_MS), 1);
	assert_in_range(kernel.wait[0].until_ns - start_ns, 47 * NS_PER_MS - NS_PER_US, 47 * NS_PER_MS + NS_PER_US);
}

/* Such waits end long before the deadline, for another purpose than margins. */
static void spin_teaches_nothing(void **state)
{
	struct hpt_sleep_info before;

	(void)state;
	begin();
	train();
	before = habits();
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, NS_PER_MS);
	for (int i = 0; i < 20; i++)
		until_a_tick(2 * NS_PER_MS);
	assert_int_equal(habits().samples, before.samples);
	assert_int_equal(habits().waits, before.waits + 20);
}

static void no_margin_is_above_the_policys_cap(void **state)
{
	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 5 * NS_PER_US);
	assert_in_range(habits().margin_ns, 0, 5 * NS_PER_US);
	assert_int_equal(habits().max_spin_ns, 5 * NS_PER_US);
	for (int i = 0; i < 10; i++) {
		hpt_time_t deadline = in_ns(NS_PER_MS / 5);

		assert_int_equal(slept(hpt_sleep_until(&clk, deadline)), 0);
		assert_reached(deadline, LATE_NS);
	}
}

/* ---- hpt_sleep_get_info() ---------------------------------------------------------------------------- */

static void info_needs_room(void **state)
{
	struct hpt_sleep_info info = { .size = 77 };

	(void)state;
	assert_int_equal(hpt_sleep_get_info(NULL, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_sleep_get_info(&info, HPT_SLEEP_INFO_SIZE_V0 - 1), -EINVAL);
	assert_int_equal(hpt_sleep_get_info(&info, 0), -EINVAL);
	assert_int_equal(info.size, 77);
	assert_int_equal(sizeof(info), HPT_SLEEP_INFO_SIZE_V0);
}

static void info_is_cut_and_filled_up(void **state)
{
	struct {
		struct hpt_sleep_info info;
		uint64_t more;
	} later = { .more = 77 };

	(void)state;
	begin();
	train();
	assert_int_equal(hpt_sleep_get_info(&later.info, sizeof(later)), 0);
	assert_int_equal(later.info.size, sizeof(later.info));
	assert_int_equal(later.more, 0);
	assert_true(later.info.waits > 0);
}

static void info_is_of_the_processs_policy(void **state)
{
	uint32_t hz = hpt_kernel_hz(), frugal_ns;

	(void)state;
	begin();
	train();
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	assert_int_equal(habits().policy, HPT_SLEEP_STRICT);
	assert_int_equal(habits().max_spin_ns, hz ? NS_PER_S / hz : 4 * NS_PER_MS);
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	assert_int_equal(habits().max_spin_ns, INT64_C(1) << 60);
	assert_int_equal(habits().margin_ns, UINT32_MAX);
	hpt_sleep_set_policy(HPT_SLEEP_FRUGAL, 0);
	frugal_ns = habits().margin_ns;
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	assert_true(frugal_ns <= habits().margin_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_threads_know_nothing),
		cmocka_unit_test(margins_are_as_long_as_they_are_worth),
		cmocka_unit_test(counts_are_of_what_happened),
		cmocka_unit_test(follows_the_kernel_within_a_few_sleeps),
		cmocka_unit_test(one_bad_wake_is_one_late_sleep),
		cmocka_unit_test(margin_above_all_sleeps_comes_down_again),
		cmocka_unit_test(waits_for_a_busy_cpu_lengthen_no_margin),
		cmocka_unit_test(short_sleeps_alone_teach_a_margin),
		cmocka_unit_test(trials_in_vain_become_rare),
		cmocka_unit_test(nospin_is_as_late_as_the_kernel),
		cmocka_unit_test(nospin_that_is_never_early_waits_once),
		cmocka_unit_test(nospin_may_be_early_by_its_allowance),
		cmocka_unit_test(spin_with_a_cap_waits_once_until_there),
		cmocka_unit_test(spin_teaches_nothing),
		cmocka_unit_test(no_margin_is_above_the_policys_cap),
		cmocka_unit_test(info_needs_room),
		cmocka_unit_test(info_is_cut_and_filled_up),
		cmocka_unit_test(info_is_of_the_processs_policy),
	};

	random_start();
	return cmocka_run_group_tests_name("kernel phase", tests, NULL, NULL);
}
