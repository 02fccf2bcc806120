// SPDX-License-Identifier: MIT
/* Hybrid logical clocks: strict increase, bounds ahead, floors, forks, and the end of the range. */
#include "wall_fakes.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#define AHEAD_NS 1000

static hpt_hlc *hlc;

static void new_hlc(int64_t max_ahead_ns)
{
	hpt_hlc_free(hlc);
	hlc = NULL;
	assert_int_equal(hpt_hlc_new(wall, max_ahead_ns, 0, &hlc), 0);
}

static int hlc_begins(void **state)
{
	wall_begins(state);
	feed(NS_PER_US);
	new_hlc(AHEAD_NS);
	return 0;
}

static int hlc_ends(void **state)
{
	hpt_hlc_free(hlc);
	hlc = NULL;
	return wall_ends(state);
}

#define hlc_test(f) cmocka_unit_test_setup_teardown(f, hlc_begins, hlc_ends)

static void stand_still(void)
{
	world.read_ps = 0;
}

/* latest_ns of now, which no read passes if the world stands still. */
static int64_t latest(void)
{
	return now_checked().latest_ns;
}

static void assert_now(int64_t expected)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_now(hlc, &ns), 0);
	assert_int_equal(ns, expected);
}

static void assert_now_fails(int r)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_now(hlc, &ns), r);
	assert_int_equal(ns, 4711);
}

static void assert_receive(int64_t remote_ns, int64_t expected)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_receive(hlc, remote_ns, &ns), 0);
	assert_int_equal(ns, expected);
}

static void assert_receive_fails(int64_t remote_ns, int r)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_receive(hlc, remote_ns, &ns), r);
	assert_int_equal(ns, 4711);
}

static void arguments_are_checked(void **state)
{
	hpt_hlc *untouched = (hpt_hlc *)&state, *ret = untouched;
	int64_t ns = 4711;

	(void)state;
	assert_int_equal(hpt_hlc_new(NULL, 0, 0, &ret), -EINVAL);
	assert_int_equal(hpt_hlc_new(wall, 0, 0, NULL), -EINVAL);
	assert_int_equal(hpt_hlc_new(wall, -1, 0, &ret), -EINVAL);
	assert_int_equal(hpt_hlc_new(wall, INT64_MIN, 0, &ret), -EINVAL);
	for (int bit = 0; bit < 32; bit++)
		assert_int_equal(hpt_hlc_new(wall, 0, 1u << bit, &ret), -EINVAL);
	assert_ptr_equal(ret, untouched);
	assert_int_equal(hpt_hlc_now(NULL, &ns), -EINVAL);
	assert_int_equal(hpt_hlc_now(hlc, NULL), -EINVAL);
	assert_int_equal(hpt_hlc_receive(NULL, 0, &ns), -EINVAL);
	assert_int_equal(hpt_hlc_receive(hlc, 0, NULL), -EINVAL);
	assert_int_equal(hpt_hlc_set_floor(NULL, 0), -EINVAL);
	assert_int_equal(hpt_hlc_set_floor(hlc, INT64_MAX), -EINVAL);
	assert_int_equal(ns, 4711);
	hpt_hlc_free(NULL);
}

static void it_holds_its_wall(void **state)
{
	int64_t ns;

	(void)state;
	assert_int_equal(wall->holders, 2);
	hpt_wall_close(wall);
	assert_int_equal(hpt_hlc_now(hlc, &ns), 0);
	hpt_wall_ref(wall);
	hpt_hlc_free(hlc);
	hlc = NULL;
	assert_int_equal(wall->holders, 1);
}

/* ---- Increase ------------------------------------------------------------------------------------------------ */

static void timestamps_are_latest_or_one_more(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	assert_now(first);
	assert_now(first + 1);
	assert_now(first + 2);
	pass(PS_PER_MS);
	first = latest();
	assert_now(first);
	assert_now(first + 1);
}

#define THREADS 4
#define STAMPS  200000

static int64_t stamps[THREADS][STAMPS];
static int failures[THREADS];
static _Atomic int started; /* by all at once: in a millisecond each would be done before the next one begins */

static void *take_stamps(void *arg)
{
	int n = (int)(intptr_t)arg;

	started++;
	while (started < THREADS)
		sched_yield();
	for (int i = 0; i < rounds(STAMPS); i++) {
		int r = i % 4 || !i ? hpt_hlc_now(hlc, &stamps[n][i]) :
				      hpt_hlc_receive(hlc, stamps[n][i - 1], &stamps[n][i]);

		failures[n] += r != 0;
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* On a manual clock, which stands still: all threads count on from the same time. */
static void timestamps_of_threads_never_collide(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s = { .before = 5, .after = 5, .earliest_ns = UTC_AT_0_NS, .latest_ns = UTC_AT_0_NS };
	hpt_clock *manual = NULL;
	hpt_wall *w = NULL;
	pthread_t threads[THREADS];
	static int64_t all[THREADS * STAMPS];
	size_t n = 0;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(UINT64_C(1000000000000000), 5, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
	assert_int_equal(hpt_wall_feed(w, &s, sizeof(s)), 0);
	started = 0;
	hpt_hlc_free(hlc);
	assert_int_equal(hpt_hlc_new(w, NS_PER_S, 0, &hlc), 0);
	for (intptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, take_stamps, (void *)i), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(failures[i], 0);
		for (int k = 0; k < rounds(STAMPS); k++) {
			assert_true(!k || stamps[i][k] > stamps[i][k - 1]);
			all[n++] = stamps[i][k];
		}
	}
	qsort(all, n, sizeof(all[0]), compare);
	for (size_t i = 1; i < n; i++)
		assert_true(all[i] > all[i - 1]);
	hpt_hlc_free(hlc);
	hlc = NULL;
	hpt_wall_close(w);
	hpt_clock_close(manual);
}

/* ---- Bounds ahead -------------------------------------------------------------------------------------------- */

static void timestamps_run_no_farther_ahead_than_allowed(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	for (int i = 0; i <= AHEAD_NS; i++)
		assert_now(first + i);
	assert_now_fails(-EAGAIN);
	assert_now_fails(-EAGAIN);
	pass(10000);
	assert_now(first + AHEAD_NS + 1);
}

static void nothing_ahead_may_be_allowed(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	new_hlc(0);
	first = latest();
	assert_now(first);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(first + 1, -ERANGE);
	assert_receive(first, first + 1);
	assert_receive_fails(first, -EAGAIN);
	pass(PS_PER_MS);
	assert_now(latest());
}

static void all_ahead_may_be_allowed(void **state)
{
	(void)state;
	stand_still();
	new_hlc(INT64_MAX);
	assert_receive(INT64_MAX / 4 * 3, INT64_MAX / 4 * 3 + 1);
	assert_now(INT64_MAX / 4 * 3 + 2);
	assert_receive(INT64_MAX - 3, INT64_MAX - 2);
	/* None is larger than this one. */
	assert_receive_fails(INT64_MAX, -ERANGE);
	assert_now(INT64_MAX - 1);
	assert_now(INT64_MAX);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(0, -EAGAIN);
	assert_receive_fails(INT64_MAX - 1, -EAGAIN);
	assert_receive_fails(INT64_MAX, -ERANGE);
}

static void received_timestamps_are_passed(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	assert_receive(INT64_MIN, first);
	assert_receive(first - 1, first + 1);
	assert_receive(first + 10, first + 11);
	assert_receive(first + 5, first + 12);
	assert_now(first + 13);
	assert_receive(first + 13, first + 14);
}

static void remote_that_is_too_far_leaves_no_trace(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	assert_receive_fails(first + AHEAD_NS + 1, -ERANGE);
	assert_receive_fails(INT64_MAX, -ERANGE);
	assert_now(first);
	assert_receive(first + AHEAD_NS, first + AHEAD_NS + 1);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(first + AHEAD_NS, -EAGAIN);
}

/* ---- Floors -------------------------------------------------------------------------------------------------- */

static void floor_is_kept_until_it_is_reached(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	assert_int_equal(hpt_hlc_set_floor(hlc, first + 10), 0);
	assert_now(first + 11);
	assert_int_equal(hpt_hlc_set_floor(hlc, first), 0);
	assert_now(first + 12);
	assert_int_equal(hpt_hlc_set_floor(hlc, INT64_MIN), 0);
	assert_now(first + 13);
	assert_int_equal(hpt_hlc_set_floor(hlc, first + AHEAD_NS - 1), 0);
	assert_now(first + AHEAD_NS);
	assert_int_equal(hpt_hlc_set_floor(hlc, first + NS_PER_S), 0);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(first, -EAGAIN);
	pass(999 * PS_PER_MS);
	assert_now_fails(-EAGAIN);
	pass(2 * PS_PER_MS);
	assert_now(latest());
}

static void highest_floor_ends_all(void **state)
{
	(void)state;
	new_hlc(INT64_MAX);
	assert_int_equal(hpt_hlc_set_floor(hlc, INT64_MAX - 1), 0);
	assert_now(INT64_MAX);
	assert_now_fails(-EAGAIN);
}

/* ---- Without a bound ----------------------------------------------------------------------------------------- */

static void without_a_bound_there_is_no_timestamp(void **state)
{
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	open_as(&c, 0);
	new_hlc(AHEAD_NS);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(0, -EAGAIN);
	feed(NS_PER_US);
	world.boottime_offset_ns += NS_PER_S;
	pass(20 * PS_PER_MS);
	assert_now_fails(-EAGAIN);
	c.max_width_ns = 100;
	open_as(&c, 0);
	new_hlc(AHEAD_NS);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(0, -EAGAIN);
	feed(NS_PER_US);
	assert_now_fails(-ERANGE);
	assert_receive_fails(0, -ERANGE);
	feed(0);
	stand_still();
	assert_receive(0, latest());
}

static void errno_is_kept(void **state)
{
	int64_t ns;

	(void)state;
	errno = EDOM;
	new_hlc(0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(hpt_hlc_now(hlc, &ns), 0);
		assert_int_equal(hpt_hlc_receive(hlc, INT64_MAX, &ns), -ERANGE);
		pass(20 * PS_PER_MS);
	}
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

/* ---- Forks --------------------------------------------------------------------------------------------------- */

/* The child's exit status: 0, or the number of the check that failed. */
static int child(int64_t last)
{
	int64_t ns = 4711;

	if (hpt_hlc_now(hlc, &ns) != -ESTALE || hpt_hlc_receive(hlc, last, &ns) != -ESTALE || ns != 4711)
		return 1;
	if (hpt_hlc_set_floor(hlc, last + 100))
		return 2;
	if (hpt_hlc_now(hlc, &ns) || ns <= last + 100)
		return 3;
	return hpt_hlc_receive(hlc, last, &ns) || ns <= last + 101 ? 4 : 0;
}

static void forked_child_needs_a_floor(void **state)
{
	int64_t last;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
	pid = fork();
	if (!pid)
		_exit(child(last));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		hlc_test(arguments_are_checked),
		hlc_test(it_holds_its_wall),
		hlc_test(timestamps_are_latest_or_one_more),
		hlc_test(timestamps_of_threads_never_collide),
		hlc_test(timestamps_run_no_farther_ahead_than_allowed),
		hlc_test(nothing_ahead_may_be_allowed),
		hlc_test(all_ahead_may_be_allowed),
		hlc_test(received_timestamps_are_passed),
		hlc_test(remote_that_is_too_far_leaves_no_trace),
		hlc_test(floor_is_kept_until_it_is_reached),
		hlc_test(highest_floor_ends_all),
		hlc_test(without_a_bound_there_is_no_timestamp),
		hlc_test(errno_is_kept),
		hlc_test(forked_child_needs_a_floor),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("hlc", tests, NULL, NULL);
}
