// SPDX-License-Identifier: MIT
/* Slots of learned habits: each thread has its own, ended threads and forked processes leave theirs to others. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "sleep/habits.h"

/* A thread that has claimed a slot, or was refused one, and lives until it is let go. */
struct holder {
	pthread_t thread;
	pthread_mutex_t lives;
	pthread_barrier_t claimed;
	struct hpt_habits *habits;
	bool keeps_errno;
};

static void *hold(void *arg)
{
	struct holder *h = arg;

	errno = 1234;
	h->habits = hpt_habits_claim();
	h->keeps_errno = errno == 1234;
	pthread_barrier_wait(&h->claimed);
	pthread_mutex_lock(&h->lives);
	pthread_mutex_unlock(&h->lives);
	return NULL;
}

static void start(struct holder *h)
{
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 * 1024);
	pthread_mutex_init(&h->lives, NULL);
	pthread_mutex_lock(&h->lives);
	pthread_barrier_init(&h->claimed, NULL, 2);
	assert_int_equal(pthread_create(&h->thread, &small, hold, h), 0);
	pthread_barrier_wait(&h->claimed);
	pthread_attr_destroy(&small);
}

static void let_go(struct holder *h)
{
	pthread_mutex_unlock(&h->lives);
	pthread_join(h->thread, NULL);
	assert_true(h->keeps_errno);
}

static void threads_have_slots_of_their_own(void **state)
{
	struct hpt_habits *mine = hpt_habits_claim();
	struct holder other;

	(void)state;
	assert_non_null(mine);
	assert_ptr_equal(hpt_habits_claim(), mine);
	assert_ptr_equal(hpt_habits_known(), mine);
	start(&other);
	assert_non_null(other.habits);
	assert_ptr_not_equal(other.habits, mine);
	assert_ptr_equal(hpt_habits_claim(), mine);
	let_go(&other);
}

static void *ask(void *ret)
{
	*(uint64_t *)ret = hpt_habits_known()->waits;
	return NULL;
}

static void a_thread_without_a_slot_knows_nothing(void **state)
{
	pthread_t thread;
	uint64_t waits = 1;

	(void)state;
	hpt_habits_claim()->waits = 5;
	assert_int_equal(pthread_create(&thread, NULL, ask, &waits), 0);
	pthread_join(thread, NULL);
	assert_int_equal(waits, 0);
}

static void *ask_spun(void *ret)
{
	*(uint16_t *)ret = *hpt_habits_spun();
	return NULL;
}

static void what_a_thread_has_spun_is_its_own(void **state)
{
	pthread_t thread;
	uint16_t spun = 1;

	(void)state;
	*hpt_habits_spun() = 5;
	assert_int_equal(pthread_create(&thread, NULL, ask_spun, &spun), 0);
	pthread_join(thread, NULL);
	assert_int_equal(spun, 0);
	assert_int_equal(*hpt_habits_spun(), 5);
}

/* A later thread gets the slot, at the latest after all owners were asked once, and finds it zeroed. */
static void ended_threads_leave_their_slots(void **state)
{
	static struct holder holders[HPT_HABITS_SLOTS];
	struct hpt_habits *left = NULL;
	struct holder late;
	uint32_t n = 0, tries = 0;

	(void)state;
	hpt_habits_claim();
	do
		start(&holders[n]);
	while (holders[n++].habits && n < HPT_HABITS_SLOTS);
	assert_null(holders[n - 1].habits); /* all slots are held: by this thread, and by the others */
	left = holders[0].habits;
	left->waits = left->after_long.samples = 7;
	let_go(&holders[0]);
	for (start(&late); late.habits != left; start(&late)) { /* others may have been left by the tests before */
		assert_true(tries++ < 10000);
		let_go(&late);
		usleep(1000); /* a joined thread may not be gone yet */
	}
	assert_int_equal(left->waits + left->after_long.samples, 0);
	let_go(&late);
	while (--n)
		let_go(&holders[n]);
}

/* What a child of a thread with habits has to find. Returns which of it was wrong. */
static int child(struct hpt_habits *before, struct hpt_habits *of_other)
{
	struct holder own, *all;

	if (hpt_habits_known() == before)
		return 1; /* the claim is the parent's */
	if (hpt_habits_claim() != before || hpt_habits_known() != before || before->waits != 5)
		return 2;
	all = calloc(HPT_HABITS_SLOTS, sizeof(*all));
	for (uint32_t i = 0; i < HPT_HABITS_SLOTS - 1; i++) {
		start(&all[i]);
		if (!all[i].habits || all[i].habits == before)
			return 3; /* the parent's other threads have left theirs */
		of_other = of_other == all[i].habits ? NULL : of_other;
	}
	start(&own);
	return of_other ? 4 : own.habits ? 5 : 0;
}

/* A child whose other threads were faster and took all slots, the forking thread's too. */
static int slow_child(struct hpt_habits *before, struct hpt_habits *of_other)
{
	struct holder *all = calloc(HPT_HABITS_SLOTS, sizeof(*all));

	(void)before, (void)of_other;
	for (uint32_t i = 0; i < HPT_HABITS_SLOTS; i++) {
		start(&all[i]);
		if (!all[i].habits)
			return 6;
	}
	return hpt_habits_claim() ? 7 : 0;
}

static void in_a_child(int (*f)(struct hpt_habits *before, struct hpt_habits *of_other))
{
	struct hpt_habits *mine = hpt_habits_claim();
	struct holder other;
	int status;
	pid_t pid;

	if (is_emulated())
		leave_out("QEMU fails where a child of several threads starts one");
	mine->waits = 5;
	start(&other);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(f(mine, other.habits));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	let_go(&other);
}

static void children_keep_the_forking_threads_slot_alone(void **state)
{
	(void)state;
	in_a_child(child);
}

static void child_that_comes_too_late_shares_no_slot(void **state)
{
	(void)state;
	in_a_child(slow_child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_slots_of_their_own),
		cmocka_unit_test(a_thread_without_a_slot_knows_nothing),
		cmocka_unit_test(what_a_thread_has_spun_is_its_own),
		cmocka_unit_test(children_keep_the_forking_threads_slot_alone),
		cmocka_unit_test(child_that_comes_too_late_shares_no_slot),
		cmocka_unit_test(ended_threads_leave_their_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
