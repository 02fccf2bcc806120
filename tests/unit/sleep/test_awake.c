// SPDX-License-Identifier: MIT
/* Threads that would be awake for long: they block now and then, by what they have spun, and by RLIMIT_RTTIME. */
#include "sleep_world.h"

#include "sleep/awake.h"

/* A wait that is shorter does not count as one that blocks. */
#define BLOCKS_NS 40000

static int64_t world_ns(void)
{
	return (int64_t)(world.now_ps / 1000);
}

/* ---- Blocking ---------------------------------------------------------------------------------------------- */

struct loop {
	uint32_t policy;
	int64_t sleep_ns, work_ns; /* each turn works, then sleeps; 0: a past deadline */
	uint32_t past;             /* each past-th turn has a past deadline; 0: no turn */
	int64_t length_ns;         /* of the whole */
	int64_t awake_most_ns;     /* found: the longest time without a wait that blocks */
	uint32_t blocks;
};

/* Of the waits since the latest call: the end of the latest one that could block. */
static int64_t latest_block_ns(void)
{
	int64_t end_ns = 0;

	for (uint32_t i = 0; i < kernel.waits && i < FAKE_WAITS_KEPT; i++) {
		int64_t at_ns = (int64_t)(kernel.wait[i].at_ps / 1000), until_ns = kernel.wait[i].until_ns;

		if (until_ns - world.clock_offset_ns - at_ns >= BLOCKS_NS)
			end_ns = world_ns();
	}
	kernel.waits = 0;
	return end_ns;
}

static void *run_loop(void *arg)
{
	struct loop *l = arg;
	int64_t start_ns = world_ns(), blocked_ns = start_ns;

	hpt_sleep_set_policy(l->policy, 0);
	kernel.waits = 0;
	for (uint32_t i = 1; world_ns() - start_ns < l->length_ns; i++) {
		bool is_past = l->past && i % l->past == 0;
		hpt_time_t deadline;
		int64_t block_ns;

		world.now_ps += (uint64_t)l->work_ns * 1000;
		deadline = in_ns(is_past ? -1000 : l->sleep_ns);
		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
		assert_true(hpt_now(&clk) >= deadline);
		block_ns = latest_block_ns();
		l->blocks += block_ns != 0;
		if (block_ns)
			blocked_ns = block_ns;
		if (world_ns() - blocked_ns > l->awake_most_ns)
			l->awake_most_ns = world_ns() - blocked_ns;
	}
	return NULL;
}

static struct loop loop_of(uint32_t policy, int64_t sleep_ns)
{
	return (struct loop){ .policy = policy, .sleep_ns = sleep_ns, .length_ns = 400 * NS_PER_MS };
}

static void run(struct loop *l)
{
	in_new_thread(run_loop, l);
	note("policy %u, sleeps of %lld ns: %u waits, at most %lld us without one", l->policy, (long long)l->sleep_ns,
	     l->blocks, (long long)l->awake_most_ns / 1000);
}

/* Sleeps too short to wait: the guess of a margin is 100 us. */
static void all_but_spin_block_once_in_50_ms(void **state)
{
	static const uint32_t policies[] = { HPT_SLEEP_BALANCED, HPT_SLEEP_FRUGAL, HPT_SLEEP_STRICT };
	static const int64_t lengths_ns[] = { 700, 1000, 3900, 4100, 10000, 20000, 50000 };

	(void)state;
	for (size_t p = 0; p < COUNT(policies); p++)
		for (size_t i = 0; i < COUNT(lengths_ns); i++) {
			struct loop l = loop_of(policies[p], lengths_ns[i]);

			begin_at(400, 100000);
			run(&l);
			/* The loop's own reads come on top: a fifth where sleeps last 1 us. */
			assert_in_range(l.awake_most_ns, 0, 65 * NS_PER_MS);
			assert_in_range(l.blocks, 6, 8 + 400 / 50); /* and not much more often */
		}
}

/* Of NOSPIN only rests shorter than 4 us are spun. */
static void nospin_blocks_too(void **state)
{
	struct loop l = loop_of(HPT_SLEEP_NOSPIN, 3900);

	(void)state;
	begin_at(400, 100000);
	run(&l);
	assert_in_range(l.awake_most_ns, 0, 60 * NS_PER_MS);
	assert_true(l.blocks > 0);
}

static void spin_never_blocks(void **state)
{
	struct loop l = loop_of(HPT_SLEEP_SPIN, 20000);

	(void)state;
	begin_at(400, 100000);
	run(&l);
	assert_int_equal(l.blocks, 0);
}

/* What a thread of SPIN has spun counts for its later sleeps. */
static void *spin_then_balance(void *spin_ns)
{
	kernel.waits = 0;
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	hpt_sleep_ns(&clk, *(int64_t *)spin_ns);
	assert_int_equal(kernel.waits, 0);
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0);
	hpt_sleep_ns(&clk, 20 * NS_PER_US);
	assert_int_equal(kernel.waits, 1);
	hpt_sleep_ns(&clk, 20 * NS_PER_US);
	assert_int_equal(kernel.waits, 1);
	return NULL;
}

static void all_that_was_spun_counts(void **state)
{
	int64_t most_counted_ns = (int64_t)UINT16_MAX * HPT_HABITS_SPUN_NS;

	(void)state;
	begin();
	in_new_thread(spin_then_balance, &(int64_t){ 51 * NS_PER_MS });
	in_new_thread(spin_then_balance, &(int64_t){ most_counted_ns + NS_PER_MS });
}

/* The time between the check and the wait. */
static int64_t asking_ns;

static int64_t ask_slack_slowly(void)
{
	world.now_ps += (uint64_t)asking_ns * 1000;
	return kernel.slack_ns;
}

/* A sleep of a thread that has been awake for as long as it may. Returns the length of its first wait. */
static int64_t first_wait_when_due_ns(int64_t sleep_ns, hpt_time_t *ret_deadline)
{
	kernel.waits = 0;
	*hpt_habits_spun() = 51 * NS_PER_MS / HPT_HABITS_SPUN_NS;
	*ret_deadline = in_ns(sleep_ns);
	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, *ret_deadline)), 0);
	assert_true(kernel.waits > 0);
	return kernel.wait[0].until_ns - world.clock_offset_ns - (int64_t)(kernel.wait[0].at_ps / 1000);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * A wait that blocks is long enough even where the sleep is over before it begins, and is late by no more than that. It
 * makes no spin longer than the guess of a margin does.
 */
static void a_wait_that_is_due_is_long_enough(void **state)
{
	static const int64_t lengths_ns[] = { 200, 1000, 4500, 19000, 41000, 80000, 200000, 5000000 };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(lengths_ns); i++) {
		int64_t sleep_ns = lengths_ns[i / 2];
		hpt_time_t deadline;

		begin();
		fake_env.slack_ns = ask_slack_slowly;
		asking_ns = i % 2 * 30000;
		assert_true(first_wait_when_due_ns(sleep_ns, &deadline) >= 60000 - 1000);
		assert_reached(deadline, asking_ns + 60000 + LATE_NS + 2000);
		assert_in_range(*hpt_habits_spun() * HPT_HABITS_SPUN_NS, 0,
				least(sleep_ns, 110000) + 1000 + HPT_HABITS_SPUN_NS);
	}
}

/* The second wait of a long sleep is due no more: it would end after the deadline. */
static void one_wait_is_due(void **state)
{
	hpt_time_t deadline;

	(void)state;
	begin();
	settle();
	train();
	first_wait_when_due_ns(40 * NS_PER_MS, &deadline);
	assert_on_time(deadline);
	assert_int_equal(kernel.waits, 2);
}

/* Where half of the sleep is enough the wait that is due takes half, and teaches how late the kernel is. */
static void *sleep_when_due(void *arg)
{
	hpt_time_t deadline;

	(void)arg;
	assert_in_range(first_wait_when_due_ns(130000, &deadline), 64000, 65000);
	assert_int_equal(hpt_margin_samples(&hpt_habits_known()->after_brief), 1);
	first_wait_when_due_ns(100000, &deadline);
	assert_int_equal(hpt_margin_samples(&hpt_habits_known()->after_brief), 1);
	return NULL;
}

static void a_wait_that_is_due_teaches_unless_it_is_made_longer(void **state)
{
	(void)state;
	begin();
	in_new_thread(sleep_when_due, NULL);
}

static void a_shorter_wait_is_no_block(void **state)
{
	struct hpt_sleep sl = { .s = NULL };

	(void)state;
	begin();
	*hpt_habits_spun() = 7;
	hpt_awake_note_block(&sl, NULL, BLOCKS_NS - 1);
	assert_int_equal(*hpt_habits_spun(), 7);
	hpt_awake_note_block(&sl, NULL, BLOCKS_NS);
	assert_int_equal(*hpt_habits_spun(), 0);
}

/* Threads without a slot of habits. */
static pthread_mutex_t lives = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t claimed;

static void *hold_slot(void *arg)
{
	(void)arg;
	hpt_habits_claim();
	pthread_barrier_wait(&claimed);
	pthread_mutex_lock(&lives);
	pthread_mutex_unlock(&lives);
	return NULL;
}

static void without_slots(struct loop *l)
{
	static pthread_t holders[HPT_HABITS_SLOTS];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 * 1024);
	pthread_mutex_lock(&lives);
	pthread_barrier_init(&claimed, NULL, 2);
	for (size_t i = 0; i < COUNT(holders); i++) {
		assert_int_equal(pthread_create(&holders[i], &small, hold_slot, NULL), 0);
		pthread_barrier_wait(&claimed);
	}
	run(l);
	pthread_mutex_unlock(&lives);
	for (size_t i = 0; i < COUNT(holders); i++)
		pthread_join(holders[i], NULL);
}

static void threads_without_habits_block_too(void **state)
{
	struct loop l = loop_of(HPT_SLEEP_BALANCED, 30000);

	(void)state;
	begin_at(400, 1000000);
	without_slots(&l);
	assert_in_range(l.awake_most_ns, 0, 60 * NS_PER_MS);
	assert_in_range(l.blocks, 6, 16);
}

/* The kernel refuses each wait: the sleeps end in time, and the next ones try again. */
static void refused_waits_do_not_count(void **state)
{
	struct loop l = loop_of(HPT_SLEEP_BALANCED, 20000);

	(void)state;
	begin_at(400, 100000);
	kernel.refusal = -EPERM;
	run(&l);
	assert_true(l.blocks > 1000);
	kernel.refusal = 0;
}

/* ---- RLIMIT_RTTIME ----------------------------------------------------------------------------------------- */

/* The kernel counts the program's own CPU time as well. The limit is known from the first wait that is due on. */
static void work_counts_against_rttime(void **state)
{
	static const int64_t works_ns[] = { 0, 5000, 45000, 990000 };

	(void)state;
	for (size_t i = 0; i < COUNT(works_ns); i++)
		for (int64_t sleep_ns = 2000; sleep_ns < 50000; sleep_ns *= 5) {
			struct loop l = loop_of(HPT_SLEEP_BALANCED, sleep_ns);

			begin_at(400, 100000);
			kernel.rttime_ns = 100 * NS_PER_MS;
			hpt_spin_limits_ask(&fake_env);
			l.work_ns = works_ns[i];
			l.past = 3;
			run(&l);
			assert_in_range(l.awake_most_ns, 0, 30 * NS_PER_MS);
		}
}

static void a_thread_asks_however_brief_its_sleeps_are(void **state)
{
	(void)state;
	for (int64_t sleep_ns = 2000; sleep_ns < 50000; sleep_ns *= 3) {
		struct loop l = loop_of(HPT_SLEEP_BALANCED, sleep_ns);

		begin_at(400, 100000);
		kernel.rttime_ns = 60 * NS_PER_MS;
		run(&l);
		assert_in_range(l.awake_most_ns, 0, 20 * NS_PER_MS);
		assert_in_range(l.blocks, 400 / 20, 400 / 14); /* once in 15 ms */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_but_spin_block_once_in_50_ms),
		cmocka_unit_test(nospin_blocks_too),
		cmocka_unit_test(spin_never_blocks),
		cmocka_unit_test(all_that_was_spun_counts),
		cmocka_unit_test(a_wait_that_is_due_is_long_enough),
		cmocka_unit_test(one_wait_is_due),
		cmocka_unit_test(a_wait_that_is_due_teaches_unless_it_is_made_longer),
		cmocka_unit_test(a_shorter_wait_is_no_block),
		cmocka_unit_test(threads_without_habits_block_too),
		cmocka_unit_test(refused_waits_do_not_count),
		cmocka_unit_test(work_counts_against_rttime),
		cmocka_unit_test(a_thread_asks_however_brief_its_sleeps_are),
	};

	random_start();
	return cmocka_run_group_tests_name("awake", tests, NULL, NULL);
}
