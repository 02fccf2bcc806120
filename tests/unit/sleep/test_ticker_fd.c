// SPDX-License-Identifier: MIT
/* The descriptor of a ticker: when it is readable, and which waits its margin learns from. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open_files.h"
#include "ticker_world.h"

#include "machine/live.h"
#include "machine/process.h"
#include "sleep/ticker_fd.h"

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1 && p.revents & POLLIN;
}

/* On the machine's own clocks: the kernel's timer is real. */
static void new_real_ticker(int64_t period_ns)
{
	hpt_ticker_free(t);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	start_ns = hpt_now_ns(NULL);
	assert_int_equal(hpt_ticker_new(NULL, period_ns, 0, &t), 0);
}

static void descriptor_is_readable_for_each_tick(void **state)
{
	int fd;

	(void)state;
	new_real_ticker(NS_PER_MS);
	fd = hpt_ticker_fd(t);
	assert_true(fd >= 0);
	assert_int_equal(hpt_ticker_fd(t), fd);
	for (int64_t n = 1; n <= 50; n++) {
		assert_true(is_readable(fd, 10000));
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
		assert_true(hpt_now_ns(NULL) >= start_ns + n * NS_PER_MS);
	}
}

static void descriptor_is_not_readable_before(void **state)
{
	static const int64_t periods_ns[] = { 3600 * NS_PER_S, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(periods_ns); i++) {
		new_real_ticker(periods_ns[i]);
		assert_false(is_readable(hpt_ticker_fd(t), 0));
		interrupt();
		assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
		assert_false(is_readable(hpt_ticker_fd(t), 0));
	}
}

/* With CATCH_UP each missed tick is due at once; the tick after the last missed one is not. */
static void descriptor_is_readable_for_due_ticks(void **state)
{
	const int64_t period_ns = NS_PER_S;
	uint64_t missed = 1;
	bool readable;
	int fd;

	(void)state;
	new_real_ticker(period_ns);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 0), 0);
	assert_int_equal(hpt_sleep_ns(NULL, 2 * period_ns + NS_PER_MS), 0);
	fd = hpt_ticker_fd(t);
	while (missed) {
		assert_true(is_readable(fd, 10000));
		assert_int_equal(hpt_ticker_wait(t, &missed), 0);
	}
	readable = is_readable(fd, 0);
	assert_true(!readable || hpt_now_ns(NULL) - start_ns > 3 * period_ns - 2 * NS_PER_MS);
}

/* When the descriptor will be readable, by CLOCK_MONOTONIC: between two reads of that close together. */
static int64_t armed_ns(void)
{
	struct itimerspec its;
	int64_t before, after;

	do {
		before = hpt_env_live.clock_ns(CLOCK_MONOTONIC);
		assert_int_equal(timerfd_gettime(hpt_ticker_fd(t), &its), 0);
		after = hpt_env_live.clock_ns(CLOCK_MONOTONIC);
	} while (after - before > 20000);
	return before + its.it_value.tv_sec * NS_PER_S + its.it_value.tv_nsec;
}

/* How long before tick n it will be readable. The simulated clocks differ from the kernel's in value only. */
static int64_t ahead_ns(int64_t n)
{
	int64_t tick_ns = start_ns + n * ticker_period_ns, mono_ns = fake_world_true_ns(CLOCK_MONOTONIC);

	return mono_ns + (tick_ns - hpt_now_ns(&clk)) - armed_ns();
}

/* A ticker on clocks so far ahead of the machine's own that no timer expires. */
static void new_far_ticker(int64_t period_ns)
{
	world.clock_offset_ns += hpt_env_live.clock_ns(CLOCK_MONOTONIC) + 10000000 * NS_PER_S;
	assert_true(hpt_clock_check(&clk, NULL) > 0);
	new_ticker(period_ns);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_SPIN, NS_PER_MS), 0);
}

/* An event loop that waits for tick n late_ns after the descriptor became readable. */
static int64_t take_late(int64_t n, int64_t late_ns)
{
	pass_ns(start_ns + n * PERIOD_NS - ahead_ns(n) + late_ns - hpt_now_ns(&clk));
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	return n + 1;
}

#define GUESS_NS 150000

static void margin_of_the_descriptor_is_learned(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
	while (n < 20)
		n = take_late(n, 600000);
	assert_in_range(ahead_ns(n), 600000 - 50000, 600000 + 150000);
	while (n < 2000)
		n = take_late(n, 50000);
	assert_in_range(ahead_ns(n), 0, 150000);
}

/* A loop that comes before the descriptor is readable was not woken by it; one that comes much later was busy. */
static void nothing_is_learned_from_other_waits(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_true(hpt_ticker_fd(t) >= 0);
	for (; n < 20; n++)
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
	while (n < 60)
		n = take_late(n, 17 * NS_PER_MS) + 1; /* and the next tick was due, too */
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, GUESS_NS + 50000);
}

static void oversleep_a_little(void)
{
	pass_ns(700000);
}

/* A descriptor armed for a past tick is readable at once: the tick's age is no lateness. */
static void due_ticks_teach_no_lateness(void **state)
{
	const int64_t period_ns = 200000;
	int64_t n = 1;

	(void)state;
	new_far_ticker(period_ns);
	assert_true(hpt_ticker_fd(t) >= 0);
	assert_int_equal(hpt_ticker_set_missed(t, HPT_TICKER_CATCH_UP, 0), 0);
	for (int rounds = 0; rounds < 20; rounds++) {
		uint64_t missed = 1;

		happens_after(10000, oversleep_a_little);
		while (missed) {
			assert_int_equal(hpt_ticker_wait(t, &missed), 0);
			n++;
		}
	}
	assert_in_range(ahead_ns(n), 0, GUESS_NS + 50000);
}

/* Waits that an interrupt ended before the tick do not teach again. */
static void each_tick_teaches_once(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	while (n < 30) {
		pass_ns(start_ns + n * PERIOD_NS - ahead_ns(n) + 50000 - hpt_now_ns(&clk));
		for (int i = 0; i < 4; i++) {
			interrupt();
			assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
			pass_ns(200000);
		}
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
		n++;
	}
	assert_in_range(ahead_ns(n), 0, GUESS_NS);
}

/* ---- Interrupts -------------------------------------------------------------------------------------------------- */

/* A timer that is set to the past expires within a moment. */
static void assert_interrupted(int fd)
{
	assert_true(is_readable(fd, 10000));
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	assert_false(is_readable(fd, 0));
}

static void interrupt_makes_it_readable(void **state)
{
	int fd;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	assert_false(is_readable(fd, 0));
	interrupt();
	assert_interrupted(fd);
	interrupt();
	interrupt();
	assert_int_equal((uint32_t)t->waiter.own.rung, 3);
	assert_int_equal(hpt_eventcount_value(&t->waiter.eventcount), 3);
	assert_interrupted(fd);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_false(is_readable(fd, 0));
}

static void pending_interrupt_makes_a_new_one_readable(void **state)
{
	(void)state;
	new_far_ticker(PERIOD_NS);
	interrupt();
	assert_interrupted(hpt_ticker_fd(t));
}

/* In the wait, when the descriptor is armed for the tick after the next. */
static void interrupt_in_a_wait_leaves_nothing_readable(void **state)
{
	int fd;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	happens_after(PERIOD_NS / 2, interrupt);
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	assert_false(is_readable(fd, 0));
	assert_in_range(ahead_ns(1), 0, GUESS_NS + 50000);
}

static void arming_takes_no_interrupt_away(void **state)
{
	int fd;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	/* Each moment of a wait that is met at once and arms the descriptor at its end, and of one that sleeps. */
	for (int64_t after = 0; after < 400; after += 8) {
		pass_ns(2 * PERIOD_NS);
		happens_after(after, interrupt);
		if (hpt_ticker_wait(t, NULL) == -ECANCELED)
			assert_false(is_readable(fd, 0));
		else if (!sleeping.event)
			assert_interrupted(fd);
		sleeping.event = NULL;
	}
	for (int64_t before_ns = 300; before_ns > -300; before_ns -= 8) {
		assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk) + PERIOD_NS, PERIOD_NS), 0);
		while (hpt_ticker_wait(t, NULL) == -ECANCELED)
			;
		happens_after(PERIOD_NS - before_ns, interrupt);
		if (hpt_ticker_wait(t, NULL) == -ECANCELED)
			assert_false(is_readable(fd, 0));
		else if (!sleeping.event)
			assert_interrupted(fd);
		sleeping.event = NULL;
	}
}

/* Another thread has begun an interrupt and made the descriptor readable; arming it again must not undo that. */
static void begun_interrupt_stays_readable(void **state)
{
	int fd;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	hpt_own_fd_begin_interrupt(&t->waiter.own, &t->waiter.eventcount);
	pass_ns(3 * PERIOD_NS);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_true(is_readable(fd, 10000));
	t->waiter.own.rung--;
	interrupt();
	assert_interrupted(fd);
}

static void look_at_the_timer(void)
{
	assert_true(ahead_ns(1) < -3600 * NS_PER_S);
}

static void single_tick_is_the_last(void **state)
{
	int fd;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	for (int is_due = 0; is_due < 2; is_due++) {
		start_ns = hpt_now_ns(&clk) - PERIOD_NS * is_due;
		assert_int_equal(hpt_ticker_start(t, hpt_now_ns(&clk) - (is_due - 1) * PERIOD_NS, 0), 0);
		assert_in_range(ahead_ns(1) + OPEN_NS, 0, GUESS_NS + 50000);
		if (!is_due)
			happens_after(PERIOD_NS / 2, look_at_the_timer); /* armed for no further tick already */
		assert_int_equal(hpt_ticker_wait(t, NULL), 0);
		assert_null(sleeping.event);
		assert_false(is_readable(fd, 0));
		assert_true(ahead_ns(1) < -3600 * NS_PER_S);
		assert_int_equal(hpt_ticker_wait(t, NULL), -ENODATA);
		interrupt();
		assert_interrupted(fd);
		assert_true(ahead_ns(1) < -3600 * NS_PER_S);
	}
}

static void margin_is_by_the_tickers_policy(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_true(hpt_ticker_fd(t) >= 0);
	/* One wake in ten is late: worth a margin by STRICT, not by FRUGAL. */
	for (; n < 300;)
		n = take_late(n, n % 10 ? 50000 : 130000);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_FRUGAL, 0), 0);
	n = take_late(n, 50000);
	assert_in_range(ahead_ns(n), 0, 105000);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_STRICT, 0), 0);
	n = take_late(n, 50000);
	assert_in_range(ahead_ns(n), 110000, 210000);
}

/*
 * An event loop does nothing else from when the descriptor is readable until the tick. ahead_ns() reads the kernel's
 * timer between two reads of a clock that lie up to 20 us apart. On emulated processors its results were 5 us off, so
 * these bounds have 50 us, as those of the tests above.
 */
static void margin_is_no_longer_than_the_policys_spin(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_BALANCED, 30000), 0);
	assert_true(hpt_ticker_fd(t) >= 0);
	assert_in_range(ahead_ns(n), 0, 30000 + 50000);
	while (n < 20)
		n = take_late(n, 600000);
	assert_in_range(ahead_ns(n), 0, 30000 + 50000);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_NOSPIN, 0), 0);
	n = take_late(n, 600000);
	assert_in_range(ahead_ns(n) + 50000, 0, 100000);
}

/* SPIN's own longest spin is the whole sleep. */
static void margin_is_no_longer_than_a_millisecond(void **state)
{
	int64_t n = 1;

	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_SPIN, 0), 0);
	assert_true(hpt_ticker_fd(t) >= 0);
	n = take_late(n, 1500000); /* teaches nothing: the ticker has not armed the descriptor itself yet */
	n = take_late(n, 1500000);
	assert_in_range(ahead_ns(n), GUESS_NS - 50000, NS_PER_MS);
}

static void first_margin_is_no_longer_than_the_policys_spin(void **state)
{
	(void)state;
	new_far_ticker(PERIOD_NS);
	assert_int_equal(hpt_ticker_set_policy(t, HPT_SLEEP_NOSPIN, 0), 0);
	assert_true(hpt_ticker_fd(t) >= 0);
	assert_in_range(ahead_ns(1) + 50000, 0, 100000);
}

/* ---- Threads and processes --------------------------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *get_fd(void *arg)
{
	int *ret = arg;

	pthread_barrier_wait(&barrier);
	*ret = hpt_ticker_fd(t);
	return NULL;
}

/* K15. */
static void threads_get_the_same_descriptor(void **state)
{
	unsigned before = open_files();

	(void)state;
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 500; i++) {
		pthread_t threads[4];
		int fds[4];

		new_real_ticker(NS_PER_S);
		for (int k = 0; k < 4; k++)
			assert_int_equal(pthread_create(&threads[k], NULL, get_fd, &fds[k]), 0);
		for (int k = 0; k < 4; k++)
			pthread_join(threads[k], NULL);
		for (int k = 0; k < 4; k++)
			assert_int_equal(fds[k], fds[0]);
	}
	hpt_ticker_free(t);
	t = NULL;
	assert_int_equal(open_files(), before);
}

static void *interrupt_now(void *arg)
{
	pthread_barrier_wait(&barrier);
	for (volatile int k = 0; k < *(const int *)arg; k++)
		;
	interrupt();
	return NULL;
}

/* The interrupt may find no descriptor yet, while the one in the making is armed already. */
static void descriptor_in_the_making_misses_no_interrupt(void **state)
{
	(void)state;
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 1000; i++) {
		int delay = i * 4;
		pthread_t thread;

		new_real_ticker(3600 * NS_PER_S);
		assert_int_equal(pthread_create(&thread, NULL, interrupt_now, &delay), 0);
		pthread_barrier_wait(&barrier);
		assert_true(hpt_ticker_fd(t) >= 0);
		pthread_join(thread, NULL);
		assert_true(is_readable(hpt_ticker_fd(t), 10000));
	}
}

/* The descriptor of the process that this one was forked from, as its number shows: made by another number. */
static void inherited_descriptor_is_not_used(void **state)
{
	struct itimerspec before, after;
	int fd, own;

	(void)state;
	new_far_ticker(PERIOD_NS);
	fd = hpt_ticker_fd(t);
	atomic_store(&t->waiter.own.word, (uint64_t)(hpt_process() + 1) << 32 | ((uint32_t)fd + 1));
	t->waiter.own.rung = (uint64_t)(hpt_process() + 1) << 32 | 5; /* by threads of that process */
	timerfd_gettime(fd, &before);
	interrupt();
	assert_int_equal(hpt_ticker_wait(t, NULL), -ECANCELED);
	assert_int_equal(hpt_ticker_wait(t, NULL), 0);
	assert_false(is_readable(fd, 0));
	timerfd_gettime(fd, &after);
	assert_true(after.it_value.tv_sec <= before.it_value.tv_sec);
	own = hpt_ticker_fd(t);
	assert_true(own >= 0 && own != fd);
	assert_int_equal(hpt_ticker_fd(t), own);
	assert_false(is_readable(own, 0));
	interrupt();
	assert_false(is_readable(fd, 0));
	assert_interrupted(own);
	hpt_ticker_free(t);
	t = NULL;
	assert_int_equal(fcntl(own, F_GETFD), -1);
	assert_int_equal(close(fd), 0);
	errno = EXDEV;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ticker_test(descriptor_is_readable_for_each_tick),
		ticker_test(descriptor_is_not_readable_before),
		ticker_test(descriptor_is_readable_for_due_ticks),
		ticker_test(margin_of_the_descriptor_is_learned),
		ticker_test(nothing_is_learned_from_other_waits),
		ticker_test(due_ticks_teach_no_lateness),
		ticker_test(each_tick_teaches_once),
		ticker_test(interrupt_makes_it_readable),
		ticker_test(pending_interrupt_makes_a_new_one_readable),
		ticker_test(interrupt_in_a_wait_leaves_nothing_readable),
		ticker_test(arming_takes_no_interrupt_away),
		ticker_test(begun_interrupt_stays_readable),
		ticker_test(single_tick_is_the_last),
		ticker_test(margin_is_by_the_tickers_policy),
		ticker_test(margin_is_no_longer_than_the_policys_spin),
		ticker_test(margin_is_no_longer_than_a_millisecond),
		ticker_test(first_margin_is_no_longer_than_the_policys_spin),
		ticker_test(threads_get_the_same_descriptor),
		ticker_test(descriptor_in_the_making_misses_no_interrupt),
		ticker_test(inherited_descriptor_is_not_used),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("ticker_fd", tests, NULL, NULL);
}
