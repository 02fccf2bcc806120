// SPDX-License-Identifier: MIT
/* Which object comes first, as AddressSanitizer's runtime asks it. */
#include "unit.h"

#include "preload/link_order.h"

enum answer { NONE, ANOTHER, ASAN };

/* "!": this object, which does not count. */
static enum answer answer_of(const char *const *names)
{
	struct hpt_link_order o = { 0 };

	for (; *names; names++)
		if (hpt_link_order_take(&o, **names == '!' ? *names + 1 : *names, **names != '!'))
			return o.is_asan_first ? ASAN : ANOTHER;
	assert_false(o.is_asan_first);
	return NONE;
}

static void the_first_object_that_counts_decides(void **state)
{
	static const struct { enum answer answer; const char *names[6]; } rows[] = {
		{ NONE, { NULL } },
		{ NONE, { "" } },
		{ NONE, { "", "linux-vdso.so.1", "!/o.so" } },
		{ NONE, { "libasan.so.8" } },
		{ ASAN, { "", "linux-vdso.so.1", "!/o.so", "/lib/libasan.so.8", "/lib/libc.so.6" } },
		{ ASAN, { "", "", "!/o.so", "/usr/lib/clang/14/lib/linux/libclang_rt.asan-x86_64.so" } },
		{ ASAN, { "", "linux-gate.so.1", "libasan.so.8", "!/o.so" } },
		{ ASAN, { "", "!/o.so", "linux-vdso.so.1", "libasan.so.6" } },
		{ ASAN, { "/bin/program", "libasan.so" } },
		{ ASAN, { "", "lilibasan.so" } },
		{ ANOTHER, { "", "/a.so", "!/o.so", "/lib/libasan.so.8" } },
		{ ANOTHER, { "", "!/o.so", "/lib/libc.so.6", "/lib/libasan.so.8" } },
		{ ANOTHER, { "", "/lib/libtsan.so.2", "/lib/libasan.so.8" } },
		{ ANOTHER, { "", "/lib/libclang_rt.ubsan_standalone-x86_64.so" } },
		{ ANOTHER, { "", "/lib/libasan.s" } },
		{ ANOTHER, { "", "/lib/linux-vdso.so.1" } },
		{ ANOTHER, { "", "!/x/libasan.so/o.so", "/lib/libc.so.6" } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(answer_of(rows[i].names), rows[i].answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_object_that_counts_decides) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
