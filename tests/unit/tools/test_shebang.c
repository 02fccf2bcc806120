// SPDX-License-Identifier: MIT
/* First lines of scripts, as the kernel takes them. */
#include <string.h>

#include "unit.h"

#include "run/shebang.h"

static const char *interpreter(const char *head, size_t n)
{
	static char path[SHEBANG_MAX];

	memset(path, 'x', sizeof(path));
	return shebang_parse(head, n, path) ? path : NULL;
}

static void an_interpreter_ends_at_blanks_and_line_ends(void **state)
{
	static const struct { const char *head, *path; } rows[] = {
		{ "#!/bin/sh\n", "/bin/sh" }, { "#!/bin/sh -e\n", "/bin/sh" }, { "#! \t/bin/sh\t-e x\n", "/bin/sh" },
		{ "#!/bin/sh", "/bin/sh" }, { "#!sh\necho", "sh" }, { "#!/bin/sh\r\n", "/bin/sh\r" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(interpreter(rows[i].head, strlen(rows[i].head)), rows[i].path);
	/* The kernel reads a short file into a buffer of zeros. */
	assert_string_equal(interpreter("#!/bin/sh\0junk", 14), "/bin/sh");
}

static void other_files_are_no_scripts(void **state)
{
	static const char *const heads[] = {
		"", "#", "!", "#!", "#! ", "#!\n/bin/sh", "#! \t\n", "# !/bin/sh", "\177ELF",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(heads); i++)
		assert_null(interpreter(heads[i], strlen(heads[i])));
	assert_null(interpreter("#!/bin/sh", 1));
	assert_null(interpreter("#!/bin/sh", 0));
}

static void a_path_that_is_cut_off_is_refused(void **state)
{
	char head[SHEBANG_MAX];

	(void)state;
	memset(head, 'a', sizeof(head));
	head[0] = '#';
	head[1] = '!';
	assert_null(interpreter(head, sizeof(head)));
	head[sizeof(head) - 1] = '\n';
	assert_int_equal(strlen(interpreter(head, sizeof(head))), sizeof(head) - 3);
	assert_int_equal(strlen(interpreter(head, sizeof(head) - 1)), sizeof(head) - 3);
	head[sizeof(head) - 1] = 'a';
	head[5] = '\0';
	assert_string_equal(interpreter(head, sizeof(head)), "aaa");
	memset(head + 2, ' ', sizeof(head) - 2);
	assert_null(interpreter(head, sizeof(head)));
}

static void bytes_beyond_the_end_are_not_read(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(20000); i++) {
		size_t n = (size_t)(rand() % (SHEBANG_MAX + 1));
		char *head = malloc(n ? n : 1); /* a sanitizer sees a read beyond it */
		const char *path;

		assert_non_null(head);
		for (size_t k = 0; k < n; k++)
			head[k] = "#!/ab \t\n"[rand() % 8];
		if (n > 2 && rand() % 2)
			memcpy(head, "#!", 2);
		path = interpreter(head, n);
		if (path)
			assert_true(*path && strlen(path) <= n - 2 && !strpbrk(path, " \t\n"));
		free(head);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interpreter_ends_at_blanks_and_line_ends),
		cmocka_unit_test(other_files_are_no_scripts),
		cmocka_unit_test(a_path_that_is_cut_off_is_refused),
		cmocka_unit_test(bytes_beyond_the_end_are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
