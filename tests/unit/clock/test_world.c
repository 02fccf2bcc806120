// SPDX-License-Identifier: MIT
/* The world of the library is the machine itself, with all sources to choose from. */
#include "unit.h"

#include "clock/world.h"
#include "machine/live.h"

static void library_is_given_the_live_machine_and_every_source(void **state)
{
	(void)state;
	assert_ptr_equal(hpt_world.env, &hpt_env_live);
	assert_ptr_equal(hpt_world.choose, hpt_choose);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(library_is_given_the_live_machine_and_every_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
