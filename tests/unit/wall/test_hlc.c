// SPDX-License-Identifier: MIT
/*
 * Hybrid logical clocks: strict increase, walls that come back, bounds ahead, floors, and the end of the range.
 * test_hlc_copies.c: forks and clones.
 */
#include "hlc_world.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static void arguments_are_checked(void **state)
{
	hpt_hlc *untouched = (hpt_hlc *)&state, *ret = untouched;
	struct hpt_hlc_info info;
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
	assert_int_equal(hpt_hlc_get_info(NULL, &info, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_hlc_get_info(hlc, NULL, sizeof(info)), -EINVAL);
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

static hpt_clock *manual;
static hpt_wall *manual_wall;

/* On a manual clock, which stands still, and which any thread may read. */
static void new_manual_hlc(int64_t max_ahead_ns)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s = { .before = 5, .after = 5, .earliest_ns = UTC_AT_0_NS, .latest_ns = UTC_AT_0_NS };

	assert_int_equal(hpt_clock_new_manual(1000000000, 5, 0, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &manual_wall), 0);
	assert_int_equal(hpt_wall_feed(manual_wall, &s, sizeof(s)), 0);
	hpt_hlc_free(hlc);
	assert_int_equal(hpt_hlc_new(manual_wall, max_ahead_ns, 0, &hlc), 0);
	hpt_wall_close(manual_wall);
	hpt_clock_close(manual);
}

/* All count on from the same time. */
static void timestamps_of_threads_never_collide(void **state)
{
	pthread_t threads[THREADS];
	static int64_t all[THREADS * STAMPS];
	size_t n = 0;

	(void)state;
	new_manual_hlc(NS_PER_S);
	started = 0;
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
}

/* ---- Bounds ahead -------------------------------------------------------------------------------------------- */

/* max_ahead_ns limits what comes, not what is given: by one a call. */
static void timestamps_go_on_when_time_stands_still(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	first = latest();
	for (int i = 0; i <= 2 * AHEAD_NS; i++)
		assert_now(first + i);
	assert_receive_fails(first + AHEAD_NS + 1, -EBADMSG);
	assert_receive(first, first + 2 * AHEAD_NS + 1);
	pass(10000);
	assert_now(first + 2 * AHEAD_NS + 2);
}

/* Fifteen minutes without a sample, and a fresh one: the latest timestamp is then far beyond latest_ns. */
static void timestamps_go_on_when_a_sample_narrows_the_wall(void **state)
{
	int64_t wide, narrow;

	(void)state;
	stand_still();
	pass(900 * PS_PER_S);
	wide = latest();
	assert_now(wide);
	feed(NS_PER_US);
	narrow = latest();
	assert_true(wide > narrow + NS_PER_MS);
	assert_now(wide + 1);
	assert_receive_fails(wide, -EBADMSG);
	assert_receive(narrow + AHEAD_NS, wide + 2);
	assert_now(wide + 3);
	pass(PS_PER_S);
	assert_now(latest());
}

static void nothing_ahead_may_be_allowed(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	new_hlc(0);
	first = latest();
	assert_now(first);
	assert_now(first + 1);
	assert_receive_fails(first + 1, -EBADMSG);
	assert_receive(first, first + 2);
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
	assert_receive_fails(INT64_MAX, -EBADMSG);
	assert_now(INT64_MAX - 1);
	assert_now(INT64_MAX);
	assert_now_fails(-EAGAIN);
	assert_receive_fails(0, -EAGAIN);
	assert_receive_fails(INT64_MAX - 1, -EAGAIN);
	assert_receive_fails(INT64_MAX, -EBADMSG);
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
	assert_receive_fails(first + AHEAD_NS + 1, -EBADMSG);
	assert_receive_fails(INT64_MAX, -EBADMSG);
	assert_now(first);
	assert_receive(first + AHEAD_NS, first + AHEAD_NS + 1);
	assert_now(first + AHEAD_NS + 2);
	assert_receive(first + AHEAD_NS, first + AHEAD_NS + 3);
}

/* A thread that lost its processor after its look: each read takes 100 us here. */
static void stale_look_refuses_nothing(void **state)
{
	const int64_t between_ns = 10 * NS_PER_MS + 150 * NS_PER_US; /* what the second look allows, not the first */
	int64_t first;

	(void)state;
	new_hlc(10 * NS_PER_MS);
	world.read_ps = PS_PER_MS / 10;
	first = latest();
	assert_int_equal(hpt_hlc_set_floor(hlc, first + between_ns), 0);
	assert_now(first + between_ns + 1);
	first = latest();
	assert_receive(first + between_ns, first + between_ns + 1);
	/* One more look alone: a remote clock that is wrong stays so. */
	first = latest();
	assert_receive_fails(first + between_ns + 100 * NS_PER_US, -EBADMSG);
	first = latest();
	assert_int_equal(hpt_hlc_set_floor(hlc, first + between_ns), 0);
	assert_receive(first, first + between_ns + 1);
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

/* A floor that was given as a timestamp before it is set is no floor any more. */
static void timestamp_that_was_given_is_no_floor(void **state)
{
	int64_t first;

	(void)state;
	stand_still();
	new_hlc(0);
	first = latest();
	assert_now(first);
	assert_now(first + 1);
	assert_int_equal(hpt_hlc_set_floor(hlc, first + 1), 0);
	assert_now(first + 2);
	assert_int_equal(hpt_hlc_set_floor(hlc, first + 3), 0);
	assert_now_fails(-EAGAIN);
	/* Receiving keeps to it as well, from one above what may come. */
	assert_receive_fails(first, -EAGAIN);
	assert_int_equal(hpt_hlc_set_floor(hlc, first + 2), 0);
	assert_now_fails(-EAGAIN);
}

#define FLOORS 200000

static _Atomic int64_t next_floor;

static void *set_floors(void *arg)
{
	int n = (int)(intptr_t)arg;
	int64_t ns;

	started++;
	while (started < THREADS)
		sched_yield();
	for (int i = 0; i < rounds(FLOORS); i++) {
		failures[n] += hpt_hlc_set_floor(hlc, atomic_fetch_add(&next_floor, 1) + n * THREADS) != 0;
		failures[n] += hpt_hlc_now(hlc, &ns) != -EAGAIN;
	}
	return NULL;
}

/* From the first floor on no timestamp is given: the wall reaches none of them. model-hlc has all orders. */
static void floors_of_threads_are_kept(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	new_manual_hlc(0);
	next_floor = UTC_AT_0_NS + NS_PER_S;
	started = 0;
	memset(failures, 0, sizeof(failures));
	for (intptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, set_floors, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(failures[i], 0);
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
		assert_int_equal(hpt_hlc_receive(hlc, INT64_MAX, &ns), -EBADMSG);
		pass(20 * PS_PER_MS);
	}
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

/* ---- Facts ---------------------------------------------------------------------------------------------------- */

struct longer {
	struct hpt_hlc_info i;
	unsigned char more[16];
};

static void size_says_how_much_is_written(void **state)
{
	struct longer l;

	(void)state;
	assert_int_equal(sizeof(l.i), HPT_HLC_INFO_SIZE_V0);
	memset(&l, 0x55, sizeof(l));
	for (size_t size = 0; size < HPT_HLC_INFO_SIZE_V0; size++)
		assert_int_equal(hpt_hlc_get_info(hlc, &l.i, size), -EINVAL);
	for (size_t k = 0; k < sizeof(l); k++)
		assert_int_equal(((unsigned char *)&l)[k], 0x55);
	assert_int_equal(hpt_hlc_get_info(hlc, &l.i, sizeof(l)), 0);
	assert_int_equal(l.i.size, sizeof(l.i));
	assert_int_equal(l.i.sees_clones, 0);
	assert_int_equal(l.more[15], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		hlc_test(arguments_are_checked),
		hlc_test(it_holds_its_wall),
		hlc_test(timestamps_are_latest_or_one_more),
		hlc_test(timestamps_of_threads_never_collide),
		hlc_test(timestamps_go_on_when_time_stands_still),
		hlc_test(timestamps_go_on_when_a_sample_narrows_the_wall),
		hlc_test(nothing_ahead_may_be_allowed),
		hlc_test(all_ahead_may_be_allowed),
		hlc_test(received_timestamps_are_passed),
		hlc_test(remote_that_is_too_far_leaves_no_trace),
		hlc_test(stale_look_refuses_nothing),
		hlc_test(floor_is_kept_until_it_is_reached),
		hlc_test(timestamp_that_was_given_is_no_floor),
		hlc_test(floors_of_threads_are_kept),
		hlc_test(highest_floor_ends_all),
		hlc_test(without_a_bound_there_is_no_timestamp),
		hlc_test(errno_is_kept),
		hlc_test(size_says_how_much_is_written),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("hlc", tests, NULL, NULL);
}
