// SPDX-License-Identifier: MIT
/* hpt_wall_feed(): the program's own samples, which are refused and why, and which threads are woken. */
#include "wall_fakes.h"

#include "machine/process.h"

#define MOST_NS INT64_C(8040000000000000000)

static int feed_one(const struct hpt_wall_sample *s)
{
	return hpt_wall_feed(wall, s, sizeof(*s));
}

/* Refused without a trace. */
static void assert_invalid(const struct hpt_wall_sample *s)
{
	struct hpt_wall_info before = wall_info(), after;

	assert_int_equal(feed_one(s), -EINVAL);
	after = wall_info();
	assert_int_equal(after.samples, before.samples);
	assert_int_equal(after.refused, before.refused);
	assert_int_equal(after.state, before.state);
	assert_int_equal(sleeping.wakes, 0);
}

#define ASSERT_INVALID(member, value)                            \
	do {                                                     \
		struct hpt_wall_sample bad = sample_of(1000);    \
		bad.member = (value);                            \
		assert_invalid(&bad);                            \
	} while (0)

static void sample_gives_a_bound(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);
	struct hpt_wall_source_info i;

	(void)state;
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_NOT_ASKED);
	assert_int_equal(feed_one(&s), 0);
	now_checked();
	s.source = 0;
	assert_int_equal(feed_one(&s), 0);
	i = source_info(HPT_WALL_SOURCE_FEED);
	assert_int_equal(i.samples, 2);
	assert_int_equal(i.reason, HPT_WALL_REASON_NONE);
	assert_int_equal(i.usable, 1);
	assert_int_equal(wall_info().live, FEED_BIT);
	assert_int_equal(wall_info().samples, 2);
}

/* A window and an interval: an exchange of messages needs no symmetry. */
static void window_of_an_exchange_contains_utc(void **state)
{
	struct hpt_wall_sample s = { .before = hpt_now(&clk) };
	struct hpt_wall_time t;

	(void)state;
	pass(3 * PS_PER_MS);
	s.earliest_ns = s.latest_ns = utc_ns();
	pass(17 * PS_PER_MS);
	s.after = hpt_now(&clk);
	assert_int_equal(feed_one(&s), 0);
	t = now_checked();
	assert_in_range(t.latest_ns - t.earliest_ns, 20 * NS_PER_MS, 20 * NS_PER_MS + 10000);
}

static void arguments_are_checked(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);
	struct hpt_wall_config other = { .sources = HPT_WALL_SOURCE_KERNEL };

	(void)state;
	assert_int_equal(hpt_wall_feed(NULL, &s, sizeof(s)), -EINVAL);
	assert_int_equal(hpt_wall_feed(wall, NULL, sizeof(s)), -EINVAL);
	assert_int_equal(sizeof(s), HPT_WALL_SAMPLE_SIZE_V0);
	for (size_t size = 0; size < sizeof(s); size++)
		assert_int_equal(hpt_wall_feed(wall, &s, size), -EINVAL);
	open_as(&other, 0);
	assert_int_equal(feed_one(&s), -EINVAL);
}

static void size_may_be_larger_with_zeros(void **state)
{
	struct {
		struct hpt_wall_sample s;
		unsigned char more[16];
	} l = { .s = sample_of(1000) };

	(void)state;
	for (size_t i = 0; i < sizeof(l.more); i++) {
		l.more[i] = 0x80;
		assert_int_equal(hpt_wall_feed(wall, &l.s, sizeof(l.s) + i), 0);
		assert_int_equal(hpt_wall_feed(wall, &l.s, sizeof(l.s) + i + 1), -EINVAL);
		l.more[i] = 0;
	}
	assert_int_equal(hpt_wall_feed(wall, &l.s, sizeof(l)), 0);
}

static void members_are_checked(void **state)
{
	struct hpt_wall_sample s = sample_of(0);

	(void)state;
	s.latest_ns = s.earliest_ns - 1;
	assert_invalid(&s);
	s = sample_of(0);
	s.after = s.before - 1;
	assert_invalid(&s);
	ASSERT_INVALID(after, INT64_MAX);
	ASSERT_INVALID(after, hpt_now(&clk) + 100000);
	ASSERT_INVALID(earliest_ns, -1);
	ASSERT_INVALID(earliest_ns, INT64_MIN);
	ASSERT_INVALID(latest_ns, MOST_NS);
	ASSERT_INVALID(latest_ns, INT64_MAX);
	ASSERT_INVALID(flags, HPT_WALL_FLAG_ASSUMED_RATE);
	ASSERT_INVALID(flags, HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL);
	ASSERT_INVALID(flags, 16);
	ASSERT_INVALID(flags, UINT32_MAX);
	for (uint32_t id = HPT_WALL_SOURCE_FEED + 1; id < 40; id++)
		ASSERT_INVALID(source, id);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_NOT_ASKED);
}

/* The widest interval that there is says nothing, but is true. */
static void any_width_is_accepted(void **state)
{
	struct hpt_wall_sample s = sample_of(0);
	struct hpt_wall_time t;

	(void)state;
	s.earliest_ns = 0;
	s.latest_ns = MOST_NS - 1;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(feed_one(&s), 0);
		t = now_checked();
		assert_true(t.latest_ns > t.earliest_ns);
		pass(i < 3 ? 500 : PS_PER_S);
		s.before = s.after = hpt_now(&clk);
	}
	feed(NS_PER_US);
	t = now_checked();
	assert_true(t.latest_ns - t.earliest_ns < 3000);
}

/* A window that began long ago: so wide that arithmetic modulo 2^64 would make it narrow. */
static void windows_of_any_width_are_no_danger(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	static const hpt_time_t before[] = { INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -1, 0 };

	(void)state;
	for (int is_limited = 0; is_limited < 2; is_limited++) {
		c.max_age_ns = is_limited ? 0 : INT64_MAX;
		open_as(&c, 0);
		for (size_t i = 0; i < COUNT(before); i++) {
			struct hpt_wall_sample s = sample_of(1000);
			struct hpt_wall_time t;
			int r;

			s.before = before[i];
			r = feed_one(&s);
			assert_int_equal(r, before[i] < -1 ? -ERANGE : 0);
			if (!hpt_wall_now(wall, &t))
				now_checked();
		}
	}
}

static void windows_are_no_danger_on_any_clock(void **state)
{
	struct hpt_wall_config c = { .sources = FEED_BIT, .max_age_ns = INT64_MAX };
	static const uint64_t hz[] = { 1, 14318180, 1000000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(hz); i++) {
		struct hpt_wall_sample s = { .before = INT64_MIN, .earliest_ns = UTC_AT_0_NS,
					     .latest_ns = UTC_AT_0_NS };
		hpt_clock *manual = NULL;
		struct hpt_wall_time t;
		hpt_wall *w = NULL;

		assert_int_equal(hpt_clock_new_manual(hz[i], 1000, 0, &manual), 0);
		assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
		s.after = 1000;
		for (int shift = 0; shift < 64; shift++) {
			s.before = INT64_MIN >> shift;
			(void)hpt_wall_feed(w, &s, sizeof(s));
			if (!hpt_wall_now(w, &t))
				assert_true(t.earliest_ns <= UTC_AT_0_NS + 1 && t.latest_ns >= UTC_AT_0_NS);
		}
		hpt_wall_close(w);
		hpt_clock_close(manual);
	}
}

/* ---- Refused, and counted ------------------------------------------------------------------------------------ */

static void contradiction_is_said(void **state)
{
	struct hpt_wall_sample s;

	(void)state;
	feed(NS_PER_US);
	s = sample_of(1000);
	s.earliest_ns += NS_PER_S;
	s.latest_ns += NS_PER_S;
	assert_int_equal(feed_one(&s), -EAGAIN);
	assert_wall_state(HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_CONTRADICTED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).usable, 0);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).refused, 1);
	assert_int_equal(wall_info().contradictions, 1);
	feed(NS_PER_US);
	now_checked();
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_NONE);
}

static void old_samples_are_refused(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s, wide;

	(void)state;
	c.max_age_ns = 2 * NS_PER_S;
	open_as(&c, 0);
	s = sample_of(1000);
	pass(2 * PS_PER_S - PS_PER_MS);
	assert_int_equal(feed_one(&s), 0);
	pass(2 * PS_PER_MS);
	assert_int_equal(feed_one(&s), -ERANGE);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_OLD);
	/* The window counts as well. */
	wide = sample_of(1000);
	wide.before -= 2 * NS_PER_S * 5 / 2 + 1000;
	assert_int_equal(feed_one(&wide), -ERANGE);
	assert_int_equal(wall_info().refused, 2);
}

static void samples_of_before_an_event_are_refused(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);

	(void)state;
	feed(NS_PER_US);
	world.boottime_offset_ns += NS_PER_S;
	assert_int_equal(feed_one(&s), -ERANGE);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_FEED).reason, HPT_WALL_REASON_OLD);
	feed(NS_PER_US);
	now_checked();
}

static void nothing_is_added_without_a_slot(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);

	(void)state;
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
	assert_int_equal(feed_one(&s), -EBUSY);
	assert_int_equal(wall_info().samples, 0);
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], 0);
	assert_int_equal(feed_one(&s), 0);
}

/* ---- Wakes ---------------------------------------------------------------------------------------------------- */

static void system_call_is_made_only_if_threads_wait(void **state)
{
	struct hpt_eventcount *bell = hpt_bell(wall->bell);
	uint32_t value = hpt_eventcount_value(bell);
	struct hpt_wall_sample s;

	(void)state;
	feed(NS_PER_US);
	assert_int_equal(sleeping.wakes, 0);
	assert_int_equal(hpt_eventcount_value(bell), value + 1);
	hpt_eventcount_enter(bell);
	feed(NS_PER_US);
	assert_int_equal(sleeping.wakes, 1);
	s = sample_of(1000);
	s.latest_ns = s.earliest_ns = 0; /* a contradiction: threads that wait must learn of it */
	assert_int_equal(feed_one(&s), -EAGAIN);
	assert_int_equal(sleeping.wakes, 2);
	s.after = s.before - 1;
	assert_int_equal(feed_one(&s), -EINVAL);
	s.after = hpt_now(&clk) + 100000; /* the future */
	assert_int_equal(feed_one(&s), -EINVAL);
	assert_int_equal(sleeping.wakes, 2);
	hpt_eventcount_leave(bell);
	feed(NS_PER_US);
	assert_int_equal(sleeping.wakes, 2);
}

static void errno_is_kept(void **state)
{
	struct hpt_wall_sample s = sample_of(1000);

	(void)state;
	errno = EDOM;
	assert_int_equal(feed_one(&s), 0);
	s.after = INT64_MAX;
	assert_int_equal(feed_one(&s), -EINVAL);
	s = sample_of(1000);
	s.latest_ns = s.earliest_ns = 0;
	assert_int_equal(feed_one(&s), -EAGAIN);
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(sample_gives_a_bound),
		wall_test(window_of_an_exchange_contains_utc),
		wall_test(arguments_are_checked),
		wall_test(size_may_be_larger_with_zeros),
		wall_test(members_are_checked),
		wall_test(any_width_is_accepted),
		wall_test(windows_of_any_width_are_no_danger),
		wall_test(windows_are_no_danger_on_any_clock),
		wall_test(contradiction_is_said),
		wall_test(old_samples_are_refused),
		wall_test(samples_of_before_an_event_are_refused),
		wall_test(nothing_is_added_without_a_slot),
		wall_test(system_call_is_made_only_if_threads_wait),
		wall_test(errno_is_kept),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("feed", tests, NULL, NULL);
}
