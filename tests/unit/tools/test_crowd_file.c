// SPDX-License-Identifier: MIT
/* The file by which programs under hpt run know of each other: made once, and nothing else is taken for it. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "preload/shared_crowd.h"
#include "run/crowd_file.h"

static char folder[] = "/tmp/hpt-unit-XXXXXX";

/* Where it is, without the file. */
static char *path_new(void)
{
	char *path = crowd_file_get(folder);

	assert_non_null(path);
	assert_int_equal(unlink(path), 0);
	return path;
}

static void assert_refused(int error)
{
	errno = 0;
	assert_null(crowd_file_get(folder));
	assert_int_equal(errno, error);
}

static void file_is_made_once(void **state)
{
	char *path = crowd_file_get(folder), *again;
	struct hpt_shared_crowd content;
	struct stat st;
	FILE *f;

	(void)state;
	assert_non_null(path);
	assert_memory_equal(path, folder, strlen(folder));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(st.st_size, sizeof(content));
	f = fopen(path, "r+");
	assert_int_equal(fread(&content, sizeof(content), 1, f), 1);
	assert_int_equal(content.magic, HPT_SHARED_CROWD_MAGIC);
	assert_true(content.cpus >= 1);
	content.crowd.sleeps = 7;
	rewind(f);
	assert_int_equal(fwrite(&content, sizeof(content), 1, f), 1);
	fclose(f);
	again = crowd_file_get(folder);
	assert_string_equal(again, path);
	f = fopen(path, "r");
	assert_int_equal(fread(&content, sizeof(content), 1, f), 1);
	assert_int_equal(content.crowd.sleeps, 7);
	fclose(f);
	unlink(path);
	free(again);
	free(path);
}

static void other_cpus_have_another(void **state)
{
	cpu_set_t all, one;
	char *path, *other;
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	if (CPU_COUNT(&all) < 2)
		skip();
	path = path_new();
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	other = path_new();
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_string_not_equal(other, path);
	free(other);
	free(path);
}

static void nothing_else_is_taken_for_it(void **state)
{
	char *path = path_new(), other[80];
	FILE *f;

	(void)state;
	snprintf(other, sizeof(other), "%s/other", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused(EISDIR);
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(EEXIST);
	unlink(path);
	f = fopen(other, "w");
	fclose(f);
	assert_int_equal(symlink(other, path), 0);
	assert_refused(ELOOP);
	unlink(path);
	assert_int_equal(link(other, path), 0);
	chmod(path, 0620);
	assert_refused(EEXIST);
	chmod(path, 0600);
	assert_int_equal(truncate(path, sizeof(struct hpt_shared_crowd) + 1), 0);
	assert_refused(EEXIST);
	unlink(path);
	unlink(other);
	free(path);
}

static void another_users_is_not_taken(void **state)
{
	char *path = path_new();
	FILE *f = fopen(path, "w");

	(void)state;
	fclose(f);
	chmod(path, 0600);
	if (chown(path, 65533, (gid_t)-1)) {
		unlink(path);
		free(path);
		skip();
	}
	assert_refused(EEXIST);
	unlink(path);
	free(path);
}

static void folder_may_be_missing(void **state)
{
	(void)state;
	errno = 0;
	assert_null(crowd_file_get("/nonexistent"));
	assert_int_equal(errno, ENOENT);
}

static int set_up(void **state)
{
	(void)state;
	umask(0);
	return !mkdtemp(folder);
}

static int tear_down(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_is_made_once),
		cmocka_unit_test(other_cpus_have_another),
		cmocka_unit_test(nothing_else_is_taken_for_it),
		cmocka_unit_test(another_users_is_not_taken),
		cmocka_unit_test(folder_may_be_missing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
