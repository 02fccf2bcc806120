// SPDX-License-Identifier: MIT
/* Every public constant of walls is pinned, and has a name or a sentence of its own. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "wall_constants.h"

typedef const char *name_fn(uint32_t value);

/* All constants but the reasons, which are counted; name_of: the function that names this one. */
static const struct pin {
	const char *name;
	uint32_t value;
	name_fn *name_of;
} pins[] = {
	{ "HPT_WALL_SOURCE_FEED", 1, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_CLOCKBOUND", 2, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_CHRONY", 4, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_KERNEL", 8, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_VMCLOCK", 16, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_PHC", 32, hpt_wall_source_name },
	{ "HPT_WALL_SOURCE_FBCLOCK", 64, hpt_wall_source_name },
	{ "HPT_WALL_STATE_NONE", 0, hpt_wall_state_name },
	{ "HPT_WALL_STATE_SYNCED", 1, hpt_wall_state_name },
	{ "HPT_WALL_STATE_HOLDOVER", 2, hpt_wall_state_name },
	{ "HPT_WALL_STATE_UNSYNCED", 3, hpt_wall_state_name },
	{ "HPT_WALL_STATE_STALE", 4, hpt_wall_state_name },
	{ "HPT_WALL_STATE_DISRUPTED", 5, hpt_wall_state_name },
	{ "HPT_WALL_STATE_CONTRADICTED", 6, hpt_wall_state_name },
	{ "HPT_WALL_STATE_LEAP", 7, hpt_wall_state_name },
	{ "HPT_WALL_FLAG_ASSUMED_RATE", 1, NULL },
	{ "HPT_WALL_FLAG_CLAIMED", 2, NULL },
	{ "HPT_WALL_FLAG_SMEARED", 4, NULL },
	{ "HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL", 8, NULL },
	{ "HPT_WALL_OPEN_LEAP_COVER", 1, NULL },
	{ "HPT_WALL_TIMESCALE_UTC", 1, NULL },
	{ "HPT_WALL_TIMESCALE_TAI", 2, NULL },
};

#define REASON "HPT_WALL_REASON_"

static bool is_reason(const char *name)
{
	return !strncmp(name, REASON, strlen(REASON));
}

static const struct pin *pin_of(const char *name)
{
	for (size_t i = 0; i < COUNT(pins); i++)
		if (!strcmp(name, pins[i].name))
			return &pins[i];
	return NULL;
}

/* The constant's name after the prefix, in lower case. */
static void assert_named(const char *name, const char *constant)
{
	char lower[16] = "";

	constant = strchr(constant + strlen("HPT_WALL_"), '_') + 1;
	for (size_t i = 0; constant[i]; i++)
		lower[i] = (char)(constant[i] | 0x20);
	assert_string_equal(name, lower);
}

static void every_constant_is_pinned_and_named(void **state)
{
	uint32_t found = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		const struct pin *pin = pin_of(constants[i].name);

		if (is_reason(constants[i].name))
			continue;
		if (!pin)
			fail_msg("%s is not pinned", constants[i].name);
		found++;
		if (constants[i].value != pin->value)
			fail_msg("%s is no more what it was", pin->name);
		if (pin->name_of)
			assert_named(pin->name_of(pin->value), pin->name);
	}
	assert_int_equal(found, COUNT(pins));
}

static void unknown_values_have_names_too(void **state)
{
	(void)state;
	assert_string_equal(hpt_wall_source_name(0), "unknown");
	assert_string_equal(hpt_wall_source_name(HPT_WALL_SOURCE_FEED | HPT_WALL_SOURCE_PHC), "unknown");
	assert_string_equal(hpt_wall_source_name(128), "unknown");
	assert_string_equal(hpt_wall_source_name(UINT32_MAX), "unknown");
	assert_string_equal(hpt_wall_state_name(8), "unknown");
	assert_string_equal(hpt_wall_state_name(UINT32_MAX), "unknown");
	assert_string_equal(hpt_wall_reason_text(21), "unknown reason");
	assert_string_equal(hpt_wall_reason_text(22), "unknown reason");
	assert_string_equal(hpt_wall_reason_text(UINT32_MAX), "unknown reason");
}

/* In the order of the header, from 0 on without a gap. */
static void every_reason_has_its_own_text(void **state)
{
	const char *texts[32];
	uint32_t n = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		if (!is_reason(constants[i].name))
			continue;
		assert_int_equal(constants[i].value, n);
		texts[n] = hpt_wall_reason_text(n);
		if (!strcmp(texts[n], "unknown reason") || strlen(texts[n]) < 10)
			fail_msg("%s has no text", constants[i].name);
		for (uint32_t j = 0; j < n; j++)
			assert_string_not_equal(texts[n], texts[j]);
		n++;
	}
	assert_int_equal(n, 21);
}

static void reasons_are_what_they_were(void **state)
{
	(void)state;
	assert_int_equal(HPT_WALL_REASON_NONE, 0);
	assert_int_equal(HPT_WALL_REASON_DENIED, 4);
	assert_int_equal(HPT_WALL_REASON_UNSYNCED, 10);
	assert_int_equal(HPT_WALL_REASON_ZERO_ERROR, 15);
	assert_int_equal(HPT_WALL_REASON_LEAP, 20);
	assert_non_null(strstr(hpt_wall_reason_text(HPT_WALL_REASON_DENIED), "permission"));
	assert_non_null(strstr(hpt_wall_reason_text(HPT_WALL_REASON_ZERO_ERROR), "timesyncd"));
	assert_non_null(strstr(hpt_wall_reason_text(HPT_WALL_REASON_ZERO_ERROR), "phc2sys"));
	assert_non_null(strstr(hpt_wall_reason_text(HPT_WALL_REASON_LEAP), "leap second"));
}

/* Also on 32 bits, where 64-bit members may have an alignment of 4. */
static void structs_have_their_sizes(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct hpt_wall_time), 40);
	assert_int_equal(sizeof(struct hpt_wall_sample), HPT_WALL_SAMPLE_SIZE_V0);
	assert_int_equal(sizeof(struct hpt_wall_config), HPT_WALL_CONFIG_SIZE_V0);
	assert_int_equal(sizeof(struct hpt_wall_info), HPT_WALL_INFO_SIZE_V0);
	assert_int_equal(sizeof(struct hpt_wall_source_info), HPT_WALL_SOURCE_INFO_SIZE_V0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_constant_is_pinned_and_named),
		cmocka_unit_test(unknown_values_have_names_too),
		cmocka_unit_test(every_reason_has_its_own_text),
		cmocka_unit_test(reasons_are_what_they_were),
		cmocka_unit_test(structs_have_their_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
