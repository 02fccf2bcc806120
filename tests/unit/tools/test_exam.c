// SPDX-License-Identifier: MIT
/* The verdict on a clock: every finding alone and combined with the others; and an examination on this machine. */
#include <errno.h>
#include <pthread.h>

#include "unit.h"

#include "../../../tools/cli/cpus.h"
#include "../../../tools/check/exam.h"
#include "../../../tools/cli/util.h"

/* Three CPUs, all compared: the uncertainty is 10 to 14 ticks. */
static struct warp_pair pairs[3];
static int cpus[3] = { 2, 5, 7 };

static struct exam good(void)
{
	pairs[0] = (struct warp_pair){ 2, 5, .messages = 10, .least_ticks = -4, .most_ticks = 6 };
	pairs[1] = (struct warp_pair){ 2, 7, .messages = 10, .least_ticks = -9, .most_ticks = 5 };
	pairs[2] = (struct warp_pair){ 5, 7, .messages = 10, .least_ticks = -3, .most_ticks = 7 };
	return (struct exam){
		.before = { .state = HPT_STATE_OK, .generation = 7 },
		.after = { .state = HPT_STATE_OK, .generation = 7 },
		.drift = { .error_ppb = -150, .uncertainty_ppb = 50, .raw_ns = 1000000000 },
		.drift_allowed_ppb = 100,
		.cpus = cpus,
		.n_cpus = 3,
		.pairs = pairs,
		.n_pairs = 3,
		.pairs_possible = 3,
		.knows_online = true,
		.width_limit_ticks = 20,
	};
}

#define assert_verdict(check, verdict) assert_int_equal(exam_verdict(&(check)), EXAM_##verdict)

static void all_in_order_is_ok(void **state)
{
	struct exam c = good();

	(void)state;
	assert_verdict(c, OK);
}

static void rate_beyond_bound_and_doubt_is_degraded(void **state)
{
	struct exam c = good();

	(void)state;
	c.drift.error_ppb = -151;
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 151;
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 150;
	assert_verdict(c, OK);
	c.drift.error_ppb = INT64_MIN;
	assert_verdict(c, DEGRADED);
}

static void words_for_the_rate(void **state)
{
	static const struct { int64_t error; uint64_t doubt; enum exam_rate rate; } rows[] = {
		{ 50, 50, EXAM_RATE_WITHIN }, { -50, 50, EXAM_RATE_WITHIN },
		{ 0, 100, EXAM_RATE_WITHIN }, { 51, 50, EXAM_RATE_CONSISTENT },
		{ 150, 50, EXAM_RATE_CONSISTENT }, { -151, 50, EXAM_RATE_OUTSIDE },
		{ 0, 101, EXAM_RATE_INCONCLUSIVE }, { -201, 101, EXAM_RATE_INCONCLUSIVE },
		{ 202, 101, EXAM_RATE_OUTSIDE },
	};
	struct exam c = good();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.drift.error_ppb = rows[i].error;
		c.drift.uncertainty_ppb = rows[i].doubt;
		assert_int_equal(exam_rate(&c), rows[i].rate);
		assert_int_equal(exam_rate_ok(&c), rows[i].rate != EXAM_RATE_OUTSIDE);
	}
	c.drift_allowed_ppb = UINT32_MAX;
	assert_int_equal(exam_rate(&c), EXAM_RATE_UNKNOWN);
}

static void clock_that_claims_nothing_is_degraded(void **state)
{
	struct exam c = good();

	(void)state;
	c.drift_allowed_ppb = UINT32_MAX;
	assert_verdict(c, DEGRADED);
	c = good();
	c.drift.raw_ns = 0; /* the reference stood still */
	assert_verdict(c, DEGRADED);
}

static void state_and_generation_are_judged(void **state)
{
	struct exam c = good();

	(void)state;
	c.before.state = HPT_STATE_DISRUPTED;
	assert_verdict(c, DEGRADED);
	c = good();
	c.after.flags = HPT_CLOCK_VETOED;
	assert_verdict(c, DEGRADED);
	c = good();
	c.after.state = HPT_STATE_DEMOTED;
	assert_verdict(c, DEGRADED);
	c = good();
	c.after.generation = 8;
	assert_verdict(c, DEGRADED);
}

static void one_step_back_outweighs_all(void **state)
{
	struct exam c = good();

	(void)state;
	c.after.generation = 8;
	c.drift.error_ppb = 1000000;
	pairs[1].backwards = 1;
	assert_verdict(c, BACKWARDS);
}

static void nothing_compared_is_incomplete(void **state)
{
	struct exam c = good();

	(void)state;
	c.n_pairs = 0;
	assert_verdict(c, INCOMPLETE);
}

/* A message between CPUs that never ran at the same time takes milliseconds: it would hide a skew of that size. */
static void slow_messages_prove_nothing(void **state)
{
	struct exam c = good();

	(void)state;
	pairs[1].most_ticks = 10; /* 19 left open */
	assert_verdict(c, OK);
	pairs[1].most_ticks = 11;
	assert_int_equal(exam_compared(&c), 2);
	assert_verdict(c, INCOMPLETE);
	c.drift.error_ppb = 1000000; /* a finding is still reported */
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 0;
	pairs[1].backwards = 1; /* a step back counts, however slow the message was */
	assert_int_equal(exam_compared(&c), 3);
	assert_verdict(c, BACKWARDS);
}

static void every_cpu_must_be_compared_with_the_first(void **state)
{
	struct exam c = good();

	(void)state;
	pairs[2].most_ticks = 1000; /* not needed: both CPUs were compared with the first */
	assert_verdict(c, OK);
	c = good();
	c.n_pairs = 2;
	assert_verdict(c, OK);
	c.n_pairs = 1;
	assert_verdict(c, INCOMPLETE);
}

static void refused_cpu_is_incomplete(void **state)
{
	struct exam c = good();

	(void)state;
	c.error = -EINVAL;
	assert_verdict(c, INCOMPLETE);
}

static void unknown_cpus_are_incomplete(void **state)
{
	struct exam c = good();

	(void)state;
	c.knows_online = false;
	assert_verdict(c, INCOMPLETE);
	c.drift.error_ppb = 1000000;
	assert_verdict(c, DEGRADED);
}

static void one_cpu_needs_no_other(void **state)
{
	struct exam c = good();

	(void)state;
	c.n_cpus = c.n_pairs = 1;
	c.pairs_possible = 0;
	pairs[0] = (struct warp_pair){ 2, 2, .messages = 10 };
	assert_verdict(c, OK);
	pairs[0].backwards = 1;
	assert_verdict(c, BACKWARDS);
}

static void offset_is_direct_or_by_way_of_the_first(void **state)
{
	struct exam c = good();

	(void)state;
	assert_int_equal(exam_offset_ticks(&c), 9);
	c.n_pairs = 2;
	assert_int_equal(exam_offset_ticks(&c), 9 + 6);
	c.n_pairs = 1;
	assert_int_equal(exam_offset_ticks(&c), INT64_MAX);
}

/* ---- This machine, or a part of it ----------------------------------------------------------------------- */

/* Each pair takes time, so that the number of CPUs is limited: the machine has the first two that are ours. */
static struct cpus part;

/* The CPU that the kernel refuses to a thread; -1: none. */
static int refused_cpu = -1;

/* Replaces the command's: the list of online CPUs. */
void read_first_line(const char *path, char *ret, size_t size)
{
	size_t n = 0;

	assert_string_equal(path, "/sys/devices/system/cpu/online");
	for (int cpu = cpus_next(&part, -1); cpu >= 0; cpu = cpus_next(&part, cpu))
		n += (size_t)snprintf(ret + n, size - n, "%s%d", n ? "," : "", cpu);
}

/* Replaces the C library's, which the command calls for threads that wait. */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread;
	return refused_cpu >= 0 && CPU_ISSET_S((size_t)refused_cpu, size, set) && CPU_COUNT_S(size, set) == 1 ?
	       EINVAL : 0;
}

static void bind_to(const struct cpus *mask)
{
	assert_int_equal(sched_setaffinity(0, sizeof(mask->set), mask->set), 0);
}

/* False: there is one CPU alone. */
static bool take_two_cpus(struct cpus *ret_before)
{
	int first, second;

	assert_int_equal(cpus_of_thread(ret_before), 0);
	first = cpus_next(ret_before, -1);
	second = cpus_next(ret_before, first);
	part = (struct cpus){ 0 };
	cpus_add(&part, first);
	cpus_add(&part, second);
	refused_cpu = -1;
	return second >= 0;
}

static enum exam_verdict examine(hpt_clock *os, struct exam *c)
{
	assert_int_equal(exam_run(os, 200000000, c), 0);
	assert_true(c->duration_ns >= 200000000);
	assert_true(c->n_pairs <= c->pairs_possible + 1);
	assert_true(c->drift_allowed_ppb >= 1000000); /* NTP bends it */
	assert_true(c->knows_online);
	return exam_verdict(c);
}

/* The mask of this thread has one CPU, as where the others are isolated: all are examined, and the mask stays. */
static void all_online_cpus_are_examined_whatever_the_mask(void **state)
{
	struct cpus before, after, one = { 0 };
	enum exam_verdict verdict;
	struct exam c;
	hpt_clock *os;

	(void)state;
	take_two_cpus(&before);
	cpus_add(&one, cpus_next(&part, -1));
	bind_to(&one);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	do { /* until all were compared: busy CPUs may take longer */
		verdict = examine(os, &c);
		assert_int_equal(c.n_cpus, cpus_count(&part));
		assert_int_equal(c.cpus[0], cpus_next(&part, -1));
		assert_int_equal(c.pairs_possible, (uint64_t)c.n_cpus * (c.n_cpus - 1) / 2);
		exam_free(&c);
	} while (verdict == EXAM_INCOMPLETE);
	assert_int_equal(verdict, EXAM_OK);
	assert_int_equal(cpus_of_thread(&after), 0);
	assert_memory_equal(&after, &one, sizeof(one));
	bind_to(&before);
	hpt_clock_close(os);
}

static void cpu_that_is_refused_is_named(void **state)
{
	struct cpus before;
	struct exam c;
	hpt_clock *os;

	(void)state;
	if (!take_two_cpus(&before))
		leave_out("one CPU");
	refused_cpu = cpus_next(&part, cpus_next(&part, -1));
	/* It is online and outside of this thread's mask. */
	assert_int_equal(cpus_move_to(cpus_next(&part, -1)), 0);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(examine(os, &c), EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 1);
	assert_int_equal(c.n_left_out, 1);
	assert_int_equal(c.left_out[0].cpu, refused_cpu);
	assert_int_equal(c.left_out[0].error, -EINVAL);
	assert_int_equal(c.error, -EINVAL);
	assert_int_equal(c.error_cpu, refused_cpu);
	exam_free(&c);
	hpt_clock_close(os);
	bind_to(&before);
}

/* In a container the list of online CPUs may be another's. */
static void cpus_of_the_mask_are_examined_though_not_listed(void **state)
{
	struct cpus before;
	struct exam c;
	hpt_clock *os;

	(void)state;
	if (!take_two_cpus(&before))
		leave_out("one CPU");
	bind_to(&part);
	part = (struct cpus){ 0 };
	cpus_add(&part, CPUS_COUNT_MAX - 1);
	refused_cpu = CPUS_COUNT_MAX - 1;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(examine(os, &c), EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 2);
	assert_int_equal(c.left_out[0].cpu, refused_cpu);
	exam_free(&c);
	hpt_clock_close(os);
	bind_to(&before);
}

/* A CPU that passes the trial and then cannot be used is left out too, and costs its time once. */
static void cpu_that_fails_later_is_left_out(void **state)
{
	struct cpus before;
	struct exam c;
	hpt_clock *os;

	(void)state;
	assert_int_equal(cpus_of_thread(&before), 0);
	part = (struct cpus){ 0 };
	cpus_add(&part, cpus_next(&before, -1));
	cpus_add(&part, CPUS_COUNT_MAX - 1);
	refused_cpu = -1;
	assert_int_equal(cpus_move_to(cpus_next(&before, -1)), 0);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(exam_run(os, 200000000, &c), 0);
	assert_int_equal(exam_verdict(&c), EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 2);
	assert_int_equal(c.n_left_out, 1);
	assert_int_equal(c.left_out[0].cpu, CPUS_COUNT_MAX - 1);
	assert_int_equal(c.left_out[0].error, -EINVAL);
	exam_free(&c);
	hpt_clock_close(os);
	bind_to(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_in_order_is_ok),
		cmocka_unit_test(rate_beyond_bound_and_doubt_is_degraded),
		cmocka_unit_test(words_for_the_rate),
		cmocka_unit_test(clock_that_claims_nothing_is_degraded),
		cmocka_unit_test(state_and_generation_are_judged),
		cmocka_unit_test(one_step_back_outweighs_all),
		cmocka_unit_test(nothing_compared_is_incomplete),
		cmocka_unit_test(slow_messages_prove_nothing),
		cmocka_unit_test(every_cpu_must_be_compared_with_the_first),
		cmocka_unit_test(refused_cpu_is_incomplete),
		cmocka_unit_test(unknown_cpus_are_incomplete),
		cmocka_unit_test(one_cpu_needs_no_other),
		cmocka_unit_test(offset_is_direct_or_by_way_of_the_first),
		cmocka_unit_test(all_online_cpus_are_examined_whatever_the_mask),
		cmocka_unit_test(cpu_that_is_refused_is_named),
		cmocka_unit_test(cpus_of_the_mask_are_examined_though_not_listed),
		cmocka_unit_test(cpu_that_fails_later_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
