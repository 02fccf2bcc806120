/* SPDX-License-Identifier: MIT */
/* A folder with the files of control groups, and what /proc says of where they are. */
#ifndef HPT_TEST_CGROUP_WORLD_H
#define HPT_TEST_CGROUP_WORLD_H

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "fake_env.h"

#define SELF   "/proc/self/cgroup"
#define MOUNTS "/proc/self/mountinfo"

static char root[64], cgroup_path[96], mountinfo_path[96];

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static inline void remove_all(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Each test begins with an empty folder. */
static inline int setup(void **state)
{
	if (root[0])
		remove_all();
	else
		atexit(remove_all);
	strcpy(root, "/tmp/hpt-cgroup-XXXXXX");
	assert_non_null(mkdtemp(root));
	snprintf(cgroup_path, sizeof(cgroup_path), "%s/self", root);
	snprintf(mountinfo_path, sizeof(mountinfo_path), "%s/mounts", root);
	fake_env_setup(state);
	fake_env_place(SELF, cgroup_path);
	fake_env_place(MOUNTS, mountinfo_path);
	return 0;
}

static inline void write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

/* A file below the folder, whose own folders it makes. */
static inline void put(const char *name, const char *text)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *c = path + strlen(root) + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		mkdir(path, 0700);
		*c = '/';
	}
	write_file(path, text, strlen(text));
}

static inline void cgroup_is(const char *text)
{
	write_file(cgroup_path, text, strlen(text));
}

/* A '@' in the text is the folder. */
static inline void mounts_are(const char *text)
{
	static char all[200000];
	char *to = all;

	for (; *text; text++)
		if (*text == '@')
			to = stpcpy(to, root);
		else
			*to++ = *text;
	write_file(mountinfo_path, all, (size_t)(to - all));
}

#define V2_AT(where, at) "30 23 0:26 " where " " at " rw,nosuid,nodev - cgroup2 cgroup2 rw,nsdelegate\n"
#define V2 V2_AT("/", "@/v2")
#define V1_AT(where, at) "33 31 0:30 " where " " at " rw,relatime shared:9 master:3 - cgroup cgroup rw,cpu,cpuacct\n"
#define V1 V1_AT("/", "@/v1")

#endif
