// SPDX-License-Identifier: MIT
/*
 * hpt_wall_sleep_until_ns() in the simulated world: it ends as the middle of the interval reaches the time, UTC is
 * within the error that it states, and a bound that is lost or too wide ends it.
 */
#include "wall_wait_world.h"

static int64_t error_ns;

static int until(int64_t unix_ns, int64_t max_error_ns)
{
	int r;

	error_ns = -1;
	r = hpt_wall_sleep_until_ns(wall, unix_ns, max_error_ns, &error_ns);
	if (r)
		assert_int_equal(error_ns, -1);
	return r;
}

static int until_on(int64_t unix_ns, int64_t max_error_ns)
{
	int r;

	error_ns = -1;
	r = hpt_wall_sleep_until_ns_on(wall, waiter, unix_ns, max_error_ns, &error_ns);
	if (r)
		assert_int_equal(error_ns, -1);
	return r;
}

static int64_t half_now(void)
{
	struct hpt_wall_time t = now_checked();

	return (t.latest_ns - t.earliest_ns) / 2;
}

/* UTC is within the error of the time, and the error is what the interval has, and what the reads took. */
static void check_end(int64_t unix_ns)
{
	int64_t off_ns = utc_ns() - unix_ns;

	if (off_ns > error_ns + 200 || off_ns < -error_ns || error_ns > half_now() + 300)
		fail_msg("%lld ns off, error %lld ns, half %lld ns", (long long)off_ns, (long long)error_ns,
			 (long long)half_now());
}

/* ---- The end ------------------------------------------------------------------------------------------------- */

static void sleep_ends_as_the_middle_reaches_the_time(void **state)
{
	static const int64_t sleeps_ns[] = { 1, 100, 3000, 50000, NS_PER_MS, 9999999, 10 * NS_PER_MS, 50 * NS_PER_MS,
					     3 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(sleeps_ns); i++) {
		int64_t unix_ns = in_ns(sleeps_ns[i]);

		assert_int_equal(until(unix_ns, 0), 0);
		check_end(unix_ns);
		unix_ns = in_ns(sleeps_ns[i]);
		assert_int_equal(until_on(unix_ns, 0), 0);
		check_end(unix_ns);
		feed(NS_PER_US);
	}
}

/* An interval from 100 us before to 20 us after UTC: its middle is what counts. */
static void middle_decides_and_not_an_end(void **state)
{
	struct hpt_wall_sample s = { .source = HPT_WALL_SOURCE_FEED };
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_time t;

	(void)state;
	open_as(&c, 0);
	s.before = s.after = hpt_now(&clk);
	s.earliest_ns = utc_ns() - 100000;
	s.latest_ns = utc_ns() + 20000;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
	for (int i = 1; i < 20; i++) {
		int64_t unix_ns = in_ns(i * 70001);

		assert_int_equal(until(unix_ns, 0), 0);
		t = now_checked();
		assert_in_range(t.earliest_ns + (t.latest_ns - t.earliest_ns) / 2 - unix_ns, 0, 200);
		assert_in_range(error_ns, t.latest_ns - unix_ns - 200, t.latest_ns - unix_ns);
	}
}

static void past_times_end_at_once_with_their_error(void **state)
{
	uint64_t start = world.now_ps;
	struct hpt_wall_time t;
	int64_t unix_ns = in_ns(-NS_PER_MS);

	(void)state;
	assert_int_equal(until(unix_ns, 0), 0);
	t = now_checked();
	assert_in_range(error_ns, t.latest_ns - unix_ns - 200, t.latest_ns - unix_ns);
	assert_int_equal(until(INT64_MIN, 0), 0);
	assert_int_equal(error_ns, INT64_MAX);
	assert_int_equal(until_on(in_ns(-10), 0), 0);
	assert_int_equal(hpt_wall_sleep_until_ns(wall, 0, 0, NULL), 0);
	assert_true(world.now_ps - start < 2000000);
	assert_int_equal(sleeping.waits, 0);
}

static void feed_narrow_and_ahead(void)
{
	struct hpt_wall_sample s = sample_of(0);

	s.earliest_ns += 800;
	s.latest_ns += 900;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
}

/* A sample in the meantime moves the middle by 800 ns: the time is reached that much earlier. */
static void sample_moves_the_end(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	happens_after(WAIT_NS / 2, feed_narrow_and_ahead);
	assert_int_equal(until(unix_ns, 0), 0);
	assert_in_range(unix_ns - utc_ns(), 500, 900);
	assert_true(error_ns < 600);
}

static void goes_by_the_latest_sample_at_the_end(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	happens_after(WAIT_NS / 2, feed_narrow);
	assert_int_equal(until_on(unix_ns, 0), 0);
	check_end(unix_ns);
	assert_true(error_ns < 600);
}

/* ---- The limit ----------------------------------------------------------------------------------------------- */

static void wide_bound_is_refused_before_the_sleep(void **state)
{
	int64_t half_ns = half_now();

	(void)state;
	assert_int_equal(until(in_ns(WAIT_NS), half_ns - 10), -ERANGE);
	assert_int_equal(until_on(in_ns(WAIT_NS), 1), -ERANGE);
	assert_int_equal(sleeping.waits, 0);
	assert_int_equal(until(in_ns(WAIT_NS), half_ns + 2000), 0);
	assert_true(error_ns <= half_ns + 2000);
}

/* Half an interval grows by 50 us a second and more: a limit of 30 us is passed at a look within the first second. */
static void bound_that_widens_too_far_ends_the_sleep(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	assert_int_equal(until(in_ns(2 * NS_PER_S), 30000), -ERANGE);
	assert_in_range(world.now_ps - start, PS_PER_S, 3 * PS_PER_S);
}

static void thread_comes_late(void)
{
	pass(PS_PER_MS);
}

/* The CPU is lost for a millisecond at the end of the spin. */
static void late_end_has_a_larger_error(void **state)
{
	for (int limited = 0; limited < 2; limited++) {
		int64_t unix_ns = in_ns(WAIT_NS);

		(void)state;
		happens_after(WAIT_NS - 500, thread_comes_late);
		assert_int_equal(until(unix_ns, limited ? 100000 : 0), limited ? -ERANGE : 0);
		assert_true(utc_ns() - unix_ns > NS_PER_MS / 2);
		if (!limited)
			assert_in_range(error_ns, utc_ns() - unix_ns - 200, utc_ns() - unix_ns + 4000);
	}
}

/* ---- Without a bound ----------------------------------------------------------------------------------------- */

static void machine_sleeps(void)
{
	world.boottime_offset_ns += NS_PER_S;
	world.realtime_offset_ns += NS_PER_S;
}

static void bound_that_is_lost_ends_the_sleep(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, machine_sleeps);
	assert_int_equal(until(in_ns(100 * NS_PER_MS), 0), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(until(0, 0), -EAGAIN);
	assert_int_equal(until_on(0, 0), -EAGAIN);
}

static void stale_bound_ends_the_sleep(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	uint64_t start;

	(void)state;
	c.max_age_ns = NS_PER_S;
	for (int i = 0; i < 2; i++) {
		open_as(&c, 0);
		feed(NS_PER_US);
		start = world.now_ps;
		assert_int_equal(until(i ? INT64_MAX : in_ns(100 * NS_PER_S), 0), -EAGAIN);
		assert_in_range(world.now_ps - start, NS_PER_S * 1000 - NS_PER_MS * 1000, NS_PER_S * 1001);
	}
}

static void jump_that_cannot_be_noted(void)
{
	world.tick_offset += 10000000;
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
}

static void bound_that_may_be_lost_ends_the_sleep(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, jump_that_cannot_be_noted);
	assert_int_equal(until(in_ns(WAIT_NS), 0), -EAGAIN);
}

/* ---- On a waiter --------------------------------------------------------------------------------------------- */

static void interrupt_it(void)
{
	assert_int_equal(hpt_waiter_interrupt(waiter), 0);
}

static void interrupt_ends_the_sleep(void **state)
{
	int64_t left_ns = 0, unix_ns = in_ns(WAIT_NS);

	(void)state;
	happens_after(WAIT_NS / 2, interrupt_it);
	assert_int_equal(until_on(unix_ns, 0), -ECANCELED);
	assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
	assert_in_range(left_ns, unix_ns - utc_ns() - 1000, unix_ns - utc_ns() + 1000);
	interrupt_it();
	assert_int_equal(until_on(0, 0), -ECANCELED);
	assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
	assert_int_equal(left_ns, 0);
	unix_ns = in_ns(WAIT_NS);
	interrupt_it();
	assert_int_equal(until_on(unix_ns, 0), -ECANCELED);
	assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
	assert_in_range(left_ns, WAIT_NS - 3000, WAIT_NS + 1000);
	assert_int_equal(until_on(unix_ns, 0), 0);
	assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
	assert_int_equal(left_ns, 0);
	/* Until the time, not until the look before it. */
	interrupt_it();
	assert_int_equal(until_on(in_ns(50 * NS_PER_MS), 0), -ECANCELED);
	assert_int_equal(hpt_waiter_remaining_ns(waiter, &left_ns), 0);
	assert_in_range(left_ns, 50 * NS_PER_MS - 5000, 50 * NS_PER_MS + 5000);
}

static void nothing_is_done_without_arguments(void **state)
{
	hpt_waiter *other;
	hpt_clock *manual;

	(void)state;
	assert_int_equal(hpt_wall_sleep_until_ns(NULL, 0, 0, &error_ns), -EINVAL);
	assert_int_equal(until(0, -1), -EINVAL);
	assert_int_equal(hpt_wall_sleep_until_ns_on(NULL, waiter, 0, 0, &error_ns), -EINVAL);
	assert_int_equal(hpt_wall_sleep_until_ns_on(wall, NULL, 0, 0, &error_ns), -EINVAL);
	assert_int_equal(until_on(0, -1), -EINVAL);
	assert_int_equal(hpt_clock_new_manual(NS_PER_S, 0, 0, &manual), 0);
	assert_int_equal(hpt_waiter_new(manual, 0, &other), 0);
	assert_int_equal(hpt_wall_sleep_until_ns_on(wall, other, 0, 0, &error_ns), -EINVAL);
	hpt_waiter_free(other);
	hpt_clock_close(manual);
}

static void one_thread_sleeps_on_a_waiter(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_claim(waiter), 0);
	assert_int_equal(until_on(0, 0), -EBUSY);
	hpt_waiter_release(waiter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wait_test(sleep_ends_as_the_middle_reaches_the_time),
		wait_test(middle_decides_and_not_an_end),
		wait_test(past_times_end_at_once_with_their_error),
		wait_test(sample_moves_the_end),
		wait_test(goes_by_the_latest_sample_at_the_end),
		wait_test(wide_bound_is_refused_before_the_sleep),
		wait_test(bound_that_widens_too_far_ends_the_sleep),
		wait_test(late_end_has_a_larger_error),
		wait_test(bound_that_is_lost_ends_the_sleep),
		wait_test(stale_bound_ends_the_sleep),
		wait_test(bound_that_may_be_lost_ends_the_sleep),
		wait_test(interrupt_ends_the_sleep),
		wait_test(nothing_is_done_without_arguments),
		wait_test(one_thread_sleeps_on_a_waiter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
