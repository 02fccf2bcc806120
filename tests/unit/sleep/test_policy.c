// SPDX-License-Identifier: MIT
/* Policies: refused values, the default cap in place of 0, and the process's own policy. */
#include <errno.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"
#include "sleep/policy.h"

static struct hpt_policy make(uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_policy p = { 0 };

	assert_int_equal(hpt_policy_make(policy, max_spin_ns, &p), 0);
	assert_int_equal(hpt_policy_kind(p), policy);
	return p;
}

static int64_t cap_ns(uint32_t policy, int64_t max_spin_ns)
{
	return hpt_policy_cap_ns(make(policy, max_spin_ns));
}

static void cap_is_what_was_asked_for(void **state)
{
	static const int64_t caps_ns[] = { 1, 999, 50000, 1000000000, HPT_POLICY_CAP_MAX - 1, HPT_POLICY_CAP_MAX };

	(void)state;
	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++)
		for (size_t i = 0; i < COUNT(caps_ns); i++)
			assert_int_equal(cap_ns(policy, caps_ns[i]), caps_ns[i]);
}

static void cap_ends_at_all_of_it(void **state)
{
	(void)state;
	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++) {
		assert_int_equal(cap_ns(policy, HPT_POLICY_CAP_MAX + 1), HPT_POLICY_CAP_MAX);
		assert_int_equal(cap_ns(policy, INT64_MAX), HPT_POLICY_CAP_MAX);
	}
}

static void cap_of_zero_is_the_policys_own(void **state)
{
	uint32_t hz = hpt_kernel_hz();

	(void)state;
	assert_int_equal(cap_ns(HPT_SLEEP_BALANCED, 0), 1000000);
	assert_int_equal(cap_ns(HPT_SLEEP_FRUGAL, 0), 1000000);
	assert_int_equal(cap_ns(HPT_SLEEP_STRICT, 0), hz ? 1000000000 / hz : 4000000);
	assert_int_equal(cap_ns(HPT_SLEEP_NOSPIN, 0), 0);
	assert_int_equal(cap_ns(HPT_SLEEP_SPIN, 0), HPT_POLICY_CAP_MAX);
}

static void what_is_no_policy_is_refused(void **state)
{
	static const struct {
		uint32_t policy;
		int64_t max_spin_ns;
	} bad[] = {
		{ HPT_SLEEP_INHERIT, 0 },   { 7, 0 },          { 8, 0 }, { UINT32_MAX, 1000 },
		{ HPT_SLEEP_BALANCED, -1 }, { HPT_SLEEP_SPIN, INT64_MIN },
	};

	(void)state;
	hpt_sleep_set_policy(HPT_SLEEP_STRICT, 12345);
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct hpt_policy p = { 77 };

		assert_int_equal(hpt_policy_make(bad[i].policy, bad[i].max_spin_ns, &p), -EINVAL);
		assert_int_equal(p.word, 77);
		assert_int_equal(hpt_sleep_set_policy(bad[i].policy, bad[i].max_spin_ns), -EINVAL);
		assert_int_equal(hpt_policy_kind(hpt_policy_current()), HPT_SLEEP_STRICT);
		assert_int_equal(hpt_policy_cap_ns(hpt_policy_current()), 12345);
	}
}

static void process_begins_balanced(void **state)
{
	(void)state;
	assert_int_equal(hpt_policy_current().word, make(HPT_SLEEP_BALANCED, 0).word);
}

/* Every setting reads back, including the one whose word is nearest to "not set". */
static void process_has_what_it_was_set_to(void **state)
{
	static const int64_t caps_ns[] = { 0, 1, 777, INT64_MAX };

	(void)state;
	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++)
		for (size_t i = 0; i < COUNT(caps_ns); i++) {
			assert_int_equal(hpt_sleep_set_policy(policy, caps_ns[i]), 0);
			assert_int_equal(hpt_policy_current().word, make(policy, caps_ns[i]).word);
		}
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
}

/* The word of an object in zeros. */
static struct hpt_object_policy own;

static void object_has_the_processs_until_it_has_its_own(void **state)
{
	(void)state;
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_STRICT, 777), 0);
	assert_int_equal(hpt_object_policy_current(&own).word, make(HPT_SLEEP_STRICT, 777).word);
	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++) {
		assert_int_equal(hpt_object_policy_set(&own, policy, 0), 0);
		assert_int_equal(hpt_object_policy_current(&own).word, make(policy, 0).word);
		assert_int_equal(hpt_object_policy_kind(&own), policy);
	}
	assert_int_equal(hpt_object_policy_set(&own, HPT_SLEEP_INHERIT, 0), 0);
	assert_int_equal(hpt_object_policy_kind(&own), HPT_SLEEP_INHERIT);
	assert_int_equal(hpt_object_policy_current(&own).word, make(HPT_SLEEP_STRICT, 777).word);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
}

static void object_refuses_what_is_no_policy(void **state)
{
	static const struct {
		uint32_t policy;
		int64_t max_spin_ns;
	} bad[] = {
		{ HPT_SLEEP_INHERIT, 1 }, { HPT_SLEEP_INHERIT, -1 }, { HPT_SLEEP_INHERIT + 1, 0 },
		{ HPT_SLEEP_SPIN, -1 },   { UINT32_MAX, 0 },
	};

	(void)state;
	assert_int_equal(hpt_object_policy_set(&own, HPT_SLEEP_FRUGAL, 5), 0);
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_equal(hpt_object_policy_set(&own, bad[i].policy, bad[i].max_spin_ns), -EINVAL);
		assert_int_equal(hpt_object_policy_current(&own).word, make(HPT_SLEEP_FRUGAL, 5).word);
	}
}

/* A policy's price: how rare a late wake may be, and how long the spin, for a margin wider by a microsecond to pay. */
static void strict_pays_more_than_balanced_than_frugal(void **state)
{
	struct hpt_price frugal = hpt_policy_price(make(HPT_SLEEP_FRUGAL, 0));
	struct hpt_price strict = hpt_policy_price(make(HPT_SLEEP_STRICT, 0));
	struct hpt_price balanced = hpt_policy_price(make(HPT_SLEEP_BALANCED, 0));

	(void)state;
	assert_true(frugal.worth_ns < balanced.worth_ns && balanced.worth_ns < strict.worth_ns);
	assert_true(frugal.spin_percent < balanced.spin_percent && balanced.spin_percent < strict.spin_percent);
	/* What the manual states: a sleep costs 1.6, 2.5 and 4 times as much as a wait alone. */
	assert_int_equal(frugal.spin_percent, 60);
	assert_int_equal(balanced.spin_percent, 150);
	assert_int_equal(strict.spin_percent, 300);
	/* The kind of policy decides, not the cap. */
	assert_int_equal(hpt_policy_price(make(HPT_SLEEP_FRUGAL, 1)).worth_ns, frugal.worth_ns);
}

/* It never spins, so that being early by what it may costs nothing. */
static void nospin_has_no_limit_of_spinning(void **state)
{
	(void)state;
	assert_int_equal(hpt_policy_price(make(HPT_SLEEP_NOSPIN, 1)).spin_percent, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_begins_balanced), /* first: others set it */
		cmocka_unit_test(cap_is_what_was_asked_for),
		cmocka_unit_test(cap_ends_at_all_of_it),
		cmocka_unit_test(cap_of_zero_is_the_policys_own),
		cmocka_unit_test(what_is_no_policy_is_refused),
		cmocka_unit_test(process_has_what_it_was_set_to),
		cmocka_unit_test(object_has_the_processs_until_it_has_its_own),
		cmocka_unit_test(object_refuses_what_is_no_policy),
		cmocka_unit_test(strict_pays_more_than_balanced_than_frugal),
		cmocka_unit_test(nospin_has_no_limit_of_spinning),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
