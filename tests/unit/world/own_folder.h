/* SPDX-License-Identifier: MIT */
/* A new folder for each test, which it runs in: a test's fixtures. */
#ifndef HPT_TEST_OWN_FOLDER_H
#define HPT_TEST_OWN_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static inline int enter_own_folder(void **state)
{
	char *folder = strdup("/tmp/hpt-unit-XXXXXX");

	*state = folder;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_own_folder(void **state)
{
	char command[64];
	int err;

	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	free(*state);
	err = chdir("/");
	return err || system(command);
}

/* How many files a folder has. */
static inline unsigned entries(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

#endif
