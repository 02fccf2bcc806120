// SPDX-License-Identifier: MIT
/* What hpt wall advises: something wherever a person can do something, and by options that there are. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "wall/cmd_wall.h"
#include "wall/wall_advice.h"
#include "wall/wall_view.h"

#define BIT(source) HPT_WALL_SOURCE_##source
#define ALL (BIT(CLOCKBOUND) | BIT(CHRONY) | BIT(KERNEL) | BIT(VMCLOCK) | BIT(PHC) | BIT(FBCLOCK))

/* The sources that have advice for a reason; 0 for reasons that are not in this list. */
static const uint32_t advised[] = {
	[HPT_WALL_REASON_NOT_USED] = ALL,
	[HPT_WALL_REASON_ABSENT] = ALL & ~BIT(KERNEL),
	[HPT_WALL_REASON_DENIED] = ALL,
	[HPT_WALL_REASON_NO_ANSWER] = BIT(CHRONY),
	[HPT_WALL_REASON_TORN] = ALL,
	[HPT_WALL_REASON_UNSYNCED] = BIT(CLOCKBOUND) | BIT(CHRONY) | BIT(KERNEL),
	[HPT_WALL_REASON_OLD] = BIT(CLOCKBOUND) | BIT(CHRONY) | BIT(FBCLOCK),
	[HPT_WALL_REASON_OTHER_COUNTER] = ALL,
	[HPT_WALL_REASON_NO_BOUND] = BIT(CHRONY) | BIT(VMCLOCK) | BIT(PHC),
	[HPT_WALL_REASON_ZERO_ERROR] = BIT(KERNEL),
	[HPT_WALL_REASON_STEPPED] = ALL,
	[HPT_WALL_REASON_NAMESPACE] = ALL,
	[HPT_WALL_REASON_NO_TIMESCALE] = BIT(PHC),
	[HPT_WALL_REASON_CONTRADICTED] = ALL,
};

static bool is_advised(uint32_t source, uint32_t reason)
{
	return reason < COUNT(advised) && advised[reason] & source;
}

static void advice_is_where_it_helps(void **state)
{
	(void)state;
	for (uint32_t source = WALL_VIEW_FIRST; source <= WALL_VIEW_LAST; source <<= 1)
		for (uint32_t reason = 0; reason < 64; reason++)
			if (!wall_advice(source, reason) == is_advised(source, reason))
				fail_msg("source %u, reason %u", source, reason);
}

static void a_source_has_its_own_advice(void **state)
{
	(void)state;
	assert_ptr_equal(strstr(wall_advice(HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_NOT_USED), "--sources=kernel"),
			 wall_advice(HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_NOT_USED));
	assert_non_null(strstr(wall_advice(HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_DENIED), "--chrony="));
	assert_non_null(strstr(wall_advice(HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_DENIED), "udev"));
	assert_non_null(strstr(wall_advice(HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_NO_BOUND), "--phc-error"));
	assert_non_null(strstr(wall_advice(HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_NO_TIMESCALE), "--phc-timescale"));
}

static bool is_option(const char *name, size_t length)
{
	for (const struct opt *o = cmd_wall.opts; o->name; o++)
		if (strlen(o->name) == length && !strncmp(o->name, name, length))
			return true;
	return false;
}

static void all_options_named_exist(void **state)
{
	unsigned named = 0;

	(void)state;
	for (uint32_t source = WALL_VIEW_FIRST; source <= WALL_VIEW_LAST; source <<= 1)
		for (uint32_t reason = 0; reason < COUNT(advised); reason++) {
			const char *text = wall_advice(source, reason);

			for (const char *at = text ? strstr(text, "--") : NULL; at; at = strstr(at + 2, "--")) {
				size_t length = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");

				if (!is_option(at + 2, length))
					fail_msg("no such option: %.40s", at);
				named++;
			}
		}
	assert_true(named > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_is_where_it_helps),
		cmocka_unit_test(a_source_has_its_own_advice),
		cmocka_unit_test(all_options_named_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
