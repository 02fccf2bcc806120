// SPDX-License-Identifier: MIT
/* The words for how late the kernel wakes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "info/idle.h"

/* Just below and at each limit. */
static void words_change_by_steps(void **state)
{
	static const struct { int64_t late_ns; const char *word; } rows[] = {
		{ 0, "soon" }, { 14999, "soon" }, { 15000, "between" }, { 29999, "between" }, { 30000, "typical" },
		{ 199999, "typical" }, { 200000, "LATE" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_memory_equal(idle_words(rows[i].late_ns), rows[i].word, strlen(rows[i].word));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(words_change_by_steps) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
