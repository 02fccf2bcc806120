// SPDX-License-Identifier: MIT
/* Every public constant has a name or text of its own; published values never change. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"
#include "source/source.h"

#include "constants.h"

#if !HPT_CHECK_VERSION(1, 0, 0) || !HPT_CHECK_VERSION(HPT_VERSION_MAJOR, HPT_VERSION_MINOR, HPT_VERSION_PATCH)
#error "the headers are older than they say"
#endif
#if HPT_CHECK_VERSION(HPT_VERSION_MAJOR, HPT_VERSION_MINOR, HPT_VERSION_PATCH + 1) || \
	HPT_CHECK_VERSION(HPT_VERSION_MAJOR, HPT_VERSION_MINOR + 1, 0) || HPT_CHECK_VERSION(HPT_VERSION_MAJOR + 1, 0, 0)
#error "the headers are newer than they say"
#endif

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

/* The last part of the constant's name, in lower case. */
static void assert_named(const char *name, const char *constant, const char *group)
{
	char lower[16];
	size_t n = 0;

	for (const char *c = constant + strlen(group); *c; c++)
		lower[n++] = (char)(*c | 0x20);
	lower[n] = '\0';
	assert_string_equal(name, lower);
}

static void check_names(const char *group, const char *(*name_of)(uint32_t value), uint32_t n)
{
	uint32_t found = 0;

	for (size_t i = 0; i < COUNT(constants); i++) {
		if (!is_a(constants[i].name, group))
			continue;
		found++;
		assert_named(name_of(constants[i].value), constants[i].name, group);
	}
	assert_int_equal(found, n);
	assert_string_equal(name_of(n), "unknown");
	assert_string_equal(name_of(UINT32_MAX), "unknown");
}

static void every_constant_has_its_own_name(void **state)
{
	(void)state;
	check_names("HPT_SOURCE_", hpt_source_name, HPT_SOURCE_IDS);
	check_names("HPT_STATE_", hpt_state_name, 4);
	check_names("HPT_STAGE_", hpt_stage_name, 7);
	check_names("HPT_ORIGIN_", hpt_origin_name, 5);
}

static void every_source_is_found_by_its_name(void **state)
{
	(void)state;
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++) {
		uint32_t found = 4711;

		assert_int_equal(hpt_source_parse(hpt_source_name(id), &found), 0);
		assert_int_equal(found, id);
	}
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
	static const uint32_t none[] = { 11, 19, 28, 42, 60, 69, 88, 96, 1000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++)
		assert_string_equal(hpt_reason_text(none[i]), "unknown reason");
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
	assert_int_equal(HPT_SOURCE_MANUAL, 6);
	assert_int_equal(HPT_STATE_DEMOTED, 3);
	assert_int_equal(HPT_CLOCK_VETOED, 16);
	assert_int_equal(HPT_STAGE_USABLE, 6);
	assert_int_equal(HPT_ORIGIN_MEASURED, 3);
	assert_int_equal(HPT_CPU_INVARIANT, 3);
	assert_int_equal(HPT_REASON_REQUESTED_ENV, 9);
	assert_int_equal(HPT_REASON_ARCH_TRUSTED, 10);
	assert_int_equal(HPT_REASON_OTHER_REQUESTED, 26);
	assert_int_equal(HPT_REASON_BETTER_ARCH, 27);
	assert_int_equal(HPT_REASON_NOT_BUILT, 40);
	assert_int_equal(HPT_REASON_MANUAL, 41);
	assert_int_equal(HPT_REASON_TSC_NOT_COUNTING, 59);
	assert_int_equal(HPT_REASON_INTERPOSED, 65);
	assert_int_equal(HPT_REASON_HPET_NO_MMAP, 87);
	assert_int_equal(HPT_REASON_ARCH_EXPENSIVE, 95);
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
		{ "HPT_SLEEP_INHERIT", 5 },
		{ "HPT_WAIT_EINTR", 1 },
		{ "HPT_TICKER_SKIP", 0 },
		{ "HPT_TICKER_CATCH_UP", 1 },
		{ "HPT_TICKER_DELAY", 2 },
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
	char text[32];

	(void)state;
	assert_string_equal(hpt_version(), HPT_VERSION_STRING);
	snprintf(text, sizeof(text), "%d.%d.%d", HPT_VERSION_MAJOR, HPT_VERSION_MINOR, HPT_VERSION_PATCH);
	assert_string_equal(text, HPT_VERSION_STRING);
	assert_int_equal(HPT_VERSION_NUMBER, HPT_VERSION_MAJOR * 10000 + HPT_VERSION_MINOR * 100 + HPT_VERSION_PATCH);
	assert_int_equal(hpt_version_number(), HPT_VERSION_NUMBER);
}

static void names_are_taken_whole(void **state)
{
	static const char *const none[] = {
		"", "TSC", "ts", "tscx", " tsc", "tsc ", "hpet\n", "unknown", "clock", NULL,
	};
	uint32_t found = 4711;

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++)
		assert_int_equal(hpt_source_parse(none[i], &found), -EINVAL);
	assert_int_equal(found, 4711);
	assert_int_equal(hpt_source_parse("tsc", NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_taken_whole),
		cmocka_unit_test(every_reason_has_its_own_text),
		cmocka_unit_test(every_constant_has_its_own_name),
		cmocka_unit_test(every_source_is_found_by_its_name),
		cmocka_unit_test(no_two_constants_of_a_group_are_equal),
		cmocka_unit_test(unknown_values_have_names_too),
		cmocka_unit_test(values_are_pinned),
		cmocka_unit_test(every_value_of_sleeping_is_pinned),
		cmocka_unit_test(version_is_the_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
