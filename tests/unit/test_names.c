// SPDX-License-Identifier: MIT
/* Every public constant has a name or text of its own; published values never change. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/names.h"
#include "source/source.h"

#include "constants.h"

static bool is_a(const char *name, const char *group)
{
	return !strncmp(name, group, strlen(group));
}

static void every_reason_has_its_own_text(void **state)
{
	uint32_t reasons = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		const char *text = hpt_reason_text(constants[i].value);

		if (!is_a(constants[i].name, "HPT_REASON_"))
			continue;
		reasons++;
		if (!strcmp(text, "unknown reason") || strlen(text) < 10)
			fail_msg("%s has no text", constants[i].name);
		assert_true(strlen(text) < 139); /* not cut by its array */
		for (size_t j = 0; j < i; j++)
			if (is_a(constants[j].name, "HPT_REASON_") &&
			    !strcmp(text, hpt_reason_text(constants[j].value)))
				fail_msg("%s and %s share a text", constants[i].name, constants[j].name);
	}
	assert_true(reasons >= 46);
}

static void every_source_has_its_own_name(void **state)
{
	uint32_t sources = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		const char *name = hpt_source_name(constants[i].value);
		char lower[16];
		size_t n = 0;

		if (!is_a(constants[i].name, "HPT_SOURCE_"))
			continue;
		sources++;
		for (const char *c = constants[i].name + strlen("HPT_SOURCE_"); *c; c++)
			lower[n++] = (char)(*c | 0x20);
		lower[n] = '\0';
		assert_string_equal(name, lower);
		assert_int_equal(hpt_source_by_name(name), constants[i].value);
	}
	assert_int_equal(sources, HPT_SOURCE_IDS);
}

static void no_two_constants_of_a_group_are_equal(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++)
		for (size_t j = 0; j < i; j++) {
			size_t group = (size_t)(strchr(constants[i].name + 4, '_') - constants[i].name) + 1;

			if (!strncmp(constants[i].name, constants[j].name, group) &&
			    constants[i].value == constants[j].value)
				fail_msg("%s = %s", constants[i].name, constants[j].name);
		}
}

static void unknown_values_have_names_too(void **state)
{
	static const uint32_t none[] = { 10, 19, 27, 41, 60, 69, 88, 1000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++)
		assert_string_equal(hpt_reason_text(none[i]), "unknown reason");
	assert_string_equal(hpt_source_name(6), "unknown");
	assert_string_equal(hpt_source_name(UINT32_MAX), "unknown");
}

static void values_are_pinned(void **state)
{
	(void)state;
	assert_int_equal(HPT_SOURCE_AUTO, 0);
	assert_int_equal(HPT_SOURCE_TSC, 1);
	assert_int_equal(HPT_SOURCE_HPET, 2);
	assert_int_equal(HPT_SOURCE_OS, 3);
	assert_int_equal(HPT_SOURCE_ARCH, 4);
	assert_int_equal(HPT_SOURCE_MMIO, 5);
	assert_int_equal(HPT_STATE_DEMOTED, 3);
	assert_int_equal(HPT_CLOCK_VETOED, 16);
	assert_int_equal(HPT_STAGE_USABLE, 6);
	assert_int_equal(HPT_ORIGIN_MEASURED, 3);
	assert_int_equal(HPT_CPU_INVARIANT, 3);
	assert_int_equal(HPT_REASON_REQUESTED_ENV, 9);
	assert_int_equal(HPT_REASON_OTHER_REQUESTED, 26);
	assert_int_equal(HPT_REASON_NOT_BUILT, 40);
	assert_int_equal(HPT_REASON_TSC_NOT_COUNTING, 59);
	assert_int_equal(HPT_REASON_INTERPOSED, 65);
	assert_int_equal(HPT_REASON_HPET_NO_MMAP, 87);
}

static bool is_pinned(const char *name, uint32_t value)
{
	static const struct {
		const char *name;
		uint32_t value;
	} pins[] = {
		{ "HPT_SLEEP_BALANCED", 0 },
		{ "HPT_SLEEP_FRUGAL", 1 },
		{ "HPT_SLEEP_STRICT", 2 },
		{ "HPT_SLEEP_NOSPIN", 3 },
		{ "HPT_SLEEP_SPIN", 4 },
		{ "HPT_WAIT_EINTR", 1 },
		{ "HPT_TICKER_SKIP", 0 },
		{ "HPT_TICKER_CATCH_UP", 1 },
	};

	for (size_t i = 0; i < COUNT(pins); i++)
		if (!strcmp(name, pins[i].name))
			return value == pins[i].value;
	return false;
}

static void every_value_of_sleeping_is_pinned(void **state)
{
	uint32_t values = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		const char *name = constants[i].name;

		if (!is_a(name, "HPT_SLEEP_") && !is_a(name, "HPT_WAIT_") && !is_a(name, "HPT_TICKER_"))
			continue;
		values++;
		if (!is_pinned(name, constants[i].value))
			fail_msg("%s: new, or no more what it was", name);
	}
	assert_true(values >= 8);
}

static void version_is_the_headers(void **state)
{
	(void)state;
	assert_string_equal(hpt_version(), HPT_VERSION_STRING);
}

static void names_are_taken_whole(void **state)
{
	static const char *const none[] = { "", "TSC", "ts", "tscx", " tsc", "tsc ", "hpet\n", "unknown", "clock" };

	(void)state;
	assert_int_equal(hpt_source_by_name("auto"), HPT_SOURCE_AUTO);
	assert_int_equal(hpt_source_by_name("tsc"), HPT_SOURCE_TSC);
	assert_int_equal(hpt_source_by_name("os"), HPT_SOURCE_OS);
	for (size_t i = 0; i < COUNT(none); i++)
		assert_int_equal(hpt_source_by_name(none[i]), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_taken_whole),
		cmocka_unit_test(every_reason_has_its_own_text),
		cmocka_unit_test(every_source_has_its_own_name),
		cmocka_unit_test(no_two_constants_of_a_group_are_equal),
		cmocka_unit_test(unknown_values_have_names_too),
		cmocka_unit_test(values_are_pinned),
		cmocka_unit_test(every_value_of_sleeping_is_pinned),
		cmocka_unit_test(version_is_the_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
