// SPDX-License-Identifier: MIT
/* The source CHRONY: which of chronyd's sources are asked for, and which of them count. */
#include "chrony_world.h"

static void age_it(void)
{
	chronyd.sources[0].since_s = 99;
}

/* If there are more sources than were asked for, what the next exchange says of all of them counts. */
static void first_exchange_does_not_count(void **state)
{
	(void)state;
	chronyd.n_sources = 3;
	chronyd.spoil = age_it;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.n_measured, 3);
	assert_true(reading.measured[0].age_ns >= 99 * NS_PER_S);
}

/* Of two with one address only the first counts, and those after them are asked for. */
static void sources_with_one_address(void **state)
{
	(void)state;
	chronyd.n_sources = 5;
	for (uint32_t i = 1; i < 4; i++)
		chronyd.sources[i].address = chronyd.sources[0].address;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.n_measured, 2);
}

/* Of each number of sources as many as fit, in one exchange if there are as many as before, at most two else. */
static void each_source_is_asked(void **state)
{
	static const uint32_t numbers[] = { 1, 4, 4, 1, 8, 8, 12, 0, 7, 7, 0, 2 };

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		uint32_t asked = chronyd.asked, before = utc_expected;

		chronyd.n_sources = numbers[i];
		chronyd.is_reversed = random_below(2);
		if (numbers[i])
			check_answer();
		else
			check_refused(HPT_WALL_REASON_NO_BOUND, 0);
		assert_int_equal(chronyd.asked - asked, numbers[i] > before && before < 7 ? 2 : 1);
		assert_in_range(chronyd.n, 3, 10);
		for (uint32_t k = 0; k < reading.n_measured; k++)
			for (uint32_t j = 0; j < k; j++)
				assert_int_not_equal(reading.measured[j].key, reading.measured[k].key);
	}
}

/* Of as many as is usual the first question finds all. */
static void first_question_asks_some(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 6; n++) {
		uint32_t asked = chronyd.asked;

		utc_expected = 0;
		chronyd.n_sources = n;
		check_answer();
		assert_int_equal(chronyd.asked - asked, n <= 4 ? 1 : 2);
	}
}

/* Hundreds of them, or the same one twice: what cannot be told apart counts once. */
static void sources_that_look_alike_count_once(void **state)
{
	(void)state;
	chronyd.n_sources = 5;
	chronyd.sources[3].address = chronyd.sources[1].address;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.n_measured, 4);
	/* A reference clock's name may look like an address. */
	chronyd.sources[3].mode = 2;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.n_measured, 5);
}

/* A pool whose name is not found has places for what it may become. */
static void one_that_counts_is_found_after_those_that_do_not(void **state)
{
	uint32_t asked;

	(void)state;
	for (uint32_t at = 0; at < SOURCES_MOST; at++) {
		chronyd.n_sources = at + 1;
		utc_expected = at < 8 ? at + 1 : 8;
		for (uint32_t i = 0; i < at; i++)
			chronyd.sources[i].state = 1;
		chronyd.sources[at].state = 0;
		chronyd.ref_address = chronyd.sources[at].address;
		for (int again = 0; again < 2; again++) {
			asked = chronyd.asked;
			assert_int_equal(ask(), HPT_WALL_REASON_NONE);
			assert_int_equal(chronyd.asked - asked, at < 32 ? at / 8 + 1 : 4);
			assert_int_equal(reading.n_measured, at < 32 ? at % 8 + 1 : 8);
			assert_int_equal(reading.measured[reading.n_measured - 1].reason,
					 at < 32 ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_UNSYNCED);
		}
	}
	/* There are no more, and what is known of the others counts. */
	for (uint32_t i = 0; i < 8; i++)
		chronyd.sources[i].state = 2;
	chronyd.n_sources = 8;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.n_measured, 8);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_CONTRADICTED);
	chronyd.n_sources = 7;
	asked = chronyd.asked;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(chronyd.asked - asked, 1);
	/* While it is not synchronised there is nothing to look for. */
	chronyd.n_sources = SOURCES_MOST;
	chronyd.leap = 3;
	asked = chronyd.asked;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	assert_int_equal(chronyd.asked - asked, 1);
}

static void later_ones(void)
{
	if (chronyd.n > 2 && get_32(chronyd.replies[1] + 28) >> 24 > 8)
		chronyd.lengths[1] = 27;
}

static void answers_of_later_ones_are_asked_for_again(void **state)
{
	uint32_t asked = chronyd.asked;

	(void)state;
	chronyd.n_sources = 9;
	utc_expected = 8;
	for (uint32_t i = 0; i < 8; i++)
		chronyd.sources[i].state = 1;
	chronyd.spoil = later_ones;
	check_refused(HPT_WALL_REASON_FORMAT, 0);
	assert_int_equal(chronyd.asked - asked, 6);
}

static void what_chronyd_does_not_select_from_does_not_count(void **state)
{
	static const struct { uint16_t state; uint32_t reason; } rows[] = {
		{ 0, HPT_WALL_REASON_NONE }, { 1, HPT_WALL_REASON_UNSYNCED }, { 2, HPT_WALL_REASON_CONTRADICTED },
		{ 3, HPT_WALL_REASON_UNSYNCED }, { 4, HPT_WALL_REASON_NONE }, { 5, HPT_WALL_REASON_NONE },
		{ 6, HPT_WALL_REASON_UNSYNCED }, { 65535, HPT_WALL_REASON_UNSYNCED },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		chronyd.sources[0].state = rows[i].state;
		assert_int_equal(ask(), HPT_WALL_REASON_NONE);
		assert_int_equal(reading.measured[0].reason, rows[i].reason);
		assert_true(reading.measured[0].number);
	}
}

/* What chronyd went by when all fell silent counts on. Of the others it is not known which are falsetickers. */
static void silent_reference_counts(void **state)
{
	(void)state;
	chronyd.n_sources = utc_expected = 2;
	for (uint32_t i = 0; i < 2; i++) {
		chronyd.sources[i].state = 1;
		chronyd.sources[i].reached = 0;
	}
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[1].reason, HPT_WALL_REASON_UNSYNCED);
	chronyd.sources[0].reached = 1;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_UNSYNCED);
	chronyd.sources[0].reached = 0;
	chronyd.sources[0].state = 3; /* its measurements vary too much */
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_UNSYNCED);
	chronyd.sources[0].state = 2;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_CONTRADICTED);
	chronyd.sources[0].state = 1;
	chronyd.ref_family = 2;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_UNSYNCED);
}

/* It is reported by its ID, as if that were an IPv4 address. Of its delay is still known what was stated. */
static void silent_reference_clock_counts(void **state)
{
	(void)state;
	chronyd.sources[0].mode = 2;
	chronyd.sources[0].state = 1;
	chronyd.sources[0].reached = 0;
	chronyd.sources[0].error_s = 10e-3;
	chronyd.delay_s = 20e-3;
	chronyd.ref_family = chronyd.ref_address = 0;
	chronyd.ref_id = 0x01000000;
	check_answer();
	chronyd.ref_id = 0x02000000;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_UNSYNCED);
}

static void reference_clock_has_no_bound_unless_its_error_is_known(void **state)
{
	const struct hpt_measured *m = &reading.measured[0];

	(void)state;
	chronyd.sources[0].mode = 2;
	chronyd.sources[0].error_s = 1e-6;
	chronyd.sources[0].wrong_s = 5e-3;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(m->reason, HPT_WALL_REASON_NO_BOUND);
	utc_config.chrony_refclock_error_ns = 5000000;
	check_answer();
	assert_in_range((uint64_t)(m->off_hi_ns - m->off_lo_ns), 10002000, 10002010);
	/* chronyd was told a delay, of which half is in what it states: known of the source that it has selected. */
	utc_config.chrony_refclock_error_ns = 0;
	chronyd.sources[0].error_s = 10e-3;
	chronyd.delay_s = 20e-3;
	check_answer();
	assert_in_range((uint64_t)(m->off_hi_ns - m->off_lo_ns), 20000000, 20020010);
	chronyd.sources[0].state = 4;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(m->reason, HPT_WALL_REASON_NO_BOUND);
	chronyd.sources[0].state = 0;
	chronyd.ref_address = 9; /* of a source that it still goes by */
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(m->reason, HPT_WALL_REASON_NO_BOUND);
	chronyd.ref_address = 1;
	chronyd.delay_s = 900e-9;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(m->reason, HPT_WALL_REASON_NO_BOUND);
	chronyd.sources[0].error_s = 1e-6;
	utc_config.chrony_refclock_error_ns = 5000000;
	/* A peer's exchange takes long, and its error does not say so. */
	chronyd.sources[0].mode = 1;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(m->reason, HPT_WALL_REASON_NO_BOUND);
	/* It is said of reference clocks alone. */
	chronyd.sources[0].mode = 0;
	chronyd.sources[0].wrong_s = 0;
	check_answer();
	assert_in_range((uint64_t)(m->off_hi_ns - m->off_lo_ns), 2000, 2010);
}

/* Before the first measurement, and just after it. */
static void errors_that_are_no_bound(void **state)
{
	static const double errors_s[] = { 0, -1e-3, 16.1, 3849, 1e18 };

	(void)state;
	for (size_t i = 0; i < COUNT(errors_s); i++) {
		chronyd.sources[0].error_s = errors_s[i];
		assert_int_equal(ask(), HPT_WALL_REASON_NONE);
		assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_NO_BOUND);
	}
	chronyd.sources[0].error_s = 15.9;
	check_answer();
	chronyd.sources[0].since_s = UINT32_MAX;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_NO_BOUND);
	assert_int_equal(reading.measured[0].number, 0);
	/* It is in the future of a clock that was set back. */
	chronyd.sources[0].since_s = UINT32_MAX - 10;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_STEPPED);
	chronyd.sources[0].since_s = INT32_MAX;
	check_answer();
	chronyd.sources[0].since_s = 5;
	chronyd.sources[0].moved_s = 1e18;
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(reading.measured[0].reason, HPT_WALL_REASON_ABSURD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(first_exchange_does_not_count, begin),
		cmocka_unit_test_setup(sources_with_one_address, begin),
		cmocka_unit_test_setup(each_source_is_asked, begin),
		cmocka_unit_test_setup(first_question_asks_some, begin),
		cmocka_unit_test_setup(sources_that_look_alike_count_once, begin),
		cmocka_unit_test_setup(one_that_counts_is_found_after_those_that_do_not, begin),
		cmocka_unit_test_setup(answers_of_later_ones_are_asked_for_again, begin),
		cmocka_unit_test_setup(what_chronyd_does_not_select_from_does_not_count, begin),
		cmocka_unit_test_setup(silent_reference_counts, begin),
		cmocka_unit_test_setup(silent_reference_clock_counts, begin),
		cmocka_unit_test_setup(reference_clock_has_no_bound_unless_its_error_is_known, begin),
		cmocka_unit_test_setup(errors_that_are_no_bound, begin),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
