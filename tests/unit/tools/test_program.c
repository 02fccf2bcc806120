// SPDX-License-Identifier: MIT
/* Where the executable of a command is looked for, and what follows where it is not, or cannot be run. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "captured_err.h"

/* White box: the file system is the rows of a test. */
static ssize_t fake_readlink(const char *path, char *ret, size_t size);
static int fake_access(const char *path, int mode);
static int fake_execv(const char *path, char *const argv[]);
#define readlink fake_readlink
#define access fake_access
#define execv fake_execv
/* A prefix may have any name. */
#define HPT_EXEC_FOLDER "/usr/lib%s/hpt"
#define HPT_EXEC_FROM_BIN "../lib%s/hpt"
#include "cli/program.c"

static const struct cmd bench = { .name = "bench", .program = "hpt-bench" };

static const char *own;         /* this executable; NULL: /proc is not mounted */
static const char *there;       /* the one file that there is, or NULL */
static char asked[512];         /* the files asked for, a line each */
static const char *executed;
static char *const *arguments;

static ssize_t fake_readlink(const char *path, char *ret, size_t size)
{
	assert_string_equal(path, "/proc/self/exe");
	/* What the buffer held stays, and nothing ends the text. */
	snprintf(ret, size, "%s/rest", own ? own : "/before");
	return own ? (ssize_t)strlen(own) : -1;
}

static int fake_access(const char *path, int mode)
{
	size_t n = strlen(asked);

	assert_int_equal(mode, F_OK);
	snprintf(asked + n, sizeof(asked) - n, "%s\n", path);
	return there && !strcmp(path, there) ? 0 : -1;
}

static int fake_execv(const char *path, char *const argv[])
{
	assert_string_equal(path, there);
	executed = there;
	arguments = argv;
	errno = EACCES;
	return -1;
}

static int begin(void **state)
{
	(void)state;
	own = "/opt/bin/hpt";
	there = NULL;
	*asked = '\0';
	executed = NULL;
	*captured = '\0';
	return unsetenv("HPT_EXEC_PATH");
}

#define BESIDE    "/opt/bin/hpt-bench"
#define IN_PREFIX "/opt/bin/../lib%s/hpt/hpt-bench"
#define BUILT_IN  "/usr/lib%s/hpt/hpt-bench"

static void the_first_place_that_has_it(void **state)
{
	static const struct { const char *there, *asked; bool is_there; } rows[] = {
		{ BESIDE, BESIDE "\n", true },
		{ IN_PREFIX, BESIDE "\n" IN_PREFIX "\n", true },
		{ BUILT_IN, BESIDE "\n" IN_PREFIX "\n" BUILT_IN "\n", true },
		{ NULL, BESIDE "\n" IN_PREFIX "\n" BUILT_IN "\n", false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		there = rows[i].there;
		assert_int_equal(program_is_there(&bench), rows[i].is_there);
		assert_string_equal(asked, rows[i].asked);
	}
}

static void without_proc_only_where_it_was_to_be_installed(void **state)
{
	(void)state;
	own = NULL;
	there = BUILT_IN;
	assert_true(program_is_there(&bench));
	assert_string_equal(asked, BUILT_IN "\n");
}

static void a_folder_that_the_user_chose_is_the_only_one(void **state)
{
	(void)state;
	setenv("HPT_EXEC_PATH", "/mine", 1);
	there = BESIDE;
	assert_false(program_is_there(&bench));
	assert_string_equal(asked, "/mine/hpt-bench\n");
	assert_int_equal(program_become(&bench, NULL), EXIT_NOT_FOUND);
	assert_string_equal(captured, "bench: the program hpt-bench is not in /mine: install the package hpt-bench");
	setenv("HPT_EXEC_PATH", "", 1); /* as if it were unset */
	assert_true(program_is_there(&bench));
}

static void it_gets_the_whole_command_line(void **state)
{
	static char hpt[] = "hpt", option[] = "--json", name[] = "bench";
	char *argv[] = { hpt, option, name, NULL };

	(void)state;
	there = IN_PREFIX;
	assert_int_equal(program_become(&bench, argv), EXIT_NOT_RUN);
	assert_ptr_equal(executed, there);
	assert_ptr_equal(arguments, argv);
	assert_string_equal(captured, "bench: " IN_PREFIX " cannot be run: Permission denied");
}

static void where_it_is_missing_nothing_is_run(void **state)
{
	(void)state;
	assert_int_equal(program_become(&bench, NULL), EXIT_NOT_FOUND);
	assert_null(executed);
	assert_string_equal(captured,
			    "bench: the program hpt-bench is not in /usr/lib%s/hpt: install the package hpt-bench");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_first_place_that_has_it, begin),
		cmocka_unit_test_setup(without_proc_only_where_it_was_to_be_installed, begin),
		cmocka_unit_test_setup(a_folder_that_the_user_chose_is_the_only_one, begin),
		cmocka_unit_test_setup(it_gets_the_whole_command_line, begin),
		cmocka_unit_test_setup(where_it_is_missing_nothing_is_run, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
