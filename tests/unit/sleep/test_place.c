// SPDX-License-Identifier: MIT
/* Places among other threads' sleeps: who may spin, when it waits for the kernel alone, and what others count. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sleep_world.h"

#include "machine/process.h"

#define OTHER 64 /* another thread's name */

static struct hpt_place place_of(struct hpt_habits *h, uint32_t policy, int64_t now_ns)
{
	struct hpt_place p;

	assert_true(hpt_place_begin(&p, h, policy, now_ns));
	return p;
}

static void know(uint32_t cpus)
{
	struct hpt_surroundings s = { cpus, 0, INT64_MAX, false };
	struct hpt_spin_terms t;

	hpt_spin_terms(&s, &t);
	hpt_spin_limits_take(&t);
}

static int64_t monotonic_ns(void)
{
	return (int64_t)(world.now_ps / 1000) + world.clock_offset_ns;
}

/* This thread is not the only one that sleeps. */
static void begin_beside(uint32_t cpus)
{
	begin();
	hpt_crowd_join(&hpt_crowd, hpt_process(), OTHER);
	hpt_crowd_join(&hpt_crowd, hpt_process(), hpt_place_name(hpt_habits_claim()));
	if (cpus)
		know(cpus);
}

/* Others begin so many waits in each of 16 ms, until now. */
static void others_wait(int64_t now_ns, int64_t per_ms)
{
	for (int64_t t = -24 * NS_PER_MS; t <= 0; t += NS_PER_MS / per_ms)
		hpt_place_count_wait(now_ns + t);
}

/* ---- How many may spin ----------------------------------------------------------------------------------------- */

static void thread_alone_needs_no_place(void **state)
{
	struct hpt_place p;

	(void)state;
	begin();
	know(2);
	assert_true(hpt_place_is_beside(hpt_habits_claim()));
	assert_false(hpt_place_begin(&p, hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S));
	assert_false(p.is_crowded || p.is_many);
	assert_true(hpt_place_take(&p, NULL, 0, 0, NS_PER_S));
	assert_false(hpt_place_is_beside(hpt_habits_claim()));
	assert_true(hpt_place_is_beside(NULL));
}

static void spinners_are_by_policy_and_cpus(void **state)
{
	struct hpt_habits *h = hpt_habits_claim();

	(void)state;
	begin_beside(8);
	assert_int_equal(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners, 4);
	assert_int_equal(place_of(h, HPT_SLEEP_FRUGAL, NS_PER_S).spinners, 4);
	assert_int_equal(place_of(h, HPT_SLEEP_STRICT, NS_PER_S).spinners, 8);
	assert_true(place_of(h, HPT_SLEEP_SPIN, NS_PER_S).spinners == HPT_CROWD_ANY);
	begin_beside(1);
	assert_int_equal(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners, 1);
	begin_beside(0); /* not known */
	assert_true(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners == HPT_CROWD_ANY);
}

/* Its own CPU is nobody else's, if there are others. */
static void pinned_thread_spins_where_it_is(void **state)
{
	struct hpt_habits *h = hpt_habits_claim();

	(void)state;
	h->limits.is_pinned = true;
	begin_beside(8);
	assert_true(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners == HPT_CROWD_ANY);
	begin_beside(1);
	assert_int_equal(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners, 1);
	h->limits.is_pinned = false;
}

static void waits_of_others_make_a_crowd(void **state)
{
	static const struct {
		int64_t per_ms;
		bool is_crowded, is_many, is_full;
	} rows[] = {
		{ 3, false, false, false }, { 5, true, false, false }, { 16, true, false, false },
		{ 18, true, true, false }, { 47, true, true, false }, { 50, true, true, true },
	};
	struct hpt_habits *h = hpt_habits_claim();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_place p;

		begin_beside(2);
		others_wait(NS_PER_S, rows[i].per_ms);
		h->began_ns = 0;
		p = place_of(h, HPT_SLEEP_BALANCED, NS_PER_S);
		assert_int_equal(p.is_crowded, rows[i].is_crowded);
		assert_int_equal(p.is_many, rows[i].is_many);
		assert_int_equal(p.spinners, rows[i].is_full ? 0 : 1);
		assert_int_equal(h->is_among_many, rows[i].is_many);
		assert_int_equal(h->is_in_full, rows[i].is_full);
		h->began_ns = 0;
		assert_int_equal(place_of(h, HPT_SLEEP_STRICT, NS_PER_S).spinners, 2);
		h->began_ns = 0;
		assert_true(place_of(h, HPT_SLEEP_SPIN, NS_PER_S).spinners == HPT_CROWD_ANY);
		assert_false(h->is_in_full);
	}
}

/* One and a half for each CPU, if there are more than two. */
static void crowd_is_of_as_many_as_there_are_cpus(void **state)
{
	static const struct { uint32_t cpus; int64_t per_ms; bool is_crowded; } rows[] = {
		{ 1, 2, false }, { 1, 5, true }, { 3, 5, true }, { 8, 11, false }, { 8, 14, true }, { 64, 90, false },
		{ 64, 100, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		begin_beside(rows[i].cpus);
		others_wait(NS_PER_S, rows[i].per_ms);
		hpt_habits_claim()->began_ns = 0;
		assert_int_equal(place_of(hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S).is_crowded,
				 rows[i].is_crowded);
	}
}

static void unknown_cpus_are_no_limit(void **state)
{
	struct hpt_place p;

	(void)state;
	begin_beside(0);
	others_wait(NS_PER_S, 50);
	hpt_habits_claim()->began_ns = 0;
	p = place_of(hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S);
	assert_true(p.is_crowded && !p.is_many && p.spinners == HPT_CROWD_ANY);
}

/* One thread with a short period, beside one that seldom sleeps, is no crowd for itself. */
static void own_waits_are_no_crowd(void **state)
{
	struct hpt_habits *h = hpt_habits_claim();
	struct hpt_place p;

	(void)state;
	begin_beside(2);
	others_wait(NS_PER_S, 50);
	h->began_ns = NS_PER_S - 20 * NS_PER_US;
	p = place_of(h, HPT_SLEEP_BALANCED, NS_PER_S);
	assert_false(p.is_crowded || p.is_many);
	assert_int_equal(p.spinners, 1);
	assert_int_equal(h->began_ns, NS_PER_S);
	p = place_of(h, HPT_SLEEP_BALANCED, NS_PER_S + NS_PER_MS / 4);
	assert_true(p.is_many);
	p = place_of(NULL, HPT_SLEEP_BALANCED, NS_PER_S);
	assert_true(p.is_many);
}

/* Threads of other processes count as this one's do, and have the same places. */
static void processes_share_places(void **state)
{
	static struct hpt_crowd shared;
	struct hpt_habits *h = hpt_habits_claim();
	struct hpt_place p;

	(void)state;
	begin();
	know(2);
	assert_false(hpt_place_begin(&p, h, HPT_SLEEP_BALANCED, NS_PER_S));
	assert_false(hpt_place_is_beside(h));
	hpt_place_share(&shared);
	assert_true(hpt_place_is_beside(h));
	assert_false(hpt_place_begin(&p, h, HPT_SLEEP_BALANCED, NS_PER_S));
	assert_true(hpt_crowd_join(&shared, 1, OTHER));
	p = place_of(h, HPT_SLEEP_BALANCED, NS_PER_S);
	assert_int_equal(p.spinners, 1);
	assert_true(hpt_crowd_take(&shared, 1, NS_PER_S, NS_PER_S, NS_PER_S + NS_PER_MS, 0));
	assert_false(hpt_place_take(&p, h, NS_PER_S, NS_PER_S, NS_PER_S + NS_PER_US));
	assert_true(hpt_place_take(&p, h, NS_PER_S + 2 * NS_PER_MS, NS_PER_S + 3 * NS_PER_MS,
				   NS_PER_S + 4 * NS_PER_MS));
	others_wait(NS_PER_S, 50);
	assert_true(hpt_crowd_per_ms(&shared, NS_PER_S) >= 48);
	assert_int_equal(hpt_crowd.sleeps, 0);
	h->began_ns = 0;
	assert_int_equal(place_of(h, HPT_SLEEP_BALANCED, NS_PER_S).spinners, 0);
	hpt_place_share(NULL);
}

/* Its thread has the same place in memory. */
static void forked_child_is_another_in_a_shared_crowd(void **state)
{
	struct hpt_crowd *c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct hpt_place p;
	int status;
	pid_t child;

	(void)state;
	assert_true(c != MAP_FAILED);
	begin();
	hpt_place_share(c);
	assert_false(hpt_place_begin(&p, hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S));
	child = fork();
	if (!child)
		_exit(hpt_place_begin(&p, hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S + 1) ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(hpt_place_begin(&p, hpt_habits_claim(), HPT_SLEEP_BALANCED, NS_PER_S));
	hpt_place_share(NULL);
	munmap(c, sizeof(*c));
}

/* ---- Sleeps ---------------------------------------------------------------------------------------------------- */

/* Another thread spins for so long at the end of a time from now. */
static void other_spins(int64_t in_ns_from_now, int64_t for_ns)
{
	int64_t end_ns = monotonic_ns() + in_ns_from_now;

	assert_true(hpt_crowd_take(&hpt_crowd, 1, monotonic_ns(), end_ns - for_ns, end_ns, 0));
}

/* The end of the only wait is the deadline, and nothing is spun. */
static void assert_waits_to_the_end(int64_t ns, int64_t slack_ns)
{
	int64_t end_ns = monotonic_ns() + ns;
	hpt_time_t deadline = in_ns(ns);

	kernel.waits = 0;
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_int_equal(kernel.waits, 1);
	assert_in_range(kernel.wait[0].until_ns - end_ns + NS_PER_US, 0, slack_ns + 2 * NS_PER_US);
	assert_int_equal(kernel.wait[0].slack_ns, slack_ns);
	assert_reached(deadline, LATE_NS + slack_ns + 2 * NS_PER_US);
}

static void without_a_place_it_waits_to_the_end(void **state)
{
	(void)state;
	begin_beside(2);
	train();
	until_a_tick(NS_PER_MS);
	other_spins(NS_PER_MS, 50 * NS_PER_US);
	assert_waits_to_the_end(NS_PER_MS, 1);
	other_spins(NS_PER_MS / 2, 50 * NS_PER_US); /* another time */
	until_a_tick(NS_PER_MS);
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	other_spins(NS_PER_MS, 50 * NS_PER_US);
	until_a_tick(NS_PER_MS);
}

static void strict_has_as_many_places_as_cpus(void **state)
{
	(void)state;
	begin_beside(2);
	train();
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 0);
	other_spins(NS_PER_MS, 50 * NS_PER_US);
	until_a_tick(NS_PER_MS);
}

/* It would be spun from its start on. */
static void short_sleep_needs_a_place_too(void **state)
{
	(void)state;
	begin_beside(2);
	train();
	assert_int_equal(waits_of(20 * NS_PER_US), 0);
	other_spins(30 * NS_PER_US, 20 * NS_PER_US);
	assert_waits_to_the_end(20 * NS_PER_US, 1);
	other_spins(30 * NS_PER_US, 20 * NS_PER_US);
	assert_int_equal(waits_of(3 * NS_PER_US), 0); /* less than a wait is worth */
}

/* A place is taken once the deadline is near, by those that take it first. */
static void far_deadline_takes_its_place_late(void **state)
{
	hpt_time_t deadline;

	(void)state;
	begin_beside(2);
	train();
	until_a_tick(20 * NS_PER_MS);
	deadline = in_ns(20 * NS_PER_MS);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_on_time(deadline);
}

static void take_a_place(void)
{
	other_spins(5 * NS_PER_MS, NS_PER_MS);
}

static void far_deadline_finds_its_place_taken(void **state)
{
	hpt_time_t deadline;

	(void)state;
	begin_beside(2);
	train();
	deadline = in_ns(20 * NS_PER_MS);
	set_event(15 * NS_PER_MS, take_a_place);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_reached(deadline, LATE_NS + 2 * NS_PER_US);
	assert_true((hpt_now(&clk) - deadline) * (int64_t)world.tick_ps / 1000 > LATE_NS / 2);
	assert_true(kernel.waits >= 2);
}

/* Among many it costs no more than the kernel's own. */
static void among_many_it_keeps_its_slack(void **state)
{
	static const uint32_t policies[] = { HPT_SLEEP_BALANCED, HPT_SLEEP_NOSPIN };

	(void)state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		begin_beside(2);
		train();
		hpt_sleep_set_policy(policies[i], 0);
		others_wait(monotonic_ns(), 60);
		hpt_habits_claim()->began_ns = 0;
		assert_waits_to_the_end(NS_PER_MS, 50000);
		assert_int_equal(kernel.slack_sets, 0);
	}
}

/* In a crowd BALANCED costs as much as FRUGAL. */
static void crowd_spins_less(void **state)
{
	int64_t end_ns, ahead_ns[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin_beside(8);
		train();
		if (i)
			others_wait(monotonic_ns(), 14);
		hpt_habits_claim()->began_ns = 0;
		memset(&hpt_habits_claim()->after_brief, 0, sizeof(struct hpt_margin));
		for (int n = 0; n < 64; n++)
			hpt_margin_add(&hpt_habits_claim()->after_brief, n % 8 ? 20000 : 44000, 128);
		kernel.waits = 0;
		end_ns = monotonic_ns() + NS_PER_MS;
		hpt_sleep_until_ticks(&clk, in_ns(NS_PER_MS));
		ahead_ns[i] = end_ns - kernel.wait[0].until_ns;
	}
	assert_true(ahead_ns[1] < ahead_ns[0] - 5 * NS_PER_US);
}

/* Waits count for the others, sleeps that are all spin do not. */
static void waits_are_counted(void **state)
{
	uint32_t before;

	(void)state;
	begin_beside(2);
	train();
	before = hpt_crowd.sleeps;
	assert_int_equal(waits_of(20 * NS_PER_US), 0);
	assert_int_equal(hpt_crowd.sleeps, before);
	hpt_crowd.since_ns = monotonic_ns();
	assert_int_equal(waits_of(NS_PER_MS), 1);
	assert_int_equal(hpt_crowd.sleeps, before + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_alone_needs_no_place),
		cmocka_unit_test(spinners_are_by_policy_and_cpus),
		cmocka_unit_test(pinned_thread_spins_where_it_is),
		cmocka_unit_test(waits_of_others_make_a_crowd),
		cmocka_unit_test(crowd_is_of_as_many_as_there_are_cpus),
		cmocka_unit_test(unknown_cpus_are_no_limit),
		cmocka_unit_test(own_waits_are_no_crowd),
		cmocka_unit_test(processes_share_places),
		cmocka_unit_test(forked_child_is_another_in_a_shared_crowd),
		cmocka_unit_test(without_a_place_it_waits_to_the_end),
		cmocka_unit_test(strict_has_as_many_places_as_cpus),
		cmocka_unit_test(short_sleep_needs_a_place_too),
		cmocka_unit_test(far_deadline_takes_its_place_late),
		cmocka_unit_test(far_deadline_finds_its_place_taken),
		cmocka_unit_test(among_many_it_keeps_its_slack),
		cmocka_unit_test(crowd_spins_less),
		cmocka_unit_test(waits_are_counted),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
