// SPDX-License-Identifier: MIT
/* Waits for descriptors in a simulated world: events at each moment of a wait, and the results of calls. */
#include "disruptions.h"
#include "object_world.h"
#include "remaining.h"

#include <poll.h>

#include "hpt/wait.h"
#include "machine/fds.h"
#include "sleep/waiter.h"

#define WAIT_NS (10 * NS_PER_MS)

/* A look's time in this world, unless a test has set another one. */
#define LOOK_PS 300000

static hpt_waiter *w;
static struct pollfd set[2];

/* The kernel's side of a wait for descriptors. */
static struct {
	int ready;                  /* what a look finds: above 0, 0 or -errno */
	bool is_ready_once;         /* as of an edge: the next look finds nothing */
	uint32_t calls, looks;      /* those with a time-out, and those without */
	int64_t timeout_ns;         /* of the latest with one, ... */
	uint64_t asked_ps;          /* ... which was to end then */
	struct hpt_fds fds;         /* as given to the latest */
	uint64_t look_ps;           /* how long a look takes */
	uint64_t looked_ps;         /* when the latest look ended */
} descriptors;

static int answer(void)
{
	int r = descriptors.ready;

	if (descriptors.is_ready_once)
		descriptors.ready = 0;
	return r;
}

static void pass_until(uint64_t ps)
{
	if (world.now_ps < ps)
		world.now_ps = ps;
}

static int world_poll(const struct hpt_fds *f, int64_t ns)
{
	uint64_t end_ps = world.now_ps + descriptors.look_ps;

	descriptors.fds = *f;
	errno = EXDEV; /* as hpt_fds_wait() keeps it */
	if (!ns) {
		descriptors.looks++;
		descriptors.looked_ps = end_ps;
		if (sleeping.event && sleeping.event_ps <= end_ps)
			let_happen(false);
		pass_until(end_ps);
		return answer();
	}
	descriptors.calls++;
	descriptors.timeout_ns = ns;
	descriptors.asked_ps = world.now_ps + (uint64_t)ns * 1000;
	if (descriptors.ready)
		return answer();
	if (ns < INT64_MAX)
		end_ps = world.now_ps + (uint64_t)ns * 1000 + LATE_PS;
	if (sleeping.event && (ns == INT64_MAX || sleeping.event_ps <= end_ps)) {
		pass_until(sleeping.event_ps);
		let_happen(true);
		if (descriptors.ready)
			return answer();
	}
	assert_true(ns < INT64_MAX);
	pass_until(end_ps);
	return 0;
}

static int poll_begins(void **state)
{
	sleeping_begins(state);
	fake_env.poll = world_poll;
	memset(&descriptors, 0, sizeof(descriptors));
	descriptors.look_ps = LOOK_PS;
	hpt_habits_claim()->by_events = 0;
	w = NULL;
	return hpt_waiter_new(&clk, 0, &w);
}

static int poll_ends(void **state)
{
	hpt_waiter_free(w);
	return sleeping_ends(state);
}

#define poll_test(f) cmocka_unit_test_setup_teardown(f, poll_begins, poll_ends)

static void new_waiter(uint32_t flags)
{
	hpt_waiter_free(w);
	assert_int_equal(hpt_waiter_new(&clk, flags, &w), 0);
}

static void becomes_ready(void)
{
	descriptors.ready = 2;
}

static void interrupt(void)
{
	assert_int_equal(hpt_waiter_interrupt(w), 0);
}

/* By the fake interrupts' descriptor too. */
static void interrupt_by_descriptor(void)
{
	interrupt();
	descriptors.ready = 1;
}

static int poll_for(int64_t ns)
{
	return hpt_waiter_poll_until_ns(w, set, COUNT(set), hpt_now_ns(&clk) + ns);
}

/* ---- Deadlines ------------------------------------------------------------------------------------------ */

static void wait_without_events_ends_on_its_deadline(void **state)
{
	static const int64_t waits_ns[] = { 1, 4000, 20000, NS_PER_MS, WAIT_NS, 3000 * NS_PER_MS };

	(void)state;
	for (size_t i = 0; i < COUNT(waits_ns); i++) {
		int64_t at = hpt_now_ns(&clk) + waits_ns[i];

		descriptors.calls = descriptors.looks = 0;
		assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at), 0);
		assert_in_range(hpt_now_ns(&clk) - at, 0, 1000);
		assert_int_equal(remaining_ns(w), 0);
		assert_int_equal(descriptors.calls > 0, waits_ns[i] > SPIN_NS);
		assert_true(descriptors.looks > 0);
	}
}

/* A look that would end after the deadline is not begun, and the last 5 us are a sleep's. */
/* What is there is found at once, however short the wait. */
static void short_waits_look_first(void **state)
{
	(void)state;
	descriptors.ready = 2;
	for (int64_t ns = 500; ns < 20000; ns += 500) {
		uint64_t since_ps = world.now_ps;

		assert_int_equal(poll_for(ns), 2);
		assert_true(world.now_ps - since_ps < LOOK_PS + 1000000);
	}
}

static void looks_leave_the_end_alone(void **state)
{
	int64_t at_ns = hpt_now_ns(&clk) + WAIT_NS;
	uint64_t end_ps = world.now_ps + WAIT_NS * 1000;

	(void)state;
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at_ns), 0);
	assert_in_range(end_ps - descriptors.looked_ps, 4600000, 5300000);
	assert_in_range(descriptors.looks, (SPIN_NS - 30000) * 1000 / (LOOK_PS + 200000), SPIN_NS * 1000 / LOOK_PS);
}

/* As of a thousand descriptors. */
static void long_looks_do_not_delay_the_end(void **state)
{
	int64_t at = hpt_now_ns(&clk) + WAIT_NS;

	(void)state;
	descriptors.look_ps = 24000000;
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at), 0);
	assert_in_range(hpt_now_ns(&clk) - at, 0, 1000);
	assert_int_equal(descriptors.looks, 2); /* in the 80 us that the kernel's wait leaves: a third might be late */
}

static void past_deadline_is_one_look(void **state)
{
	static const int64_t past[] = { 0, -1, INT64_MIN };

	(void)state;
	for (size_t i = 0; i < COUNT(past); i++)
		for (int ready = 0; ready < 3; ready += 2) {
			descriptors.looks = 0;
			descriptors.ready = ready;
			assert_int_equal(hpt_waiter_poll_until_ns(w, set, 2, past[i]), ready);
			assert_int_equal(descriptors.looks, 1);
			assert_int_equal(descriptors.calls, 0);
		}
}

static void without_a_deadline_only_an_event_ends_it(void **state)
{
	(void)state;
	happens_after(3600 * NS_PER_S, becomes_ready);
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), INT64_MAX), 2);
	assert_true(sleeping.in_wait);
	assert_int_equal(remaining_ns(w), INT64_MAX);
}

static void nospin_is_not_early(void **state)
{
	int64_t at = hpt_now_ns(&clk) + WAIT_NS;

	(void)state;
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_NOSPIN, NS_PER_MS), 0);
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at), 0);
	assert_in_range(hpt_now_ns(&clk) - at, 0, 2 * LATE_PS / 1000);
	assert_int_equal(descriptors.looks, 0);
}

static void disruptions_make_the_wait_go_on(void **state)
{
	(void)state;
	for (int64_t before_ns = 1000; before_ns < WAIT_NS; before_ns += before_ns / 3)
		for (size_t i = 0; i < COUNT(disruptions); i++) {
			int64_t at;

			poll_ends(NULL);
			poll_begins(NULL);
			at = hpt_now_ns(&clk) + WAIT_NS;
			happens_after(WAIT_NS - before_ns, disruptions[i]);
			if (hpt_waiter_poll_until_ns(w, set, COUNT(set), at) || hpt_now_ns(&clk) < at)
				fail_msg("disruption %zu, %d ns before the end", i, (int)before_ns);
		}
}

/* CLOCK_MONOTONIC then runs faster than the timeline of hpt_now_ns(). */
static void counter_falls_back_as_a_slew_begins(void)
{
	counter_falls_back();
	fake_world_slew(&world.wall, 80000000);
}

static void wait_that_the_kernels_clock_ends_is_not_early(void **state)
{
	int64_t at = hpt_now_ns(&clk) + WAIT_NS;

	(void)state;
	happens_after(WAIT_NS / 3, counter_falls_back_as_a_slew_begins);
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at), 0);
	assert_true(hpt_now_ns(&clk) >= at);
}

/* By CLOCK_MONOTONIC, and as long as it would have been. */
static void counter_that_stops_ends_the_wait_on_time(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		uint64_t start_ps;

		poll_ends(NULL);
		poll_begins(NULL);
		start_ps = world.now_ps;
		happens_after(i & 1 ? WAIT_NS - 20000 : WAIT_NS / 3, counter_stops);
		assert_int_equal(poll_for(WAIT_NS), 0);
		assert_in_range((world.now_ps - start_ps) / 1000000, WAIT_NS / 1000 - 10,
				WAIT_NS / 1000 * 9 / 8 + 3500);
	}
}

/* ---- Events --------------------------------------------------------------------------------------------- */

/* In the kernel's wait, which is the whole cost. */
static void event_in_the_kernel_ends_the_wait(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, becomes_ready);
	assert_int_equal(poll_for(WAIT_NS), 2);
	assert_true(sleeping.in_wait);
	assert_int_equal(descriptors.calls, 1);
	assert_int_equal(descriptors.looks, 0);
	assert_in_range(descriptors.timeout_ns, WAIT_NS / 2, WAIT_NS - SPIN_NS);
	assert_in_range(remaining_ns(w), WAIT_NS / 2 - 2000, WAIT_NS / 2);
	assert_ptr_equal(descriptors.fds.fds, set);
	assert_int_equal(descriptors.fds.n, COUNT(set));
	assert_false(descriptors.fds.is_epoll);
}

static void event_in_the_spin_ends_the_wait(void **state)
{
	(void)state;
	for (int64_t before_ns = 6000; before_ns < SPIN_NS - 30000; before_ns += 3000) {
		uint64_t event_ps = world.now_ps + (uint64_t)(WAIT_NS - before_ns) * 1000;

		descriptors.ready = 0;
		happens_after(WAIT_NS - before_ns, becomes_ready);
		assert_int_equal(poll_for(WAIT_NS), 2);
		assert_false(sleeping.in_wait);
		assert_in_range(world.now_ps - event_ps, 0, 2 * LOOK_PS + 500000);
		assert_in_range(remaining_ns(w), before_ns - 1000, before_ns + 1000);
	}
}

/* It stays for the next wait. */
static void event_at_the_very_end_is_not_lost(void **state)
{
	int64_t at = hpt_now_ns(&clk) + WAIT_NS;

	(void)state;
	descriptors.is_ready_once = true;
	happens_after(WAIT_NS - 2000, becomes_ready);
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, COUNT(set), at), 0);
	assert_in_range(hpt_now_ns(&clk) - at, 0, 1000);
	assert_int_equal(poll_for(WAIT_NS), 2);
	assert_int_equal(poll_for(WAIT_NS), 0);
}

static void epoll_is_given_its_set(void **state)
{
	struct hpt_fds *f = &descriptors.fds;

	(void)state;
	descriptors.ready = 1;
	assert_int_equal(hpt_waiter_epoll_until_ns(w, 7, (struct epoll_event *)(void *)&world, 3, INT64_MAX), 1);
	assert_true(f->is_epoll && f->epfd == 7 && f->n == 3 && (void *)f->events == &world && !f->fds);
	assert_int_equal(hpt_waiter_epoll_until_ns(w, -1, NULL, 0, INT64_MAX), 1);
	assert_true(f->is_epoll && f->epfd == -1 && !f->n);
}

static void errors_of_the_kernel_are_returned(void **state)
{
	(void)state;
	descriptors.ready = -EBADF;
	assert_int_equal(poll_for(WAIT_NS), -EBADF);
	assert_int_equal(poll_for(0), -EBADF);
	assert_int_equal(poll_for(SPIN_NS / 2), -EBADF);
	descriptors.ready = 0;
	assert_int_equal(poll_for(WAIT_NS), 0);
}

/* ---- Interrupts and signals ------------------------------------------------------------------------------ */

static void pending_interrupt_ends_it_before_a_look(void **state)
{
	(void)state;
	descriptors.ready = 1;
	interrupt();
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	assert_int_equal(descriptors.calls + descriptors.looks, 0);
	assert_in_range(remaining_ns(w), WAIT_NS - 2000, WAIT_NS);
	assert_int_equal(poll_for(WAIT_NS), 1);
	interrupt();
	assert_int_equal(poll_for(-1), -ECANCELED);
}

static void interrupt_in_the_spin_ends_it(void **state)
{
	(void)state;
	happens_after(WAIT_NS - 20000, interrupt);
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	assert_in_range(remaining_ns(w), 19000, 21000);
	happens_after(WAIT_NS - 3000, interrupt);
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	assert_int_equal(poll_for(WAIT_NS), 0);
}

/* Without its descriptor among those of the wait the kernel notices nothing. */
static void interrupt_in_the_kernel_ends_it_as_that_wakes(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, interrupt);
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	assert_true(sleeping.in_wait);
	assert_in_range(remaining_ns(w), 1, SPIN_NS);
}

/* Events come first, and the interrupt stays. */
static void interrupt_with_events_ends_the_next_wait(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, interrupt_by_descriptor);
	assert_int_equal(poll_for(WAIT_NS), 1);
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	descriptors.ready = 0;
	assert_int_equal(poll_for(WAIT_NS), 0);
}

static void other_thread_counts(void)
{
	hpt_waiter_notify(w);
}

/* Another thread has begun an interrupt, and has yet to count it: the waiting thread lets it, for a millisecond. */
static void begun_interrupt_is_waited_for(void **state)
{
	(void)state;
	assert_true(hpt_waiter_fd(w) >= 0);
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount);
	descriptors.ready = 1; /* the descriptor */
	happens_after(NS_PER_MS / 2, other_thread_counts);
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	assert_true(sleeping.in_wait);
	assert_int_equal(descriptors.looks + descriptors.calls, 0);
	assert_in_range(remaining_ns(w), WAIT_NS - NS_PER_MS, WAIT_NS - NS_PER_MS / 3);
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount);
	assert_int_equal(poll_for(WAIT_NS), 1); /* no thread counts it */
	other_thread_counts();
	assert_int_equal(poll_for(WAIT_NS), -ECANCELED);
	errno = EXDEV;
}

static void signal_comes(void)
{
	descriptors.ready = -EINTR;
	descriptors.is_ready_once = true;
}

static void signal_ends_it_if_asked_for(void **state)
{
	(void)state;
	for (int in_spin = 0; in_spin < 2; in_spin++)
		for (uint32_t flags = 0; flags <= HPT_WAIT_EINTR; flags++) {
			int64_t at = hpt_now_ns(&clk) + WAIT_NS;

			new_waiter(flags);
			happens_after(in_spin ? WAIT_NS - 20000 : WAIT_NS / 2, signal_comes);
			assert_int_equal(hpt_waiter_poll_until_ns(w, set, 1, at), flags ? -EINTR : 0);
			assert_int_equal(hpt_now_ns(&clk) < at, flags != 0);
			assert_int_equal(remaining_ns(w) > 0, flags != 0);
		}
}

static void look_in_a_handler(void)
{
	assert_int_equal(hpt_waiter_poll_until_ns(w, set, 1, 0), -EBUSY);
}

static void wrong_arguments_are_refused(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_poll_until_ns(NULL, set, 1, 0), -EINVAL);
	assert_int_equal(hpt_waiter_epoll_until_ns(NULL, 1, NULL, 1, 0), -EINVAL);
	happens_after(WAIT_NS / 2, look_in_a_handler);
	assert_int_equal(poll_for(WAIT_NS), 0);
	assert_null(sleeping.event);
}

/* ---- Threads whose waits end by events -------------------------------------------------------------------- */

/* True if a wait without events is to end in the kernel before its deadline. */
static bool spins(void)
{
	uint64_t end_ps = world.now_ps + WAIT_NS * 1000;

	descriptors.ready = 0;
	assert_int_equal(poll_for(WAIT_NS), 0);
	return descriptors.asked_ps < end_ps - LATE_PS / 2;
}

/* Waits that an event ends that time before their deadline. */
static void wait_times(int n, int64_t before_ns)
{
	for (int i = 0; i < n; i++) {
		descriptors.ready = 0;
		happens_after(WAIT_NS - before_ns, becomes_ready);
		assert_int_equal(poll_for(WAIT_NS), 2);
	}
}

static void waits_that_events_end_do_not_spin(void **state)
{
	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	wait_times(100, WAIT_NS / 2); /* far from their deadline */
	descriptors.ready = 2;
	for (int i = 0; i < 100; i++)
		assert_int_equal(poll_for(0), 2); /* no wait at all */
	assert_true(spins());
	wait_times(12, 10000);
	assert_true(spins());
	wait_times(16, 10000);
	assert_false(spins()); /* 16 of 16 */
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_STRICT, 0), 0);
	assert_true(spins()); /* 15 */
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_INHERIT, 0), 0);
	assert_false(spins()); /* 14 */
	wait_times(3, WAIT_NS / 2);
	descriptors.ready = 2;
	descriptors.calls = 0;
	assert_int_equal(poll_for(WAIT_NS), 2); /* by a look */
	assert_int_equal(descriptors.calls, 0);
	assert_in_range(remaining_ns(w), WAIT_NS - 2000, WAIT_NS);
	assert_false(spins()); /* 13 */
	assert_true(spins());  /* 12 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		poll_test(wait_without_events_ends_on_its_deadline),
		poll_test(short_waits_look_first),
		poll_test(looks_leave_the_end_alone),
		poll_test(long_looks_do_not_delay_the_end),
		poll_test(past_deadline_is_one_look),
		poll_test(without_a_deadline_only_an_event_ends_it),
		poll_test(nospin_is_not_early),
		poll_test(disruptions_make_the_wait_go_on),
		poll_test(wait_that_the_kernels_clock_ends_is_not_early),
		poll_test(counter_that_stops_ends_the_wait_on_time),
		poll_test(event_in_the_kernel_ends_the_wait),
		poll_test(event_in_the_spin_ends_the_wait),
		poll_test(event_at_the_very_end_is_not_lost),
		poll_test(epoll_is_given_its_set),
		poll_test(errors_of_the_kernel_are_returned),
		poll_test(pending_interrupt_ends_it_before_a_look),
		poll_test(interrupt_in_the_spin_ends_it),
		poll_test(interrupt_in_the_kernel_ends_it_as_that_wakes),
		poll_test(interrupt_with_events_ends_the_next_wait),
		poll_test(begun_interrupt_is_waited_for),
		poll_test(signal_ends_it_if_asked_for),
		poll_test(wrong_arguments_are_refused),
		poll_test(waits_that_events_end_do_not_spin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
