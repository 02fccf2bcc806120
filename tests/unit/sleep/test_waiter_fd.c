// SPDX-License-Identifier: MIT
/* The descriptor of a waiter: readable while an interrupt is pending, and never without one. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open_files.h"

#include "hpt/wait.h"
#include "machine/process.h"
#include "sleep/waiter.h"

#define NS_PER_S INT64_C(1000000000)

static hpt_waiter *w;

static int waiter_begins(void **state)
{
	(void)state;
	errno = EXDEV;
	return hpt_waiter_new(NULL, 0, &w);
}

static int waiter_ends(void **state)
{
	(void)state;
	hpt_waiter_free(w);
	assert_int_equal(errno, EXDEV);
	return 0;
}

#define waiter_test(f) cmocka_unit_test_setup_teardown(f, waiter_begins, waiter_ends)

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents == POLLIN;
}

static void interrupt(void)
{
	assert_int_equal(hpt_waiter_interrupt(w), 0);
}

static void readable_while_an_interrupt_is_pending(void **state)
{
	int fd = hpt_waiter_fd(w);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(hpt_waiter_fd(w), fd);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_false(is_readable(fd));
	for (int i = 0; i < 3; i++) {
		interrupt();
		interrupt();
		assert_true(is_readable(fd));
		assert_int_equal(hpt_waiter_sleep_ns(w, NS_PER_S), -ECANCELED);
		assert_false(is_readable(fd));
		interrupt();
		assert_int_equal(hpt_waiter_clear(w), 0);
		assert_false(is_readable(fd));
		assert_int_equal(hpt_waiter_sleep_ns(w, 1), 0);
	}
}

static void pending_interrupt_makes_a_new_one_readable(void **state)
{
	(void)state;
	interrupt();
	assert_true(is_readable(hpt_waiter_fd(w)));
	assert_int_equal(hpt_waiter_clear(w), 0);
	assert_false(is_readable(hpt_waiter_fd(w)));
}

/* Another thread has begun an interrupt and made the descriptor readable; the end of an earlier one leaves that. */
static void begun_interrupt_stays_readable(void **state)
{
	int fd = hpt_waiter_fd(w);

	(void)state;
	interrupt();
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount);
	assert_int_equal(hpt_waiter_clear(w), 0);
	assert_true(is_readable(fd));
	hpt_waiter_notify(w);
	assert_int_equal(hpt_waiter_clear(w), 0);
	assert_false(is_readable(fd));
}

static void it_ends_a_wait(void **state)
{
	struct pollfd set = { .fd = hpt_waiter_fd(w), .events = POLLIN };

	(void)state;
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount); /* the wait finds its descriptor alone */
	assert_int_equal(write(set.fd, &(uint64_t){ 1 }, 8), 8);
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, INT64_MAX), 1);
	assert_int_equal(set.revents, POLLIN);
	hpt_waiter_notify(w);
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, INT64_MAX), -ECANCELED);
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, 0), 0);
}

/* A thread that found the interrupt pending rings after another one has ended it; the next look mends that. */
static void late_ring_is_taken_back(void **state)
{
	int fd = hpt_waiter_fd(w);

	(void)state;
	interrupt();
	assert_int_equal(hpt_waiter_clear(w), 0);
	hpt_own_fd_ring(&w->own);
	hpt_own_fd_follow(&w->own, &w->eventcount, &w->seen);
	assert_false(is_readable(fd));
	interrupt();
	assert_int_equal(hpt_waiter_clear(w), 0);
	assert_false(is_readable(fd));
}

/* A fork in the middle of an interrupt, before there was a descriptor. */
static void childs_interrupts_are_its_own(void **state)
{
	int status;
	pid_t child;

	(void)state;
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount); /* by a thread that the child does not have */
	child = fork();
	if (!child) {
		int fd = hpt_waiter_fd(w), bad = fd < 0 || is_readable(fd);

		bad |= hpt_waiter_interrupt(w) || !is_readable(fd);
		bad |= hpt_waiter_sleep_ns(w, NS_PER_S) != -ECANCELED || is_readable(fd);
		_exit(bad);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	hpt_waiter_notify(w);
	assert_int_equal(hpt_waiter_clear(w), 0);
}

static void no_waiter_is_refused(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_fd(NULL), -EINVAL);
	hpt_waiter_free(NULL);
}

static void waiter_closes_its_descriptor(void **state)
{
	unsigned before = open_files();
	hpt_waiter *other;

	(void)state;
	assert_int_equal(hpt_waiter_new(NULL, 0, &other), 0);
	assert_true(hpt_waiter_fd(other) >= 0);
	assert_int_equal(open_files(), before + 1);
	hpt_waiter_free(other);
	assert_int_equal(open_files(), before);
	errno = EXDEV;
}

/* As its number shows: made by another one. */
static void inherited_descriptor_is_not_used(void **state)
{
	int fd = hpt_waiter_fd(w), own;

	(void)state;
	atomic_store(&w->own.word, (uint64_t)(hpt_process() + 1) << 32 | ((uint32_t)fd + 1));
	w->own.rung = (uint64_t)(hpt_process() + 1) << 32 | 5; /* by threads of that process */
	interrupt();
	assert_false(is_readable(fd));
	own = hpt_waiter_fd(w);
	assert_true(own >= 0 && own != fd && is_readable(own));
	assert_int_equal(hpt_waiter_sleep_ns(w, NS_PER_S), -ECANCELED);
	assert_false(is_readable(own));
	interrupt();
	assert_true(is_readable(own) && !is_readable(fd));
	assert_int_equal(close(fd), 0);
}

static void child_makes_its_own(void **state)
{
	int fd = hpt_waiter_fd(w), status;
	pid_t child;

	(void)state;
	interrupt();
	child = fork();
	if (!child) {
		int own = hpt_waiter_fd(w);

		_exit(own < 0 || own == fd || !is_readable(own) || hpt_waiter_clear(w) || is_readable(own));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	assert_true(is_readable(fd)); /* the parent's is still pending */
}

/* ---- Threads ------------------------------------------------------------------------------------------------ */

static pthread_barrier_t barrier;

static void *interrupt_now(void *arg)
{
	pthread_barrier_wait(&barrier);
	for (volatile int k = 0; k < *(const int *)arg; k++)
		;
	interrupt();
	return NULL;
}

/* The interrupt may find no descriptor yet, while the one in the making has been looked at already. */
static void descriptor_in_the_making_misses_no_interrupt(void **state)
{
	(void)state;
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 1000; i++) {
		int delay = i * 4;
		pthread_t thread;

		hpt_waiter_free(w);
		assert_int_equal(hpt_waiter_new(NULL, 0, &w), 0);
		assert_int_equal(pthread_create(&thread, NULL, interrupt_now, &delay), 0);
		pthread_barrier_wait(&barrier);
		assert_true(hpt_waiter_fd(w) >= 0);
		pthread_join(thread, NULL);
		assert_true(is_readable(hpt_waiter_fd(w)));
	}
	errno = EXDEV;
}

#define HANDED 20000

static _Atomic int handed;

static void *hand_over(void *arg)
{
	(void)arg;
	for (int i = 0; i < HANDED; i++) {
		while (atomic_load(&handed) != i)
			;
		interrupt();
	}
	return NULL;
}

/* Each interrupt ends a wait that has no other end. */
static void no_interrupt_is_lost(void **state)
{
	struct pollfd set = { .fd = hpt_waiter_fd(w), .events = POLLIN };
	pthread_t thread;

	(void)state;
	atomic_store(&handed, 0);
	assert_int_equal(pthread_create(&thread, NULL, hand_over, NULL), 0);
	for (int i = 0; i < HANDED; i++) {
		int r;

		do
			r = hpt_waiter_poll_until_ns(w, &set, 1, INT64_MAX);
		while (r == 1);
		assert_int_equal(r, -ECANCELED);
		atomic_store(&handed, i + 1);
	}
	pthread_join(thread, NULL);
	assert_false(is_readable(set.fd));
	errno = EXDEV;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		waiter_test(readable_while_an_interrupt_is_pending),
		waiter_test(pending_interrupt_makes_a_new_one_readable),
		waiter_test(begun_interrupt_stays_readable),
		waiter_test(it_ends_a_wait),
		waiter_test(late_ring_is_taken_back),
		waiter_test(childs_interrupts_are_its_own),
		waiter_test(no_waiter_is_refused),
		waiter_test(waiter_closes_its_descriptor),
		waiter_test(inherited_descriptor_is_not_used),
		waiter_test(child_makes_its_own),
		waiter_test(descriptor_in_the_making_misses_no_interrupt),
		waiter_test(no_interrupt_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
