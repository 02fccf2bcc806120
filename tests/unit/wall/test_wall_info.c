// SPDX-License-Identifier: MIT
/* Facts about a wall and its sources, and TAI: months, leap seconds, smeared sources. */
#include "wall_fakes.h"

/* In this world reads take time: 8 ns of the counter and 24 ns of a clock. A renewal and a look read some forty. */
#define READS_NS 1500

#define DAY_NS  (86400 * NS_PER_S)
#define NO_DATA 4711

/* The first of these months of 2025 and 2026, at 00:00 UTC. */
#define MARCH    (INT64_C(1740787200) * NS_PER_S)
#define JULY     (INT64_C(1751328000) * NS_PER_S)
#define DECEMBER (INT64_C(1764547200) * NS_PER_S)
#define JANUARY  (INT64_C(1767225600) * NS_PER_S)
#define FEBRUARY (INT64_C(1769904000) * NS_PER_S)

/* The world's UTC is that, from now on. */
static void set_utc(int64_t ns)
{
	utc_moved_ns += ns - utc_ns();
}

static int add(enum hpt_wall_leap leap, int64_t leap_at_ns, int32_t tai_offset_s, uint32_t flags)
{
	struct hpt_wall_reading r = { .leap = leap, .leap_at_ns = leap_at_ns, .tai_offset_s = tai_offset_s };

	r.sample = sample_of(1000);
	r.sample.flags = flags;
	return hpt_wall_add(wall, &r);
}

static int64_t tai_of(int64_t unix_ns)
{
	int64_t ns = NO_DATA;
	int r = hpt_wall_to_tai_ns(wall, unix_ns, &ns);

	if (!r)
		return ns - unix_ns;
	assert_int_equal(r, -ENODATA);
	assert_int_equal(ns, NO_DATA);
	return NO_DATA;
}

static void assert_offset(int64_t unix_ns, int64_t s)
{
	assert_true(tai_of(unix_ns) == s * NS_PER_S);
}

/* ---- The wall ------------------------------------------------------------------------------------------------ */

struct longer {
	struct hpt_wall_info i;
	unsigned char more[32];
};

static void size_says_how_much_is_written(void **state)
{
	struct longer l;
	struct hpt_wall_info i;

	(void)state;
	assert_int_equal(sizeof(i), HPT_WALL_INFO_SIZE_V0);
	memset(&l, 0x55, sizeof(l));
	assert_int_equal(hpt_wall_get_info(NULL, &l.i, sizeof(l.i)), -EINVAL);
	assert_int_equal(hpt_wall_get_info(wall, NULL, sizeof(l.i)), -EINVAL);
	for (size_t size = 0; size < HPT_WALL_INFO_SIZE_V0; size++)
		assert_int_equal(hpt_wall_get_info(wall, &l.i, size), -EINVAL);
	for (size_t k = 0; k < sizeof(l); k++)
		assert_int_equal(((unsigned char *)&l)[k], 0x55);
	assert_int_equal(hpt_wall_get_info(wall, &l.i, sizeof(l)), 0);
	assert_int_equal(l.i.size, sizeof(l.i));
}

static void facts_follow_the_samples(void **state)
{
	struct hpt_wall_info i;

	(void)state;
	feed(NS_PER_US);
	pass(500 * PS_PER_MS);
	i = wall_info();
	assert_int_equal(i.state, HPT_WALL_STATE_SYNCED);
	assert_int_equal(i.live, FEED_BIT);
	assert_int_equal(i.sources, FEED_BIT);
	assert_int_equal(i.samples, 1);
	assert_int_equal(i.refused, 0);
	assert_int_equal(i.generation, 1);
	assert_in_range(i.age_ns, 500 * NS_PER_MS, 500 * NS_PER_MS + READS_NS);
	assert_in_range(i.width_ns, 2000 + 50000, 2000 + 80000);
	assert_true(i.rate_lo_ppb <= -50000 && i.rate_lo_ppb > -60000);
	assert_true(i.rate_hi_ppb >= 50000 && i.rate_hi_ppb < 60000);
	feed(10);
	i = wall_info();
	assert_true(i.rate_hi_ppb < 40000 && i.rate_lo_ppb > -40000);
	assert_true(i.rate_hi_ppb >= 15000 && i.rate_lo_ppb <= -15000);
	assert_int_equal(i.samples, 2);
	assert_int_equal(i.flags, HPT_WALL_FLAG_ASSUMED_RATE);
	pass(1001 * PS_PER_S);
	i = wall_info();
	assert_int_equal(i.state, HPT_WALL_STATE_STALE);
	assert_int_equal(i.width_ns, -1);
	assert_in_range(i.age_ns, 1001 * NS_PER_S, 1001 * NS_PER_S + READS_NS);
}

static void without_a_bound_there_is_no_width(void **state)
{
	struct hpt_wall_sample s;
	struct hpt_wall_info i;

	(void)state;
	feed(NS_PER_US);
	s = sample_of(10);
	s.earliest_ns -= NS_PER_S;
	s.latest_ns -= NS_PER_S;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -EAGAIN);
	i = wall_info();
	assert_int_equal(i.state, HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(i.contradictions, 1);
	assert_int_equal(i.refused, 1);
	assert_int_equal(i.live, 0);
	assert_int_equal(i.width_ns, -1);
	assert_int_equal(i.age_ns, -1);
	assert_int_equal(i.generation, 2);
}

static void disruptions_are_counted(void **state)
{
	struct hpt_wall_info i;

	(void)state;
	feed(NS_PER_US);
	world.boottime_offset_ns += NS_PER_S;
	pass(20 * PS_PER_MS);
	i = wall_info();
	assert_int_equal(i.state, HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(i.disruptions, 1);
	assert_int_equal(i.width_ns, -1);
}

/* ---- Sources ------------------------------------------------------------------------------------------------- */

static void source_facts_have_their_size(void **state)
{
	struct hpt_wall_source_info i;

	(void)state;
	assert_int_equal(sizeof(i), HPT_WALL_SOURCE_INFO_SIZE_V0);
	memset(&i, 0x55, sizeof(i));
	assert_int_equal(hpt_wall_source_get_info(NULL, HPT_WALL_SOURCE_FEED, &i, sizeof(i)), -EINVAL);
	assert_int_equal(hpt_wall_source_get_info(wall, HPT_WALL_SOURCE_FEED, NULL, sizeof(i)), -EINVAL);
	assert_int_equal(hpt_wall_source_get_info(wall, HPT_WALL_SOURCE_FEED, &i, sizeof(i) - 1), -EINVAL);
	assert_int_equal(hpt_wall_source_get_info(wall, 0, &i, sizeof(i)), -EINVAL);
	assert_int_equal(hpt_wall_source_get_info(wall, HPT_WALL_SOURCE_FBCLOCK + 1, &i, sizeof(i)), -EINVAL);
	assert_int_equal(hpt_wall_source_get_info(wall, UINT32_MAX, &i, sizeof(i)), -EINVAL);
	for (size_t k = 0; k < sizeof(i); k++)
		assert_int_equal(((unsigned char *)&i)[k], 0x55);
}

static void sources_have_their_names(void **state)
{
	(void)state;
	for (uint32_t id = HPT_WALL_SOURCE_FEED; id <= HPT_WALL_SOURCE_FBCLOCK; id <<= 1) {
		struct hpt_wall_source_info i = source_info(id);

		assert_int_equal(i.source, id);
		assert_int_equal(i.size, sizeof(i));
		assert_string_equal(i.name, hpt_wall_source_name(id));
		assert_int_equal(i.width_ns, -1);
		assert_int_equal(i.age_ns, -1);
		assert_int_equal(i.usable, 0);
	}
	assert_string_equal(source_info(HPT_WALL_SOURCE_FEED).path, "");
}

static void source_facts_are_of_its_own_sample(void **state)
{
	struct hpt_wall_source_info i;
	struct hpt_wall_sample s;

	(void)state;
	s = sample_of(5000);
	s.flags = HPT_WALL_FLAG_CLAIMED;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
	pass(PS_PER_S);
	i = source_info(HPT_WALL_SOURCE_FEED);
	assert_int_equal(i.usable, 1);
	assert_int_equal(i.reason, HPT_WALL_REASON_NONE);
	assert_int_equal(i.flags, HPT_WALL_FLAG_CLAIMED);
	assert_int_equal(i.samples, 1);
	assert_in_range(i.width_ns, 10000 + 100000, 10000 + 150000);
	assert_in_range(i.age_ns, NS_PER_S, NS_PER_S + READS_NS);
}

static void answers_are_noted(void **state)
{
	struct hpt_wall_source_info i;

	(void)state;
	hpt_wall_note_answer(wall, HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_DENIED, EACCES);
	i = source_info(HPT_WALL_SOURCE_PHC);
	assert_int_equal(i.reason, HPT_WALL_REASON_DENIED);
	assert_int_equal(i.error, EACCES);
	assert_int_equal(i.usable, 0);
	assert_int_equal(source_info(HPT_WALL_SOURCE_CHRONY).reason, HPT_WALL_REASON_NOT_USED);
}

/* A path of the longest kind that a config can have. */
static void paths_are_those_of_the_config(void **state)
{
	struct hpt_wall_config c = { 0 };

	(void)state;
	memset(c.vmclock_path, 'v', sizeof(c.vmclock_path) - 1);
	open_as(&c, 0);
	if (source_info(HPT_WALL_SOURCE_VMCLOCK).path[0])
		assert_string_equal(source_info(HPT_WALL_SOURCE_VMCLOCK).path, c.vmclock_path);
}

/* ---- TAI ------------------------------------------------------------------------------------------------------ */

static void arguments_are_checked(void **state)
{
	int64_t ns = NO_DATA;

	(void)state;
	assert_int_equal(hpt_wall_to_tai_ns(NULL, 0, &ns), -EINVAL);
	assert_int_equal(hpt_wall_to_tai_ns(wall, 0, NULL), -EINVAL);
	assert_int_equal(ns, NO_DATA);
}

static void no_source_states_an_offset(void **state)
{
	(void)state;
	assert_int_equal(tai_of(utc_ns()), NO_DATA);
	set_utc(JULY + DAY_NS);
	feed(NS_PER_US);
	assert_int_equal(tai_of(utc_ns()), NO_DATA);
	assert_int_equal(add(HPT_WALL_LEAP_ABSENT, 0, 0, 0), 0);
	assert_int_equal(tai_of(utc_ns()), NO_DATA);
	assert_int_equal(tai_of(1000), NO_DATA);
	assert_int_equal(wall_info().tai_offset_s, 0);
}

/* Leap seconds come at the end of months. */
static void offset_is_valid_in_its_month(void **state)
{
	(void)state;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_UNKNOWN, 0, 37, 0), 0);
	assert_int_equal(wall_info().tai_offset_s, 37);
	assert_int_equal(tai_of(DECEMBER - 1), NO_DATA);
	assert_offset(DECEMBER, 37);
	assert_offset(utc_ns(), 37);
	assert_offset(JANUARY - 1, 37);
	assert_int_equal(tai_of(JANUARY), NO_DATA);
	assert_int_equal(tai_of(INT64_MIN), NO_DATA);
	assert_int_equal(tai_of(INT64_MAX), NO_DATA);
	assert_int_equal(tai_of(0), NO_DATA);
}

static void month_before_is_another_one(void **state)
{
	(void)state;
	set_utc(MARCH + 1000);
	assert_int_equal(add(HPT_WALL_LEAP_UNKNOWN, 0, 37, 0), 0);
	assert_int_equal(tai_of(MARCH - 1), NO_DATA);
	assert_offset(MARCH, 37);
	assert_offset(MARCH + 31 * DAY_NS - 1, 37);
	assert_int_equal(tai_of(MARCH + 31 * DAY_NS), NO_DATA);
}

/* NTP announces a leap second on its own day: an earlier "none" says nothing about the end of the month. */
static void no_leap_second_does_not_let_it_be_valid_for_longer(void **state)
{
	(void)state;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_ABSENT, 0, 37, 0), 0);
	assert_int_equal(tai_of(DECEMBER - 1), NO_DATA);
	assert_offset(JANUARY - 1, 37);
	assert_int_equal(tai_of(JANUARY), NO_DATA);
}

static void announced_second_counts_from_midnight(void **state)
{
	static const enum hpt_wall_leap leaps[] = { HPT_WALL_LEAP_INSERTED, HPT_WALL_LEAP_LEFT_OUT };

	(void)state;
	for (int i = 0; i < 2; i++) {
		wall_begins(state);
		set_utc(DECEMBER + 10 * DAY_NS);
		assert_int_equal(add(leaps[i], JANUARY, 37, 0), 0);
		assert_int_equal(wall_info().leap, i ? -1 : 1);
		assert_true(wall_info().leap_at_ns == JANUARY);
		assert_offset(JANUARY - NS_PER_S - 1, 37);
		assert_int_equal(tai_of(JANUARY - NS_PER_S), NO_DATA);
		assert_int_equal(tai_of(JANUARY), NO_DATA);
		assert_int_equal(tai_of(JANUARY + NS_PER_S - 1), NO_DATA);
		assert_offset(JANUARY + NS_PER_S, i ? 36 : 38);
		assert_offset(FEBRUARY - 1, i ? 36 : 38);
	}
}

/* VMClock may announce one months ahead: before it there may be another. */
static void announced_second_of_a_later_month_says_nothing(void **state)
{
	(void)state;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_INSERTED, FEBRUARY, 37, 0), 0);
	assert_offset(JANUARY - 1, 37);
	assert_int_equal(tai_of(JANUARY), NO_DATA);
	assert_int_equal(tai_of(FEBRUARY + 2 * NS_PER_S), NO_DATA);
}

/* None has come within a month so far. A wall goes by what its sources announce. */
static void announced_second_within_the_month_counts(void **state)
{
	const int64_t at_ns = DECEMBER + 20 * DAY_NS;

	(void)state;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_INSERTED, at_ns, 37, 0), 0);
	assert_offset(at_ns - NS_PER_S - 1, 37);
	assert_offset(at_ns + NS_PER_S, 38);
	assert_offset(JANUARY - 1, 38);
	assert_int_equal(tai_of(JANUARY), NO_DATA);
}

/* After it has passed the offset is another, without a further statement. */
static void passed_second_changes_the_offset(void **state)
{
	(void)state;
	set_utc(JANUARY - 3 * NS_PER_S);
	assert_int_equal(add(HPT_WALL_LEAP_INSERTED, 0, 37, 0), 0);
	assert_true(wall_info().leap_at_ns == JANUARY);
	pass(6 * PS_PER_S);
	utc_moved_ns -= NS_PER_S;
	now_checked();
	assert_int_equal(wall_info().tai_offset_s, 38);
	assert_int_equal(wall_info().leap, 0);
	assert_true(wall_info().leap_at_ns == 0);
	assert_int_equal(tai_of(JANUARY - 1), NO_DATA);
	assert_offset(JANUARY, 38);
	assert_offset(utc_ns(), 38);
}

/* A smeared time has no offset in whole seconds. */
static void smeared_time_has_no_offset(void **state)
{
	(void)state;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_ABSENT, 0, 37, HPT_WALL_FLAG_SMEARED), 0);
	assert_int_equal(tai_of(utc_ns()), NO_DATA);
	now_checked();
}

/* The last time of all that a wall may know. */
static void sum_may_exceed_the_range(void **state)
{
	int64_t ns = NO_DATA;

	(void)state;
	set_utc(INT64_C(8039999999) * NS_PER_S);
	assert_int_equal(add(HPT_WALL_LEAP_ABSENT, 0, INT32_MAX, 0), 0);
	assert_int_equal(hpt_wall_to_tai_ns(wall, utc_ns(), &ns), -ERANGE);
	assert_int_equal(ns, NO_DATA);
}

static void errno_is_kept(void **state)
{
	int64_t ns;

	(void)state;
	errno = EDOM;
	set_utc(DECEMBER + 10 * DAY_NS);
	assert_int_equal(add(HPT_WALL_LEAP_ABSENT, 0, 37, 0), 0);
	for (int i = 0; i < 2; i++) {
		wall_info();
		source_info(HPT_WALL_SOURCE_FEED);
		assert_int_equal(hpt_wall_to_tai_ns(wall, DECEMBER, &ns), 0);
		pass(20 * PS_PER_MS);
	}
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(size_says_how_much_is_written),
		wall_test(facts_follow_the_samples),
		wall_test(without_a_bound_there_is_no_width),
		wall_test(disruptions_are_counted),
		wall_test(source_facts_have_their_size),
		wall_test(sources_have_their_names),
		wall_test(source_facts_are_of_its_own_sample),
		wall_test(answers_are_noted),
		wall_test(paths_are_those_of_the_config),
		wall_test(arguments_are_checked),
		wall_test(no_source_states_an_offset),
		wall_test(offset_is_valid_in_its_month),
		wall_test(month_before_is_another_one),
		wall_test(no_leap_second_does_not_let_it_be_valid_for_longer),
		wall_test(announced_second_counts_from_midnight),
		wall_test(announced_second_of_a_later_month_says_nothing),
		wall_test(announced_second_within_the_month_counts),
		wall_test(passed_second_changes_the_offset),
		wall_test(smeared_time_has_no_offset),
		wall_test(sum_may_exceed_the_range),
		wall_test(errno_is_kept),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_info", tests, NULL, NULL);
}
