// SPDX-License-Identifier: MIT
/* Waits for descriptors on a manual clock: its advances end them, events too, and no clock of the machine is asked. */
#include "manual_world.h"
#include "remaining.h"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "hpt/wait.h"
#include "sleep/habits.h"

static hpt_waiter *w;
static int ends[2], epfd;

static int poll_begins(void **state)
{
	struct epoll_event in = { .events = EPOLLIN };

	clock_begins(state);
	assert_int_equal(pipe(ends), 0);
	epfd = epoll_create1(0);
	assert_true(epfd >= 0);
	assert_int_equal(epoll_ctl(epfd, EPOLL_CTL_ADD, ends[0], &in), 0);
	return hpt_waiter_new(clk, 0, &w);
}

static int poll_ends(void **state)
{
	hpt_waiter_free(w);
	assert_int_equal(close(ends[0]) + close(ends[1]) + close(epfd), 0);
	return clock_ends(state);
}

#define poll_test(f) cmocka_unit_test_setup_teardown(f, poll_begins, poll_ends)

static int64_t until_ns;

static int poll_until(void *arg)
{
	struct pollfd set = { .fd = ends[0], .events = POLLIN };

	(void)arg;
	return hpt_waiter_poll_until_ns(w, &set, 1, until_ns);
}

static int epoll_until(void *arg)
{
	struct epoll_event events[2];

	(void)arg;
	return hpt_waiter_epoll_until_ns(w, epfd, events, 2, until_ns);
}

static int (*const kinds[])(void *arg) = { poll_until, epoll_until };

static void advances_end_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct sleeping s;

		until_ns = hpt_now(clk) + 10;
		begin(&s, kinds[i], NULL);
		await_sleepers(1);
		advance(9);
		await_sleepers(1);
		assert_false(s.is_over);
		advance(1);
		assert_int_equal(result_of(&s), 0);
		assert_int_equal(s.ended, until_ns);
	}
}

static void events_end_it(void **state)
{
	(void)state;
	until_ns = 1010;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct sleeping s;

		begin(&s, kinds[i], NULL);
		await_sleepers(1);
		assert_int_equal(write(ends[1], "x", 1), 1);
		assert_int_equal(result_of(&s), 1);
		assert_int_equal(s.ended, 1000);
		assert_int_equal(remaining_ns(w), 10);
		assert_int_equal(read(ends[0], &(char){ 0 }, 1), 1);
	}
}

/* What is there comes before the deadline, also before one that is past. */
static void events_come_first(void **state)
{
	struct pollfd set = { .fd = ends[0], .events = POLLIN };

	(void)state;
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, 1000), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, 1000), 1);
	assert_int_equal(hpt_waiter_poll_until_ns(w, &set, 1, INT64_MIN), 1);
	assert_int_equal(hpt_waiter_epoll_until_ns(w, -1, &(struct epoll_event){ 0 }, 1, 1010), -EBADF);
	assert_int_equal(hpt_habits_claim()->by_events, 0); /* those are of the kernel's waits */
}

static void interrupts_end_it(void **state)
{
	struct sleeping s;

	(void)state;
	until_ns = 1010;
	begin(&s, poll_until, NULL);
	await_sleepers(1);
	advance(4);
	await_sleepers(1);
	assert_int_equal(hpt_waiter_interrupt(w), 0);
	assert_int_equal(result_of(&s), -ECANCELED);
	assert_int_equal(remaining_ns(w), 6);
}

static int eintr_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t ns)
{
	(void)word, (void)value, (void)id, (void)ns;
	return -EINTR;
}

static void signals_end_it_with_the_flag(void **state)
{
	(void)state;
	hpt_waiter_free(w);
	assert_int_equal(hpt_waiter_new(clk, HPT_WAIT_EINTR, &w), 0);
	no_clocks.wait = eintr_wait;
	assert_int_equal(hpt_waiter_poll_until_ns(w, NULL, 0, 1010), -EINTR);
	assert_int_equal(remaining_ns(w), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		poll_test(advances_end_it),
		poll_test(events_end_it),
		poll_test(events_come_first),
		poll_test(interrupts_end_it),
		poll_test(signals_end_it_with_the_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
