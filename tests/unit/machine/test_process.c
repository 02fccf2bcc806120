// SPDX-License-Identifier: MIT
/* Numbers of processes: one for all threads, another in each forked child, with and without a page that forks wipe. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "machine/process.h"

#define THREADS 4
#define FORKS   5

/* The status by which a child says what went wrong. */
enum { OK, SAME_NUMBER, ZERO, CHANGED, NO_FILTER, NO_FORK };

/* Forks down to `depth` children. Each has to have a number that none of those before it has. */
static int number_of_line(uint32_t *seen, int depth)
{
	uint32_t number = hpt_process();
	pid_t pid;
	int status;

	if (!number)
		return ZERO;
	if (hpt_process() != number)
		return CHANGED;
	for (int i = 0; i < depth; i++)
		if (seen[i] == number)
			return SAME_NUMBER;
	seen[depth] = number;
	if (depth == FORKS)
		return OK;
	pid = fork();
	if (pid < 0)
		return NO_FORK;
	if (!pid)
		_exit(number_of_line(seen, depth + 1));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : NO_FORK;
}

/* In a child, so that this process has made no word yet. */
static void assert_child(int (*f)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid)
		_exit(f());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_FILTER)
		leave_out("no filter of system calls can be set");
	assert_int_equal(WEXITSTATUS(status), OK);
}

static int with_a_word(void)
{
	uint32_t seen[FORKS + 1];

	return number_of_line(seen, 0);
}

/* A filter that denies advice, as an old kernel does. */
static int without_advice(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return NO_FILTER;
	if (hpt_process() != (uint32_t)getpid())
		return CHANGED;
	return with_a_word();
}

static void children_have_other_numbers(void **state)
{
	(void)state;
	assert_child(with_a_word);
}

static void numbers_differ_without_a_word_too(void **state)
{
	(void)state;
	assert_child(without_advice);
}

static pthread_barrier_t all;

static void *ask(void *ret)
{
	pthread_barrier_wait(&all);
	*(uint32_t *)ret = hpt_process();
	return NULL;
}

static int threads_agree(void)
{
	uint32_t numbers[THREADS];
	pthread_t threads[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, ask, &numbers[i]))
			return NO_FORK;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		if (numbers[i] != numbers[0])
			return CHANGED;
	return numbers[0] ? OK : ZERO;
}

/* Also as the first to ask in a child, where the word is there and has no number. */
static int threads_of_a_child_agree(void)
{
	pid_t pid;
	int status;

	hpt_process();
	pid = fork();
	if (!pid)
		_exit(threads_agree());
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : NO_FORK;
}

static void threads_have_one_number(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		assert_child(threads_agree);
		assert_child(threads_of_a_child_agree);
	}
}

/* Where no page can be wiped, which QEMU's user emulation does not do, a number is asked for each time: 1 is known. */
static int known_as_such(void)
{
	uint32_t number = hpt_process();

	return hpt_process_known() == (number == (uint32_t)getpid() ? 1 : number) ? OK : CHANGED;
}

/* Without a system call it is known wherever it has been made, and in the children of such a process. */
static void known_number_is_the_number(void **state)
{
	(void)state;
	hpt_process();
	assert_int_equal(known_as_such(), OK);
	assert_child(known_as_such);
}

static void errno_is_kept(void **state)
{
	(void)state;
	errno = 1234;
	assert_true(hpt_process());
	assert_int_equal(errno, 1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_have_other_numbers),
		cmocka_unit_test(numbers_differ_without_a_word_too),
		cmocka_unit_test(threads_have_one_number),
		cmocka_unit_test(known_number_is_the_number),
		cmocka_unit_test(errno_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
