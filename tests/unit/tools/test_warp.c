// SPDX-License-Identifier: MIT
/* The comparison of CPUs, on counters that agree, are skewed, jump or stand still; and the order of pairs. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

/* White box: the evaluation of one answer is static. */
#include "../../../tools/check/warp.c"

#define SLICE_NS     30000000
#define MESSAGES_MIN 1000

/* Two CPUs that this process may run on; -1: there is no second CPU. */
static int cpus[2] = { -1, -1 };

static void find_cpus(void)
{
	struct cpus set;

	if (cpus_of_thread(&set))
		return;
	cpus[0] = cpus_next(&set, -1);
	cpus[1] = cpus_next(&set, cpus[0]);
}

/* ---- Counters: nanoseconds of the kernel, with a fault ------------------------------------------------ */

struct fault {
	int64_t skew;           /* offset of the second CPU's counter */
	int64_t jump_each;      /* one of this many reads of the second CPU is `skew` off */
	bool    stands_still;
	_Atomic int64_t reads;
};

static int64_t faulty_read(void *ctx)
{
	struct fault *f = ctx;
	struct timespec ts;
	int64_t ns;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	if (f->stands_still)
		return 12345;
	if (sched_getcpu() != cpus[1])
		return ns;
	if (f->jump_each && atomic_fetch_add(&f->reads, 1) % f->jump_each != f->jump_each - 1)
		return ns;
	return ns + f->skew;
}

/* A CPU that is too busy to run its thread within a second is no error here: there were fewer messages. */
static int compare_once(int64_t (*read)(void *), void *ctx, int64_t end_ns, struct warp_pair *pair)
{
	struct warp_counter counter = { read, ctx };
	int cpu, r = warp_compare(&counter, end_ns, pair, &cpu);

	return r == -ETIMEDOUT ? 0 : r;
}

/*
 * Repeats until enough messages were exchanged, because busy CPUs may run neither thread for a while. Results add up.
 */
static void compare(struct fault *fault, struct warp_pair *ret)
{
	*ret = warp_pair_new(cpus[0], cpus[1]);
	while (ret->messages < MESSAGES_MIN)
		assert_int_equal(compare_once(faulty_read, fault, warp_clock_ns() + SLICE_NS, ret), 0);
}

static bool is_alone(void)
{
	if (cpus[1] < 0)
		print_message("# one CPU only: nothing to compare\n");
	return cpus[1] < 0;
}

static void counters_in_step_never_go_back(void **state)
{
	struct fault none = { 0 };
	struct warp_pair p;

	(void)state;
	if (is_alone())
		return;
	compare(&none, &p);
	assert_int_equal(p.backwards, 0);
	assert_int_equal(p.worst_ticks, 0);
	assert_true(p.least_ticks <= 0 && p.most_ticks >= 0);
}

static void check_skew(int64_t skew)
{
	struct fault fault = { .skew = skew };
	struct warp_pair p;

	compare(&fault, &p);
	assert_true(p.backwards >= p.messages / 3 && p.backwards <= p.messages);
	assert_true(p.least_ticks <= skew && skew <= p.most_ticks);
	assert_true(p.worst_ticks > 0 && p.worst_ticks <= llabs(skew));
}

static void skew_is_found_with_its_size_and_sign(void **state)
{
	(void)state;
	if (is_alone())
		return;
	check_skew(INT64_C(10000000000));
	check_skew(INT64_C(-10000000000));
}

static void rare_jumps_are_found_and_leave_no_offset(void **state)
{
	struct fault fault = { .skew = -INT64_C(10000000000), .jump_each = 100 };
	struct warp_pair p;

	(void)state;
	if (is_alone())
		return;
	compare(&fault, &p);
	assert_true(p.backwards > 0 && p.backwards < p.messages);
	assert_true(p.least_ticks > p.most_ticks);
}

static void counter_that_stands_still_ends_in_time(void **state)
{
	struct fault fault = { .stands_still = true };
	int64_t start = warp_clock_ns();
	struct warp_pair p;

	(void)state;
	if (is_alone())
		return;
	compare(&fault, &p);
	assert_int_equal(p.backwards, 0);
	assert_true(warp_clock_ns() - start >= SLICE_NS);
}

static void end_in_the_past_ends_at_once(void **state)
{
	struct warp_pair p = warp_pair_new(cpus[0], cpus[1]);
	struct fault none = { 0 };

	(void)state;
	if (is_alone())
		return;
	assert_int_equal(compare_once(faulty_read, &none, 0, &p), 0);
	assert_true(p.messages <= 3 * ROUNDS_A_CHECK);
}

static void narrowest_bounds_of_all_answers_count(void **state)
{
	struct warp_pair p = { .least_ticks = INT64_MIN, .most_ticks = INT64_MAX };

	(void)state;
	note_answer(&p, 1000, 1050, 1100);
	assert_int_equal(p.least_ticks, -50);
	assert_int_equal(p.most_ticks, 50);
	note_answer(&p, 2000, 2010, 2200); /* slow on the way back */
	assert_int_equal(p.least_ticks, -50);
	assert_int_equal(p.most_ticks, 10);
	note_answer(&p, 3000, 3190, 3200); /* slow on the way there */
	assert_int_equal(p.least_ticks, -10);
	assert_int_equal(p.most_ticks, 10);
	assert_int_equal(p.messages, 6);
	assert_int_equal(p.backwards, 0);
	note_answer(&p, 4000, 3995, 4100);
	assert_int_equal(p.backwards, 1);
	assert_int_equal(p.worst_ticks, 5);
	assert_int_equal(p.most_ticks, -5);
	note_answer(&p, 5000, 5090, 5080);
	assert_int_equal(p.backwards, 2);
	assert_int_equal(p.worst_ticks, 10);
	assert_int_equal(p.least_ticks, 10);
}

/* ---- One CPU ------------------------------------------------------------------------------------------ */

static int64_t sawtooth(void *ctx)
{
	int64_t *n = ctx, i = (*n)++;

	return i % 1000 ? i : i - 7;
}

static void one_cpu_is_compared_with_itself(void **state)
{
	struct warp_pair good = warp_pair_new(cpus[0], cpus[0]), bad = good;
	struct fault none = { 0 };
	int64_t reads = 1;

	(void)state;
	while (!good.messages)
		assert_int_equal(compare_once(faulty_read, &none, warp_clock_ns() + SLICE_NS, &good), 0);
	assert_int_equal(good.backwards, 0);
	assert_int_equal(warp_pair_width(&good), 0);
	while (bad.messages < 2000)
		assert_int_equal(compare_once(sawtooth, &reads, warp_clock_ns() + SLICE_NS, &bad), 0);
	assert_true(bad.backwards > 0);
	assert_int_equal(bad.worst_ticks, 6);
}

static void missing_cpu_is_an_error_and_named(void **state)
{
	struct fault none = { 0 };
	struct warp_counter counter = { faulty_read, &none };
	struct warp_pair pairs[] = {
		warp_pair_new(70000, 70000), warp_pair_new(cpus[0], 70000), warp_pair_new(70000, cpus[0]),
	};
	int cpu;

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		cpu = -1;
		assert_int_equal(warp_compare(&counter, warp_clock_ns() + SLICE_NS, &pairs[i], &cpu), -EINVAL);
		assert_int_equal(cpu, 70000);
		assert_int_equal(pairs[i].messages, 0);
	}
}

/* ---- A CPU that another program never gives up --------------------------------------------------------- */

/* A thread that moves to the second CPU gets no further until it was bound to others, however late it comes. */
static _Atomic bool is_hogged, is_fetched_back;

/* Replaces the C library's. */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread;
	is_fetched_back = CPU_ISSET_S((size_t)cpus[0], size, set) && CPU_ISSET_S((size_t)cpus[1], size, set);
	return 0;
}

/* Replaces the C library's. */
int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
	while (is_hogged && !is_fetched_back && CPU_ISSET_S((size_t)cpus[1], size, set))
		sched_yield();
	return (int)syscall(SYS_sched_setaffinity, thread, size, set);
}

static void thread_that_never_runs_is_fetched_back(void **state)
{
	struct warp_pair p = warp_pair_new(cpus[0], cpus[1]);
	struct fault none = { 0 };
	struct warp_counter counter = { faulty_read, &none };
	int64_t end_ns = warp_clock_ns() + SLICE_NS;
	int cpu = -1;

	(void)state;
	if (is_alone())
		return;
	is_hogged = true;
	is_fetched_back = false; /* other tests' threads may have been, on busy CPUs */
	assert_int_equal(warp_compare(&counter, end_ns, &p, &cpu), -ETIMEDOUT);
	is_hogged = false;
	assert_true(is_fetched_back);
	assert_true(cpu == cpus[1] || cpu == cpus[0]); /* the other thread may have been stalled for a second too */
	assert_true(warp_clock_ns() >= end_ns + PATIENCE_NS);
	assert_int_equal(p.messages, 0);
}

/* As one that was fetched back before it was moved: the meeting is over, and its readings would be of another CPU. */
static void late_guest_does_not_talk(void **state)
{
	struct warp_pair p = warp_pair_new(cpus[0], cpus[0]);
	struct fault none = { 0 };
	struct warp_counter counter = { faulty_read, &none };
	struct meeting m = { .counter = &counter, .end_ns = INT64_MAX, .pair = &p, .over = true,
			     .lock = PTHREAD_MUTEX_INITIALIZER, .one_ended = PTHREAD_COND_INITIALIZER };
	struct guest g = { .meeting = &m, .cpu = cpus[0], .talk = talk_to_oneself };
	struct cpus before;

	(void)state;
	assert_int_equal(cpus_of_thread(&before), 0);
	attend(&g);
	assert_int_equal(sched_setaffinity(0, sizeof(before.set), before.set), 0);
	assert_int_equal(p.messages, 0);
	assert_true(g.has_ended);
	assert_int_equal(g.error, 0);
}

/* One CPU reads the lowest value, the other the highest: no sum may overflow. */
static void broken_counters_saturate(void **state)
{
	struct warp_pair p = warp_pair_new(0, 1);

	(void)state;
	assert_int_equal(warp_pair_width(&p), INT64_MAX);
	note_answer(&p, INT64_MAX, INT64_MIN, INT64_MAX);
	assert_int_equal(p.backwards, 1);
	assert_int_equal(p.worst_ticks, INT64_MAX);
	assert_int_equal(p.most_ticks, INT64_MIN);
	assert_int_equal(warp_pair_width(&p), 0);
}

/* ---- The plan ------------------------------------------------------------------------------------------ */

static void steps_widen_what_is_known(void **state)
{
	struct warp_pair p = { .least_ticks = -10, .most_ticks = 20 }, none = warp_pair_new(0, 1);
	struct warp_pair far = { .least_ticks = INT64_MIN + 1, .most_ticks = INT64_MAX - 1 };
	struct warp_pair ahead = { .least_ticks = 10, .most_ticks = 20 };

	(void)state;
	warp_pair_widen(&p, 26);
	assert_int_equal(p.least_ticks, -36);
	assert_int_equal(p.most_ticks, 46);
	warp_pair_widen(&ahead, 26);
	assert_int_equal(ahead.least_ticks, -16);
	assert_int_equal(ahead.most_ticks, 46);
	warp_pair_widen(&none, 26);
	assert_true(none.least_ticks == INT64_MIN && none.most_ticks == INT64_MAX);
	warp_pair_widen(&far, 26);
	assert_true(far.least_ticks == INT64_MIN && far.most_ticks == INT64_MAX);
}

static void plan_visits_every_pair_once(void **state)
{
	(void)state;
	for (uint32_t n = 0; n <= 40; n++) {
		struct warp_plan plan = warp_plan_new(n);
		bool seen[40][40] = { { false } };
		uint32_t a, b, pairs = 0;

		while (warp_plan_next(&plan, &a, &b)) {
			assert_true(a < b && b < n);
			assert_false(seen[a][b]);
			seen[a][b] = true;
			assert_true(pairs >= n - 1 || (a == 0 && b == pairs + 1)); /* the first with each, first */
			pairs++;
		}
		assert_int_equal(pairs, n ? n * (n - 1) / 2 : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_in_step_never_go_back),
		cmocka_unit_test(skew_is_found_with_its_size_and_sign),
		cmocka_unit_test(rare_jumps_are_found_and_leave_no_offset),
		cmocka_unit_test(counter_that_stands_still_ends_in_time),
		cmocka_unit_test(end_in_the_past_ends_at_once),
		cmocka_unit_test(narrowest_bounds_of_all_answers_count),
		cmocka_unit_test(one_cpu_is_compared_with_itself),
		cmocka_unit_test(missing_cpu_is_an_error_and_named),
		cmocka_unit_test(broken_counters_saturate),
		cmocka_unit_test(thread_that_never_runs_is_fetched_back),
		cmocka_unit_test(late_guest_does_not_talk),
		cmocka_unit_test(steps_widen_what_is_known),
		cmocka_unit_test(plan_visits_every_pair_once),
	};

	find_cpus();
	if (cpus[0] < 0)
		return skip_all("this program may not run on any CPU");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
