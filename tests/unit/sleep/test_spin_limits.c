// SPDX-License-Identifier: MIT
/* Sleeps where the kernel limits CPU time: SCHED_DEADLINE, quotas; and what is asked for, when. */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "sleep_world.h"

#include "machine/process.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

static int64_t world_ns(void)
{
	return (int64_t)(world.now_ps / 1000);
}

/* ---- What is asked ------------------------------------------------------------------------------------------ */

static void *sleep_ten_times(void *arg)
{
	uint32_t *asked = arg;

	for (int i = 0; i < 12; i++) {
		assert_int_equal(slept(hpt_sleep_ns(&clk, NS_PER_MS)), 0);
		asked[i] = kernel.limit_gets;
	}
	return NULL;
}

static void each_thread_asks_once(void **state)
{
	uint32_t asked[12];

	(void)state;
	begin();
	in_new_thread(sleep_ten_times, asked);
	assert_int_equal(asked[8], 0);
	assert_int_equal(asked[11], 3);
	assert_int_equal(atomic_load(&hpt_spin_limits.asked_by), hpt_process());
	in_new_thread(sleep_ten_times, asked);
	assert_int_equal(asked[11], 6);
	kernel.limit_gets = 0;
	kernel.is_filtered = true;
	in_new_thread(sleep_ten_times, asked);
	assert_int_equal(asked[11], 0);
}

static void nothing_is_asked_where_that_is_not_known(void **state)
{
	uint32_t asked[12];

	(void)state;
	begin();
	fake_env.is_filtered = NULL;
	in_new_thread(sleep_ten_times, asked);
	assert_int_equal(asked[11], 0);
	assert_int_equal(atomic_load(&hpt_spin_limits.asked_by), 0);
}

/* A thread with fewer CPUs than others says nothing of those. A forked child may have fewer. */
static void spinners_are_the_most_that_a_thread_found(void **state)
{
	(void)state;
	begin();
	kernel.cpus = 8;
	assert_false(hpt_spin_limits_ask(&fake_env).is_pinned);
	kernel.cpus = 4;
	kernel.is_pinned = true;
	assert_true(hpt_spin_limits_ask(&fake_env).is_pinned);
	assert_int_equal(hpt_spin_limits_cpus(), 8);
	assert_int_equal(hpt_spin_limits_spinners(HPT_SLEEP_BALANCED), 4);
	assert_int_equal(hpt_spin_limits_spinners(HPT_SLEEP_STRICT), 8);
	atomic_store(&hpt_spin_limits.asked_by, hpt_process() + 1);
	hpt_spin_limits_ask(&fake_env);
	assert_int_equal(hpt_spin_limits_cpus(), 4);
	assert_int_equal(hpt_spin_limits_spinners(HPT_SLEEP_BALANCED), 2);
	assert_int_equal(hpt_spin_limits_spinners(HPT_SLEEP_STRICT), 4);
}

/* ---- SCHED_DEADLINE ----------------------------------------------------------------------------------------- */

/* Each sleep is one wait until its deadline, with the thread's own slack: none is early, and none spins. */
static void assert_no_spin(int64_t ns)
{
	hpt_time_t deadline = in_ns(ns);
	uint64_t woken_ps;

	kernel.waits = kernel.slack_gets = kernel.slack_sets = 0;
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_int_equal(kernel.waits, 1);
	woken_ps = (uint64_t)(kernel.wait[0].until_ns - world.clock_offset_ns) * 1000;
	assert_true(world.now_ps >= woken_ps && world.now_ps - woken_ps < (uint64_t)(LATE_NS + 2000) * 1000);
	assert_reached(deadline, 60000 + kernel.slack_ns + LATE_NS + 2000);
	assert_int_equal(kernel.slack_gets + kernel.slack_sets, 0);
}

static void *sleep_once(void *arg)
{
	(void)arg;
	kernel.waits = 0;
	hpt_sleep_ns(&clk, 30 * NS_PER_US);
	return NULL;
}

static void *run_deadline(void *arg)
{
	uint32_t asked[12];

	(void)arg;
	sleep_ten_times(asked);
	for (int64_t ns = 1000; ns < 50 * NS_PER_MS; ns *= 2)
		assert_no_spin(ns);
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	assert_no_spin(NS_PER_MS);
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0); /* the program asks for it */
	assert_int_equal(waits_of(NS_PER_MS), 0);
	return NULL;
}

static void deadline_threads_do_not_spin(void **state)
{
	(void)state;
	begin();
	kernel.scheduler = SCHED_DEADLINE;
	in_new_thread(run_deadline, NULL);
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 0); /* other threads spin */
}

/* ---- Quotas ------------------------------------------------------------------------------------------------- */

static void quota_is(uint32_t millicpus)
{
	struct hpt_surroundings s = { 2, millicpus, INT64_MAX, false };
	struct hpt_spin_terms t;

	hpt_spin_terms(&s, &t);
	hpt_spin_limits_take(&t);
	atomic_store(&hpt_spin_limits.asked_by, hpt_process());
}

static void *run_small_quota(void *arg)
{
	(void)arg;
	for (int64_t ns = 1000; ns < 50 * NS_PER_MS; ns *= 2)
		assert_no_spin(ns);
	return NULL;
}

static void nothing_is_spun_under_a_small_quota(void **state)
{
	(void)state;
	begin();
	quota_is(50);
	in_new_thread(run_small_quota, NULL);
}

/* The share of its time that a loop of sleeps spins, in thousandths. */
static int64_t spun_share(int64_t sleep_ns)
{
	int64_t start_ns = world_ns(), spun_ps = 0;

	while (world_ns() - start_ns < 2 * NS_PER_S) {
		hpt_time_t deadline = in_ns(sleep_ns);
		uint64_t before_ps = world.now_ps, woken_ps;

		kernel.waits = 0;
		assert_int_equal(hpt_sleep_until_ticks(&clk, deadline), 0);
		assert_true(hpt_now(&clk) >= deadline);
		woken_ps = !kernel.waits ? before_ps :
			   (uint64_t)(kernel.wait[kernel.waits - 1].until_ns - world.clock_offset_ns + LATE_NS) * 1000;
		if (world.now_ps > woken_ps)
			spun_ps += (int64_t)(world.now_ps - woken_ps);
	}
	return spun_ps / (world_ns() - start_ns);
}

static void *run_shared(void *ret)
{
	*(int64_t *)ret = spun_share(30 * NS_PER_US);
	return NULL;
}

static void all_threads_share_a_budget(void **state)
{
	int64_t share;

	(void)state;
	begin_at(400, 100000);
	in_new_thread(run_shared, &share);
	assert_in_range(share, 800, 1000); /* without a quota */
	begin_at(400, 100000);
	quota_is(1000);
	in_new_thread(run_shared, &share);
	note("%lld thousandths", (long long)share);
	assert_in_range(share, 50, 130);
	in_new_thread(run_shared, &share);
	assert_in_range(share, 50, 130);
}

/*
 * A wake that is late by milliseconds is one of a group that stood still: nothing is spun for a second. Sleeps without
 * a spin that are late do not make it longer: they have the thread's slack.
 */
static void a_group_that_stood_still_pauses(void **state)
{
	(void)state;
	begin();
	quota_is(1000);
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 0);
	kernel.late_ns = 3 * NS_PER_MS;
	hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.late_ns = LATE_NS;
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 1);
	world.now_ps += 900 * PS_PER_MS;
	kernel.late_ns = 3 * NS_PER_MS;
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 1);
	kernel.late_ns = LATE_NS;
	world.now_ps += 100 * PS_PER_MS;
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 0);
}

static void *stop_in_the_spin(void *arg)
{
	(void)arg;
	preemption_ns = 50 * NS_PER_MS;
	set_event(10 * NS_PER_US, preempt);
	hpt_sleep_ns(&clk, 30 * NS_PER_US);
	return NULL;
}

static void a_stop_in_the_spin_pauses_too(void **state)
{
	(void)state;
	begin();
	quota_is(1000);
	in_new_thread(stop_in_the_spin, NULL);
	in_new_thread(sleep_once, NULL);
	assert_int_equal(kernel.waits, 1);
}

static void the_budget_is_a_bucket(void **state)
{
	(void)state;
	begin();
	quota_is(1000); /* a tenth: 100 */
	assert_true(hpt_spin_limits_allow(NS_PER_S));
	hpt_spin_limits_spend(NS_PER_S, 10 * NS_PER_MS); /* all that can be saved up */
	assert_true(hpt_spin_limits_allow(NS_PER_S));
	hpt_spin_limits_spend(NS_PER_S, NS_PER_MS);
	assert_false(hpt_spin_limits_allow(NS_PER_S));
	assert_false(hpt_spin_limits_allow(NS_PER_S + 10 * NS_PER_MS - 1));
	assert_true(hpt_spin_limits_allow(NS_PER_S + 10 * NS_PER_MS));
	hpt_spin_limits_spend(10 * NS_PER_S, -5);
	hpt_spin_limits_spend(10 * NS_PER_S, 0);
	hpt_spin_limits_spend(10 * NS_PER_S, INT64_MAX); /* debts end after a second */
	assert_false(hpt_spin_limits_allow(11 * NS_PER_S - 1));
	assert_true(hpt_spin_limits_allow(11 * NS_PER_S));
	assert_true(hpt_spin_limits_allow(0)); /* the clock of another namespace */
	quota_is(1);
	assert_false(hpt_spin_limits_allow(100 * NS_PER_S));
	hpt_spin_limits_spend(100 * NS_PER_S, 1);
	quota_is(0); /* asked again by a thread that does not know the quota */
	assert_true(hpt_spin_limits_are_shared());
}

/* The files are read once. */
static void the_quota_is_asked_for_once(void **state)
{
	char group[] = "/tmp/hpt-group-XXXXXX", text[200], mounts[] = "/tmp/hpt-mounts-XXXXXX", limit[100];
	int fd = mkstemp(mounts);

	(void)state;
	begin();
	assert_true(fd >= 0);
	assert_non_null(mkdtemp(group));
	assert_true(snprintf(text, sizeof(text), "1 1 0:1 / %s rw - cgroup2 c rw\n", group) > 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	snprintf(limit, sizeof(limit), "%s/cpu.max", group);
	fd = open(limit, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "50000 100000\n", 13), 13);
	close(fd);
	snprintf(text, sizeof(text), "%s/self", group);
	fd = open(text, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "0::/\n", 5), 5);
	close(fd);
	fake_env_place("/proc/self/cgroup", text);
	fake_env_place("/proc/self/mountinfo", mounts);
	errno = EXDEV;
	assert_false(hpt_spin_limits_ask(&fake_env).must_not_spin);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(atomic_load(&hpt_spin_limits.millicpus), 50);
	unlink(limit);
	unlink(text);
	unlink(mounts);
	rmdir(group);
	assert_false(hpt_spin_limits_ask(&fake_env).must_not_spin);
	assert_int_equal(atomic_load(&hpt_spin_limits.millicpus), 50);
	kernel.scheduler = SCHED_DEADLINE;
	assert_true(hpt_spin_limits_ask(&fake_env).must_not_spin);
	assert_int_equal(atomic_load(&hpt_spin_limits.millicpus), 50); /* that is the thread's */
	fake_env_place("/proc/self/cgroup", NULL);
	fake_env_place("/proc/self/mountinfo", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_asks_once),
		cmocka_unit_test(nothing_is_asked_where_that_is_not_known),
		cmocka_unit_test(spinners_are_the_most_that_a_thread_found),
		cmocka_unit_test(deadline_threads_do_not_spin),
		cmocka_unit_test(nothing_is_spun_under_a_small_quota),
		cmocka_unit_test(all_threads_share_a_budget),
		cmocka_unit_test(a_group_that_stood_still_pauses),
		cmocka_unit_test(a_stop_in_the_spin_pauses_too),
		cmocka_unit_test(the_budget_is_a_bucket),
		cmocka_unit_test(the_quota_is_asked_for_once),
	};

	random_start();
	return cmocka_run_group_tests_name("spin limits", tests, NULL, NULL);
}
