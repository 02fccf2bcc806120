/* SPDX-License-Identifier: MIT */
/* How many files this process has open, which a call that failed must not have changed. */
#ifndef HPT_TEST_OPEN_FILES_H
#define HPT_TEST_OPEN_FILES_H

#include <dirent.h>

#include "unit.h"

static inline uint32_t open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	uint32_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

#endif
