// SPDX-License-Identifier: MIT
/* The words of HPT_RUN: each one, in any order, and texts that are none. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "preload/settings.h"

static struct hpt_settings parsed(const char *text)
{
	struct hpt_settings s = { .least_ns = -77, .budget_percent = 77, .quota_millicpus = 77, .waits = 77,
				  .policy.word = 77 };

	hpt_settings_parse(text, &s);
	return s;
}

static uint64_t policy_word(uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_policy p;

	assert_int_equal(hpt_policy_make(policy, max_spin_ns, &p), 0);
	return p.word;
}

static void assert_defaults(const char *text)
{
	struct hpt_settings s = parsed(text);

	assert_int_equal(s.policy.word, policy_word(HPT_SLEEP_BALANCED, 0));
	assert_int_equal(s.least_ns, 50000);
	assert_int_equal(s.budget_percent, 25);
	assert_int_equal(s.quota_millicpus, 0);
	assert_int_equal(s.waits, HPT_RUN_WAITS_ALL);
}

static void texts_without_words_are_the_defaults(void **state)
{
	static const char *const texts[] = {
		"", ",", ",,,", "=", "=5", "policy", "policy=", "policy=,", "least", "budget", "max-spin", "x=3",
		"Policy=4", " policy=4", "xpolicy=4", "policyx=4", "policy==4", "policy= 4", "policy:4", "p=4",
	};

	(void)state;
	assert_defaults(NULL);
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_defaults(texts[i]);
}

static void each_word_sets_its_own(void **state)
{
	struct hpt_settings s = parsed("least=0");

	(void)state;
	assert_int_equal(s.least_ns, 0);
	assert_int_equal(s.budget_percent, 25);
	assert_int_equal(s.policy.word, policy_word(HPT_SLEEP_BALANCED, 0));
	s = parsed("budget=0");
	assert_int_equal(s.budget_percent, 0);
	assert_int_equal(s.least_ns, 50000);
	s = parsed("quota=250");
	assert_int_equal(s.quota_millicpus, 250);
	assert_int_equal(s.budget_percent, 25);
	assert_int_equal(parsed("waits=0").waits, HPT_RUN_WAITS_NONE);
	assert_int_equal(parsed("waits=1").waits, HPT_RUN_WAITS_ALL);
	assert_int_equal(parsed("waits=2").waits, HPT_RUN_WAITS_MS);
	s = parsed("max-spin=12345");
	assert_int_equal(s.policy.word, policy_word(HPT_SLEEP_BALANCED, 12345));
	for (uint32_t policy = HPT_SLEEP_BALANCED; policy <= HPT_SLEEP_SPIN; policy++) {
		char text[16];

		snprintf(text, sizeof(text), "policy=%u", policy);
		assert_int_equal(parsed(text).policy.word, policy_word(policy, 0));
	}
}

static void words_stand_in_any_order(void **state)
{
	static const char *const texts[] = {
		"policy=3,max-spin=70000,least=1,budget=100",
		"budget=100,least=1,max-spin=70000,policy=3",
		",least=1,,unknown=9,policy=3,budget,budget=100,max-spin=70000,",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct hpt_settings s = parsed(texts[i]);

		assert_int_equal(s.policy.word, policy_word(3, 70000));
		assert_int_equal(s.least_ns, 1);
		assert_int_equal(s.budget_percent, 100);
	}
}

static void values_out_of_range_are_as_without_the_word(void **state)
{
	static const char *const texts[] = {
		"policy=5", "policy=6", "policy=4294967297", "policy=99999999999999999999", "policy=-1", "policy=0x4",
		"policy=4x", "budget=101", "budget=4294967297", "budget=-1", "budget=5%", "least=-1", "least=50us",
		"least=9223372036854775808", "least=0x1", "least=+1", "max-spin=-1", "max-spin=9223372036854775808",
		"max-spin=1e3", "quota=-1", "quota=4294967297", "quota=9223372036854775808", "quota=0.5", "quota",
		"waits=3", "waits=-1", "waits=4294967297", "waits=all", "waits",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_defaults(texts[i]);
}

static void largest_values_hold(void **state)
{
	(void)state;
	assert_int_equal(parsed("least=9223372036854775807").least_ns, INT64_MAX);
	assert_int_equal(parsed("budget=100").budget_percent, 100);
	assert_true(parsed("quota=4294967295").quota_millicpus == UINT32_MAX);
	assert_int_equal(parsed("policy=4,max-spin=9223372036854775807").policy.word,
			 policy_word(HPT_SLEEP_SPIN, INT64_MAX));
}

static void number_is_the_whole_text(void **state)
{
	static const char *const none[] = {
		"", " ", "-1", "+1", " 1", "1 ", "1,", "0x10", "1e3", "9223372036854775808", "99999999999999999999",
		"18446744073709551617", "\n",
	};

	(void)state;
	assert_int_equal(hpt_settings_number("0"), 0);
	assert_int_equal(hpt_settings_number("50000"), 50000);
	assert_int_equal(hpt_settings_number("007"), 7);
	assert_int_equal(hpt_settings_number("9223372036854775807"), INT64_MAX);
	assert_true(hpt_settings_number(NULL) < 0);
	for (size_t i = 0; i < COUNT(none); i++)
		assert_true(hpt_settings_number(none[i]) < 0);
}

/* Texts of the words' own characters: none is too much for the parser, and the results are in range. */
static void any_text_gives_valid_settings(void **state)
{
	static const char *const parts[] = {
		"policy", "max-spin", "least", "budget", "quota", "=", "=", "=", ",", ",", ",", "0", "5", "9",
		"99999999999", "-",
	};

	(void)state;
	for (int round = 0; round < rounds(20000); round++) {
		char text[256] = "";
		struct hpt_settings s;

		for (uint64_t n = random_below(16), i = 0; i < n; i++)
			strcat(text, parts[random_below(COUNT(parts))]);
		s = parsed(text);
		assert_true(s.least_ns >= 0);
		assert_in_range(s.budget_percent, 0, 100);
		assert_in_range(hpt_policy_kind(s.policy), HPT_SLEEP_BALANCED, HPT_SLEEP_SPIN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_without_words_are_the_defaults),
		cmocka_unit_test(each_word_sets_its_own),
		cmocka_unit_test(words_stand_in_any_order),
		cmocka_unit_test(values_out_of_range_are_as_without_the_word),
		cmocka_unit_test(largest_values_hold),
		cmocka_unit_test(number_is_the_whole_text),
		cmocka_unit_test(any_text_gives_valid_settings),
	};

	random_start();
	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
