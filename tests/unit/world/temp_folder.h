/* SPDX-License-Identifier: MIT */
/* A temporary folder with files of bytes, removed at exit. */
#ifndef HPT_TEST_TEMP_FOLDER_H
#define HPT_TEST_TEMP_FOLDER_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static char temp_folder[64];

/* The files that tests make. */
static const char *const temp_names[] = { "shm0", "shm1", "data", "next", "offsets", "fifo", "loop", "data/data" };

static char temp_paths[8][96];

/* Stays valid. Threads may call it. */
static inline const char *temp_path(const char *name)
{
	for (size_t i = 0; i < COUNT(temp_names); i++)
		if (!strcmp(name, temp_names[i]))
			return temp_paths[i];
	abort();
}

static inline void temp_clear(void)
{
	for (size_t i = 0; i < COUNT(temp_names); i++)
		(void)unlink(temp_path(temp_names[i]));
}

static inline void temp_remove(void)
{
	temp_clear();
	(void)rmdir(temp_folder);
}

static inline void temp_make(void)
{
	if (!temp_folder[0]) {
		strcpy(temp_folder, "/tmp/hpt-unit-XXXXXX");
		if (!mkdtemp(temp_folder))
			abort();
		for (size_t i = 0; i < COUNT(temp_names); i++)
			snprintf(temp_paths[i], sizeof(temp_paths[i]), "%s/%s", temp_folder, temp_names[i]);
		atexit(temp_remove);
	}
	temp_clear();
}

/* Writes the file as a daemon does: in place, and no longer than that. */
static inline void temp_write(const char *name, const void *bytes, size_t n)
{
	int fd = open(temp_path(name), O_RDWR | O_CREAT, 0644);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	assert_int_equal(pwrite(fd, bytes, n, 0), n);
	close(fd);
}

#endif
