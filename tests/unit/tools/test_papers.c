// SPDX-License-Identifier: MIT
/* Where the linker put the sleep of the papers. */
#include "unit.h"

#include "bench/papers.h"

static void papers_lie_in_pages_of_their_own(void **state)
{
	uintptr_t rule = (uintptr_t)papers_rule.enter, busy = (uintptr_t)papers_busy.enter;
	uintptr_t end = (uintptr_t)papers_end;

	(void)state;
	assert_int_equal(rule % 4096, 0);
	assert_int_equal(busy % 4096, 0);
	assert_int_equal(end % 4096, 0);
	assert_true(rule != busy && rule < end && busy < end);
	assert_true(end - rule <= 8192 && end - busy <= 8192);
	assert_int_equal((uintptr_t)&papers_rule % 64, 0);
	assert_int_equal((uintptr_t)&papers_busy % 64, 0);
	assert_int_equal(sizeof(papers_rule) % 64, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(papers_lie_in_pages_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
