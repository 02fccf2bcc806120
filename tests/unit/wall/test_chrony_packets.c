// SPDX-License-Identifier: MIT
/* The source CHRONY: questions and replies, and those that are lost, late, foreign, torn or refused. */
#include "chrony_world.h"

/* How its clock stands, a source, and that no more follow; the last reply is as the first. */
enum { FIRST, SOURCE, ABSENT, LAST };

static uint32_t spoiled_reply, spoiled_at, spoiled_by;

static void spoil_byte(void)
{
	chronyd.replies[spoiled_reply][spoiled_at] ^= (uint8_t)spoiled_by;
}

static int wrong_length;

static void spoil_length(void)
{
	chronyd.lengths[spoiled_reply] = wrong_length;
}

/* Headers that no answer to this question has. Each is asked for three times. */
static void foreign_replies(void **state)
{
	static const uint8_t places[] = { 1, 2, 3, 4, 5, 16, 17, 18, 19 };

	for (size_t i = 0; i < 4 * COUNT(places); i++) {
		begin(state);
		spoiled_reply = (uint32_t)(i % 4);
		spoiled_at = places[i / 4];
		spoiled_by = 1u << random_below(8);
		chronyd.spoil = spoil_byte;
		check_refused(HPT_WALL_REASON_FORMAT, 0);
		assert_int_equal(chronyd.asked, 3);
	}
}

static void other_versions_and_statuses(void **state)
{
	static const uint16_t denied[] = { 2, 10 }, failed[] = { 1, 3, 6, 18, 19, 999 };

	for (size_t i = 0; i < COUNT(denied); i++) {
		begin(state);
		chronyd.status = denied[i];
		check_refused(HPT_WALL_REASON_DENIED, 0);
		chronyd.spoil = spoil_length;
		for (spoiled_reply = FIRST,
		     wrong_length = 28; spoiled_reply <= LAST; spoiled_reply++) /* without data */
			check_refused(HPT_WALL_REASON_DENIED, 0);
	}
	for (size_t i = 0; i < COUNT(failed); i++) {
		begin(state);
		chronyd.status = failed[i];
		check_refused(HPT_WALL_REASON_FORMAT, 0);
	}
	for (int i = 0; i < 9; i++) { /* version, and format of each reply */
		begin(state);
		spoiled_reply = i % 3 == 2 ? LAST : (uint32_t)i % 3;
		spoiled_at = i < 3 ? 0 : i < 6 ? 6 : 7;
		spoiled_by = 8;
		chronyd.spoil = spoil_byte;
		check_refused(HPT_WALL_REASON_FORMAT, 0);
	}
}

static void every_wrong_length(void **state)
{
	begin(state);
	chronyd.spoil = spoil_length;
	for (spoiled_reply = FIRST; spoiled_reply <= LAST; spoiled_reply += spoiled_reply == SOURCE ? 2 : 1) {
		int right = spoiled_reply == SOURCE ? 76 : LENGTH;

		for (wrong_length = 0; wrong_length < 200; wrong_length++) {
			if (wrong_length == right)
				check_answer();
			else
				check_refused(HPT_WALL_REASON_FORMAT, 0);
		}
		wrong_length = 65000;
		check_refused(HPT_WALL_REASON_FORMAT, 0);
	}
}

/* A header that is cut off says nothing: not even that chronyd refuses to answer, or that there is no such source. */
static void short_header(void **state)
{
	begin(state);
	chronyd.spoil = spoil_length;
	chronyd.status = 2;
	spoiled_reply = FIRST;
	for (wrong_length = 0; wrong_length < 28; wrong_length++)
		check_refused(HPT_WALL_REASON_FORMAT, 0);
	check_refused(HPT_WALL_REASON_DENIED, 0);
	chronyd.status = 0;
	for (spoiled_reply = ABSENT, wrong_length = 0; wrong_length < 28; wrong_length++)
		check_refused(HPT_WALL_REASON_FORMAT, 0);
	check_answer();
}

static void lost_and_stale_replies_are_asked_for_again(void **state)
{
	for (uint32_t right = 2; right <= 3; right++) {
		begin(state);
		chronyd.result = -ETIMEDOUT;
		chronyd.right_from = right;
		check_answer();
		assert_int_equal(chronyd.asked, right);
		begin(state);
		chronyd.sequence_off = 1;
		chronyd.right_from = right;
		check_answer();
		assert_int_equal(chronyd.asked, right);
		assert_int_not_equal(chronyd.sequences[0], chronyd.sequences[1]);
	}
}

static void silence_ends_within_a_tenth_of_a_second(void **state)
{
	int64_t sum_ns = 0;

	(void)state;
	chronyd.result = -ETIMEDOUT;
	check_refused(HPT_WALL_REASON_NO_ANSWER, ETIMEDOUT);
	for (uint32_t i = 0; i < chronyd.asked; i++)
		sum_ns += chronyd.timeouts_ns[i];
	assert_true(chronyd.asked > 1 && sum_ns <= 100000000);
}

static void refusals(void **state)
{
	static const struct { int result; uint32_t reason; } rows[] = {
		{ -ECONNREFUSED, HPT_WALL_REASON_ABSENT }, { -ENOENT, HPT_WALL_REASON_ABSENT },
		{ -EACCES, HPT_WALL_REASON_DENIED }, { -EPERM, HPT_WALL_REASON_DENIED },
		{ -ENETUNREACH, HPT_WALL_REASON_FAILED }, { -EINVAL, HPT_WALL_REASON_FAILED },
		{ -EMFILE, HPT_WALL_REASON_FAILED },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.result = rows[i].result;
		check_refused(rows[i].reason, -rows[i].result);
		assert_int_equal(chronyd.asked, 1);
	}
	begin(state);
	fake_env.exchange = NULL;
	check_refused(HPT_WALL_REASON_FAILED, ENOSYS);
	begin(state);
	fake.refused_clocks = 1u << CLOCK_REALTIME;
	check_refused(HPT_WALL_REASON_FAILED, EPERM);
	assert_int_equal(chronyd.asked, 0);
}

static void address(void **state)
{
	struct hpt_wall_ask a = utc_ask();

	(void)state;
	check_answer();
	assert_string_equal(chronyd.address, "127.0.0.1:323");
	assert_string_equal(hpt_wall_chrony.path(&a), "127.0.0.1:323");
	strcpy(utc_config.chrony_address, "[::1]:324");
	check_answer();
	assert_string_equal(chronyd.address, "[::1]:324");
	assert_string_equal(hpt_wall_chrony.path(&a), "[::1]:324");
	assert_int_equal(hpt_wall_chrony.id, HPT_WALL_SOURCE_CHRONY);
	assert_false(hpt_wall_chrony.is_on_request);
}

static void spoil_some(void)
{
	for (uint32_t n = 1 + (uint32_t)random_below(6); n > 0; n--)
		chronyd.replies[random_below(4)][random_below(LENGTH)] = (uint8_t)random_u64();
	if (!random_below(20))
		chronyd.lengths[random_below(4)] = (int)random_below(160);
}

/* Both replies of how its clock stands, alike; and the measurement. */
static void spoil_all(void)
{
	for (uint32_t i = random_below(2) ? 28 : 56; i < LENGTH; i++) {
		chronyd.replies[0][i] = chronyd.replies[chronyd.n - 1][i] = (uint8_t)random_u64();
		chronyd.replies[1][i] = (uint8_t)random_u64();
	}
}

/* Whatever comes, an interval that is accepted is in the years that walls know. */
static void random_replies(void **state)
{
	uint32_t accepted = 0, counted = 0;

	begin(state);
	for (int i = 0; i < rounds(400000); i++) {
		chronyd.spoil = random_below(2) ? spoil_some : spoil_all;
		utc_expected = 1;
		if (ask())
			continue;
		accepted++;
		assert_true(reading.sample.earliest_ns >= 0 && reading.sample.earliest_ns <= reading.sample.latest_ns);
		assert_true(reading.sample.latest_ns < HPT_WALL_MOST_NS);
		assert_true(reading.sample.before <= reading.sample.after);
		assert_in_range(reading.n_measured, 1, 8);
		for (uint32_t k = 0; k < reading.n_measured; k++) {
			const struct hpt_measured *m = &reading.measured[k];

			assert_true(m->off_lo_ns <= m->off_hi_ns && m->age_ns >= 0);
			if (m->reason)
				continue;
			counted++;
			/* At most 16 s, a thousandth more, and the rounding of an offset of centuries. */
			assert_true(m->off_hi_ns - m->off_lo_ns <= 2 * 17 * NS_PER_S + INT64_C(1000) * NS_PER_S);
		}
	}
	note("%u of %d accepted, with %u measurements that count", accepted, rounds(400000), counted);
	assert_true(accepted > 0 && counted > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(foreign_replies, begin),
		cmocka_unit_test_setup(other_versions_and_statuses, begin),
		cmocka_unit_test_setup(every_wrong_length, begin),
		cmocka_unit_test_setup(short_header, begin),
		cmocka_unit_test_setup(lost_and_stale_replies_are_asked_for_again, begin),
		cmocka_unit_test_setup(silence_ends_within_a_tenth_of_a_second, begin),
		cmocka_unit_test_setup(refusals, begin),
		cmocka_unit_test_setup(address, begin),
		cmocka_unit_test_setup(random_replies, begin),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
