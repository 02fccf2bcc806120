// SPDX-License-Identifier: MIT
/* The verdict on a clock: every finding alone and combined with the others; and an examination on this machine. */
#include <errno.h>
#include <pthread.h>

#include "unit.h"

#include "../../tools/cli/cpus.h"
#include "../../tools/check/exam.h"
#include "../../tools/cli/util.h"

/* Three CPUs, all compared: the uncertainty is 10 to 14 ticks. */
static struct hpt_warp_pair pairs[3];
static int cpus[3] = { 2, 5, 7 };

static struct hpt_exam good(void)
{
	pairs[0] = (struct hpt_warp_pair){ 2, 5, .messages = 10, .least_ticks = -4, .most_ticks = 6 };
	pairs[1] = (struct hpt_warp_pair){ 2, 7, .messages = 10, .least_ticks = -9, .most_ticks = 5 };
	pairs[2] = (struct hpt_warp_pair){ 5, 7, .messages = 10, .least_ticks = -3, .most_ticks = 7 };
	return (struct hpt_exam){
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

#define assert_verdict(check, verdict) assert_int_equal(hpt_exam_verdict(&(check)), HPT_EXAM_##verdict)

static void all_in_order_is_ok(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	assert_verdict(c, OK);
}

static void rate_beyond_bound_and_doubt_is_degraded(void **state)
{
	struct hpt_exam c = good();

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
	static const struct { int64_t error; uint64_t doubt; enum hpt_exam_rate rate; } rows[] = {
		{ 50, 50, HPT_EXAM_RATE_WITHIN }, { -50, 50, HPT_EXAM_RATE_WITHIN },
		{ 0, 100, HPT_EXAM_RATE_WITHIN }, { 51, 50, HPT_EXAM_RATE_CONSISTENT },
		{ 150, 50, HPT_EXAM_RATE_CONSISTENT }, { -151, 50, HPT_EXAM_RATE_OUTSIDE },
		{ 0, 101, HPT_EXAM_RATE_INCONCLUSIVE }, { -201, 101, HPT_EXAM_RATE_INCONCLUSIVE },
		{ 202, 101, HPT_EXAM_RATE_OUTSIDE },
	};
	struct hpt_exam c = good();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.drift.error_ppb = rows[i].error;
		c.drift.uncertainty_ppb = rows[i].doubt;
		assert_int_equal(hpt_exam_rate(&c), rows[i].rate);
		assert_int_equal(hpt_exam_rate_ok(&c), rows[i].rate != HPT_EXAM_RATE_OUTSIDE);
	}
	c.drift_allowed_ppb = UINT32_MAX;
	assert_int_equal(hpt_exam_rate(&c), HPT_EXAM_RATE_UNKNOWN);
}

static void clock_that_claims_nothing_is_degraded(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	c.drift_allowed_ppb = UINT32_MAX;
	assert_verdict(c, DEGRADED);
	c = good();
	c.drift.raw_ns = 0; /* the reference stood still */
	assert_verdict(c, DEGRADED);
}

static void state_and_generation_are_judged(void **state)
{
	struct hpt_exam c = good();

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
	struct hpt_exam c = good();

	(void)state;
	c.after.generation = 8;
	c.drift.error_ppb = 1000000;
	pairs[1].backwards = 1;
	assert_verdict(c, BACKWARDS);
}

static void nothing_compared_is_incomplete(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	c.n_pairs = 0;
	assert_verdict(c, INCOMPLETE);
}

/* A message between CPUs that never ran at the same time takes milliseconds: it would hide a skew of that size. */
static void slow_messages_prove_nothing(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	pairs[1].most_ticks = 10; /* 19 left open */
	assert_verdict(c, OK);
	pairs[1].most_ticks = 11;
	assert_int_equal(hpt_exam_compared(&c), 2);
	assert_verdict(c, INCOMPLETE);
	c.drift.error_ppb = 1000000; /* a finding is still reported */
	assert_verdict(c, DEGRADED);
	c.drift.error_ppb = 0;
	pairs[1].backwards = 1; /* a step back counts, however slow the message was */
	assert_int_equal(hpt_exam_compared(&c), 3);
	assert_verdict(c, BACKWARDS);
}

static void every_cpu_must_be_compared_with_the_first(void **state)
{
	struct hpt_exam c = good();

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
	struct hpt_exam c = good();

	(void)state;
	c.error = -EINVAL;
	assert_verdict(c, INCOMPLETE);
}

static void unknown_cpus_are_incomplete(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	c.knows_online = false;
	assert_verdict(c, INCOMPLETE);
	c.drift.error_ppb = 1000000;
	assert_verdict(c, DEGRADED);
}

static void one_cpu_needs_no_other(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	c.n_cpus = c.n_pairs = 1;
	c.pairs_possible = 0;
	pairs[0] = (struct hpt_warp_pair){ 2, 2, .messages = 10 };
	assert_verdict(c, OK);
	pairs[0].backwards = 1;
	assert_verdict(c, BACKWARDS);
}

static void offset_is_direct_or_by_way_of_the_first(void **state)
{
	struct hpt_exam c = good();

	(void)state;
	assert_int_equal(hpt_exam_offset_ticks(&c), 9);
	c.n_pairs = 2;
	assert_int_equal(hpt_exam_offset_ticks(&c), 9 + 6);
	c.n_pairs = 1;
	assert_int_equal(hpt_exam_offset_ticks(&c), INT64_MAX);
}

/* ---- This machine, or a part of it ----------------------------------------------------------------------- */

/* Each pair takes time, so that the number of CPUs is limited: the machine has the first two that are ours. */
static struct hpt_cpus part;

/* The CPU that the kernel refuses to a thread; -1: none. */
static int refused_cpu = -1;

/* Replaces the command's: the list of online CPUs. */
void hpt_read_line(const char *path, char *ret, size_t size)
{
	size_t n = 0;

	assert_string_equal(path, "/sys/devices/system/cpu/online");
	for (int cpu = hpt_cpus_next(&part, -1); cpu >= 0; cpu = hpt_cpus_next(&part, cpu))
		n += (size_t)snprintf(ret + n, size - n, "%s%d", n ? "," : "", cpu);
}

/* Replaces the C library's, which the command calls for threads that wait. */
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread;
	return refused_cpu >= 0 && CPU_ISSET_S((size_t)refused_cpu, size, set) && CPU_COUNT_S(size, set) == 1 ?
	       EINVAL : 0;
}

static void bind_to(const struct hpt_cpus *mask)
{
	assert_int_equal(sched_setaffinity(0, sizeof(mask->set), mask->set), 0);
}

/* False: there is one CPU alone. */
static bool take_two_cpus(struct hpt_cpus *ret_before)
{
	int first, second;

	assert_int_equal(hpt_cpus_of_thread(ret_before), 0);
	first = hpt_cpus_next(ret_before, -1);
	second = hpt_cpus_next(ret_before, first);
	part = (struct hpt_cpus){ 0 };
	hpt_cpus_add(&part, first);
	hpt_cpus_add(&part, second);
	refused_cpu = -1;
	return second >= 0;
}

static enum hpt_exam_verdict examine(hpt_clock *os, struct hpt_exam *c)
{
	assert_int_equal(hpt_exam_run(os, 200000000, c), 0);
	assert_true(c->duration_ns >= 200000000);
	assert_true(c->n_pairs <= c->pairs_possible + 1);
	assert_true(c->drift_allowed_ppb >= 1000000); /* NTP bends it */
	assert_true(c->knows_online);
	return hpt_exam_verdict(c);
}

/* The mask of this thread has one CPU, as where the others are isolated: all are examined, and the mask stays. */
static void all_online_cpus_are_examined_whatever_the_mask(void **state)
{
	struct hpt_cpus before, after, one = { 0 };
	enum hpt_exam_verdict verdict;
	struct hpt_exam c;
	hpt_clock *os;

	(void)state;
	take_two_cpus(&before);
	hpt_cpus_add(&one, hpt_cpus_next(&part, -1));
	bind_to(&one);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	do { /* until all were compared: busy CPUs may take longer */
		verdict = examine(os, &c);
		assert_int_equal(c.n_cpus, hpt_cpus_count(&part));
		assert_int_equal(c.cpus[0], hpt_cpus_next(&part, -1));
		assert_int_equal(c.pairs_possible, (uint64_t)c.n_cpus * (c.n_cpus - 1) / 2);
		hpt_exam_free(&c);
	} while (verdict == HPT_EXAM_INCOMPLETE);
	assert_int_equal(verdict, HPT_EXAM_OK);
	assert_int_equal(hpt_cpus_of_thread(&after), 0);
	assert_memory_equal(&after, &one, sizeof(one));
	bind_to(&before);
	hpt_clock_close(os);
}

static void cpu_that_is_refused_is_named(void **state)
{
	struct hpt_cpus before;
	struct hpt_exam c;
	hpt_clock *os;

	(void)state;
	if (!take_two_cpus(&before))
		leave_out("one CPU");
	refused_cpu = hpt_cpus_next(&part, hpt_cpus_next(&part, -1));
	/* It is online and outside of this thread's mask. */
	assert_int_equal(hpt_cpus_move_to(hpt_cpus_next(&part, -1)), 0);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(examine(os, &c), HPT_EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 1);
	assert_int_equal(c.n_left_out, 1);
	assert_int_equal(c.left_out[0].cpu, refused_cpu);
	assert_int_equal(c.left_out[0].error, -EINVAL);
	assert_int_equal(c.error, -EINVAL);
	assert_int_equal(c.error_cpu, refused_cpu);
	hpt_exam_free(&c);
	hpt_clock_close(os);
	bind_to(&before);
}

/* In a container the list of online CPUs may be another's. */
static void cpus_of_the_mask_are_examined_though_not_listed(void **state)
{
	struct hpt_cpus before;
	struct hpt_exam c;
	hpt_clock *os;

	(void)state;
	if (!take_two_cpus(&before))
		leave_out("one CPU");
	bind_to(&part);
	part = (struct hpt_cpus){ 0 };
	hpt_cpus_add(&part, HPT_CPUS_MAX - 1);
	refused_cpu = HPT_CPUS_MAX - 1;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(examine(os, &c), HPT_EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 2);
	assert_int_equal(c.left_out[0].cpu, refused_cpu);
	hpt_exam_free(&c);
	hpt_clock_close(os);
	bind_to(&before);
}

/* A CPU that passes the trial and then cannot be used is left out too, and costs its time once. */
static void cpu_that_fails_later_is_left_out(void **state)
{
	struct hpt_cpus before;
	struct hpt_exam c;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_cpus_of_thread(&before), 0);
	part = (struct hpt_cpus){ 0 };
	hpt_cpus_add(&part, hpt_cpus_next(&before, -1));
	hpt_cpus_add(&part, HPT_CPUS_MAX - 1);
	refused_cpu = -1;
	assert_int_equal(hpt_cpus_move_to(hpt_cpus_next(&before, -1)), 0);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_exam_run(os, 200000000, &c), 0);
	assert_int_equal(hpt_exam_verdict(&c), HPT_EXAM_INCOMPLETE);
	assert_int_equal(c.n_cpus, 2);
	assert_int_equal(c.n_left_out, 1);
	assert_int_equal(c.left_out[0].cpu, HPT_CPUS_MAX - 1);
	assert_int_equal(c.left_out[0].error, -EINVAL);
	hpt_exam_free(&c);
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
