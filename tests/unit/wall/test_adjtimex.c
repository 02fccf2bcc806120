// SPDX-License-Identifier: MIT
/* The source KERNEL, with an adjtimex(2) that answers as the test wants. */
#include <limits.h>
#include <string.h>
#include <sys/timex.h>

#include "machine/live.h"
#include "realtime_world.h"

static struct timex kernel_tx;
static int kernel_state;
static uint32_t kernel_asked;
static void (*meanwhile)(void);

static int answer(struct timex *ret)
{
	kernel_asked++;
	if (meanwhile)
		meanwhile();
	if (kernel_state < 0)
		return kernel_state;
	*ret = kernel_tx;
	return kernel_state;
}

static int begin(void **state)
{
	fake_env_setup(state);
	utc_begin();
	utc_source = &hpt_wall_kernel;
	fake_env.adjtimex = answer;
	kernel_tx = (struct timex){ .maxerror = 2000, .esterror = 50, .status = STA_PLL };
	kernel_state = TIME_OK;
	kernel_asked = 0;
	meanwhile = NULL;
	set_realtime(1900000);
	return 0;
}

static void check_answer(void)
{
	check_bound(HPT_WALL_FLAG_CLAIMED);
	assert_false(reading.is_holdover);
}

static void check_width(int64_t ns)
{
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), ns, ns + 2000);
}

/* maxerror, 1 us that it is cut by, and 500 us that the next second adds. */
static void error_is_maxerror_and_what_it_lacks(void **state)
{
	static const int64_t ahead_ns[] = { 0, 2500000, -2500000 };

	(void)state;
	for (size_t i = 0; i < COUNT(ahead_ns); i++) {
		set_realtime(ahead_ns[i]);
		check_answer();
		check_width(5002000);
	}
	set_realtime(2510000);
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_false(holds_utc(&reading.sample)); /* the claim is as narrow as that */
}

/* Either maxerror is about CLOCK_REALTIME, or about what the offset brings it to. */
static void pending_offset_counts_one_way(void **state)
{
	static const struct { long offset; int status; int64_t ns; } rows[] = {
		{ 3000000, STA_NANO, 3000000 }, { -3000000, STA_NANO, -3000000 }, { 3000, 0, 3000000 },
		{ -3000, 0, -3000000 }, { 500000, 0, 500000000 }, { -500000000, STA_NANO, -500000000 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t middle_ns;

		begin(state);
		kernel_tx.offset = rows[i].offset;
		kernel_tx.status = STA_PLL | rows[i].status;
		check_answer();
		check_width(5002000 + (rows[i].ns < 0 ? -rows[i].ns : rows[i].ns));
		set_realtime(-rows[i].ns + 2490000);
		check_answer();
		set_realtime(-rows[i].ns - 2490000);
		check_answer();
		middle_ns = reading.sample.earliest_ns / 2 + reading.sample.latest_ns / 2 - utc_now();
		assert_true(middle_ns * rows[i].ns < 0 || middle_ns > -10000000);
	}
}

static void impossible_offsets(void **state)
{
	static const struct { long offset; int status; } rows[] = {
		{ 1000001, 0 }, { -1000001, 0 }, { 1000000001, STA_NANO }, { -1000000001, STA_NANO }, { LONG_MAX, 0 },
		{ LONG_MIN, STA_NANO },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		kernel_tx.offset = rows[i].offset;
		kernel_tx.status |= rows[i].status;
		check_refused(HPT_WALL_REASON_ABSURD, 0);
	}
}

static void zeros_are_refused_even_if_trusted(void **state)
{
	for (int trusted = 0; trusted < 2; trusted++) {
		begin(state);
		utc_config.trusted = trusted ? HPT_WALL_SOURCE_KERNEL : 0;
		kernel_tx.maxerror = 0;
		check_refused(HPT_WALL_REASON_ZERO_ERROR, 0);
		kernel_tx.esterror = 0;
		check_refused(HPT_WALL_REASON_ZERO_ERROR, 0);
		kernel_tx.maxerror = 2000;
		check_refused(HPT_WALL_REASON_ZERO_ERROR, 0);
		kernel_tx.esterror = -1;
		check_refused(HPT_WALL_REASON_ABSURD, 0);
		kernel_tx.esterror = 1;
		check_answer();
		kernel_tx.maxerror = -1;
		check_refused(HPT_WALL_REASON_ABSURD, 0);
	}
}

static void what_ntpd_states_as_it_starts_is_refused(void **state)
{
	begin(state);
	utc_config.trusted = HPT_WALL_SOURCE_KERNEL;
	kernel_tx.esterror = kernel_tx.maxerror = 16;
	check_refused(HPT_WALL_REASON_NO_BOUND, 0);
	kernel_tx.maxerror = 16 + 44 * 500;
	check_refused(HPT_WALL_REASON_NO_BOUND, 0);
	kernel_tx.maxerror++;
	check_answer();
	kernel_tx.maxerror--;
	kernel_tx.esterror++;
	check_answer();
}

/* chronyd without rtcsync: its maxerror is good, and STA_UNSYNC set. */
static void unsynchronised_only_if_trusted(void **state)
{
	begin(state);
	kernel_tx.status |= STA_UNSYNC;
	kernel_state = TIME_ERROR;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	utc_config.trusted = HPT_WALL_SOURCE_CHRONY;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	utc_config.trusted = HPT_WALL_SOURCE_KERNEL;
	check_answer();
	assert_int_equal(reading.leap, HPT_WALL_LEAP_UNKNOWN);
	kernel_tx.maxerror = 15999999;
	check_answer();
	kernel_tx.maxerror = 16000000;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	kernel_tx.maxerror = 2000;
	kernel_tx.status = STA_PLL; /* TIME_ERROR for another cause: a PPS signal that is gone */
	check_answer();
	utc_config.trusted = 0;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	kernel_state = TIME_OK;
	kernel_tx.status |= STA_UNSYNC;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	kernel_tx.status = STA_PLL | STA_CLOCKERR;
	utc_config.trusted = HPT_WALL_SOURCE_KERNEL;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	kernel_tx.status = STA_PLL;
	check_answer();
	kernel_tx.maxerror = 16000000;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
}

static void leap_seconds(void **state)
{
	static const struct { int state, status; enum hpt_wall_leap leap; } rows[] = {
		{ TIME_OK, 0, HPT_WALL_LEAP_ABSENT }, { TIME_INS, STA_INS, HPT_WALL_LEAP_INSERTED },
		{ TIME_DEL, STA_DEL, HPT_WALL_LEAP_LEFT_OUT }, { TIME_OK, STA_INS, HPT_WALL_LEAP_INSERTED },
		{ TIME_OK, STA_DEL, HPT_WALL_LEAP_LEFT_OUT }, { TIME_INS, 0, HPT_WALL_LEAP_INSERTED },
		{ TIME_DEL, 0, HPT_WALL_LEAP_LEFT_OUT }, { TIME_WAIT, STA_INS, HPT_WALL_LEAP_ABSENT },
		{ TIME_WAIT, STA_DEL, HPT_WALL_LEAP_ABSENT }, { TIME_WAIT, 0, HPT_WALL_LEAP_ABSENT },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		kernel_state = rows[i].state;
		kernel_tx.status |= rows[i].status;
		check_answer();
		assert_int_equal(reading.leap, rows[i].leap);
	}
	begin(state);
	kernel_state = TIME_OOP;
	kernel_tx.status |= STA_INS;
	check_refused(HPT_WALL_REASON_LEAP, 0);
	/* Is it past? */
	utc_config.trusted = HPT_WALL_SOURCE_KERNEL;
	kernel_state = TIME_ERROR;
	check_refused(HPT_WALL_REASON_LEAP, 0);
	kernel_tx.status ^= STA_INS | STA_DEL;
	check_refused(HPT_WALL_REASON_LEAP, 0);
}

static void tai(void **state)
{
	static const struct { int tai, found; } rows[] = { { 0, 0 }, { 37, 37 }, { 10, 10 }, { 9, 0 }, { -37, 0 },
							   { 255, 255 }, { 256, 0 }, { INT32_MIN, 0 } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		kernel_tx.tai = rows[i].tai;
		check_answer();
		assert_int_equal(reading.tai_offset_s, rows[i].found);
	}
}

static void step(void)
{
	world.realtime_offset_ns += 1000000;
}

static void slew(void)
{
	pass_ns(100000);
	fake_world_slew(&world.wall, 83333000);
	pass_ns(100000);
}

static void clock_that_moves_meanwhile(void **state)
{
	(void)state;
	meanwhile = slew;
	check_answer();
	check_width(5002000 + 27000);
	meanwhile = step;
	check_refused(HPT_WALL_REASON_STEPPED, 0);
}

static void refuse_clocks(void)
{
	fake.refused_clocks = 1u << CLOCK_MONOTONIC_RAW;
}

static void refusals(void **state)
{
	static const struct { int result; uint32_t reason; } rows[] = {
		{ -EPERM, HPT_WALL_REASON_DENIED }, { -EACCES, HPT_WALL_REASON_DENIED },
		{ -ENOSYS, HPT_WALL_REASON_FAILED }, { -EFAULT, HPT_WALL_REASON_FAILED },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		kernel_state = rows[i].result;
		check_refused(rows[i].reason, -rows[i].result);
	}
	begin(state);
	meanwhile = refuse_clocks;
	check_refused(HPT_WALL_REASON_FAILED, EPERM);
	begin(state);
	fake.refused_clocks = 1u << CLOCK_REALTIME;
	check_refused(HPT_WALL_REASON_FAILED, EPERM);
	assert_int_equal(kernel_asked, 0);
	begin(state);
	fake_env.adjtimex = NULL;
	check_refused(HPT_WALL_REASON_FAILED, ENOSYS);
}

static void manual_clock_has_nothing_to_do_with_it(void **state)
{
	struct hpt_wall_ask a = utc_ask();

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000, 0, 0, &a.clk), 0);
	assert_int_equal(hpt_wall_kernel.ask(&a, &reading), HPT_WALL_REASON_OTHER_COUNTER);
	assert_int_equal(kernel_asked, 0);
	hpt_clock_close(a.clk);
}

static void is_used_on_request(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_kernel.id, HPT_WALL_SOURCE_KERNEL);
	assert_true(hpt_wall_kernel.is_on_request);
	assert_null(hpt_wall_kernel.path);
}

static void random_fields(void)
{
	kernel_tx.maxerror = (long)random_magnitude() * (random_below(8) ? 1 : -1);
	kernel_tx.esterror = (long)random_magnitude() * (random_below(8) ? 1 : -1);
	kernel_tx.offset = (long)random_u64() >> random_below(64);
	kernel_tx.status = (int)random_u64();
	kernel_tx.tai = (int)random_magnitude();
	kernel_state = random_below(2) ? TIME_OK : (int)random_below(7);
}

/* No field leads to an interval that is not one, or that is of years that walls do not know. */
static void random_answers(void **state)
{
	uint32_t accepted = 0;

	begin(state);
	for (int i = 0; i < rounds(300000); i++) {
		utc_config.trusted = (uint32_t)random_u64();
		random_fields();
		if (ask())
			continue;
		accepted++;
		assert_true(kernel_tx.maxerror > 0 && kernel_tx.esterror > 0);
		assert_true(reading.sample.earliest_ns >= 0 && reading.sample.latest_ns > reading.sample.earliest_ns);
		assert_true(reading.sample.latest_ns < HPT_WALL_MOST_NS);
		assert_true((reading.sample.latest_ns - reading.sample.earliest_ns) / 2000 >= kernel_tx.maxerror);
	}
	note("%u of %d accepted", accepted, rounds(300000));
	assert_true(accepted > 0);
}

/* This machine's kernel, asked without a privilege. Whatever it answers, it is one of those. */
static void live_kernel_answers(void **state)
{
	struct timex before, after;
	struct hpt_wall_ask a = utc_ask();
	uint32_t reason;
	int r;

	(void)state;
	a.clk = hpt_clock_default();
	r = hpt_env_live.adjtimex(&before);
	note("adjtimex: %d, status %#x, maxerror %ld us", r, (unsigned)before.status, (long)before.maxerror);
	if (r < 0)
		leave_out("adjtimex(2) is denied");
	assert_true(r <= TIME_ERROR);
	assert_true(before.tick > 0 && before.tolerance > 0);
	assert_true(hpt_env_live.adjtimex(&after) >= 0);
	assert_int_equal(before.tolerance, after.tolerance);
	reason = hpt_wall_kernel.ask(&a, &reading);
	if (reason)
		assert_true(reason == HPT_WALL_REASON_UNSYNCED || reason == HPT_WALL_REASON_ZERO_ERROR ||
			    reason == HPT_WALL_REASON_STEPPED || reason == HPT_WALL_REASON_LEAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(error_is_maxerror_and_what_it_lacks, begin),
		cmocka_unit_test_setup(pending_offset_counts_one_way, begin),
		cmocka_unit_test_setup(impossible_offsets, begin),
		cmocka_unit_test_setup(zeros_are_refused_even_if_trusted, begin),
		cmocka_unit_test_setup(what_ntpd_states_as_it_starts_is_refused, begin),
		cmocka_unit_test_setup(unsynchronised_only_if_trusted, begin),
		cmocka_unit_test_setup(leap_seconds, begin),
		cmocka_unit_test_setup(tai, begin),
		cmocka_unit_test_setup(clock_that_moves_meanwhile, begin),
		cmocka_unit_test_setup(refusals, begin),
		cmocka_unit_test_setup(manual_clock_has_nothing_to_do_with_it, begin),
		cmocka_unit_test_setup(is_used_on_request, begin),
		cmocka_unit_test_setup(random_answers, begin),
		cmocka_unit_test_setup(live_kernel_answers, begin),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
