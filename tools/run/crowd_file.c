// SPDX-License-Identifier: MIT
/* Finds the crowd of programs under "hpt run", or makes it: tools/run/crowd_file.h. */
#include "run/crowd_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/shared_crowd.h"

#include "cli/cpus.h"
#include "cli/util.h"

/*
 * Programs on other CPUs take none from these, and another layout needs another file. FNV-1a, by Fowler, Noll and Vo:
 * two sets rarely have the same value.
 */
static uint32_t hash_of(const struct cpus *cpus)
{
	const unsigned char *bytes = (const unsigned char *)cpus;
	uint32_t hash = 2166136261u ^ (uint32_t)HPT_SHARED_CROWD_MAGIC;

	for (size_t i = 0; i < sizeof(*cpus); i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

/* Another user may have made a file of this name before. */
static bool is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & (S_IRWXG | S_IRWXO));
}

/* Or leaves it as it is. Several processes may do this at once: all write the same. */
static int make(int fd, uint32_t n_cpus)
{
	const struct hpt_shared_crowd head = { .magic = HPT_SHARED_CROWD_MAGIC, .cpus = n_cpus };

	if (ftruncate(fd, sizeof(head)) || pwrite(fd, &head, offsetof(struct hpt_shared_crowd, crowd), 0) < 0)
		return -errno;
	return 0;
}

static int prepare(const char *path, uint32_t n_cpus)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, S_IRUSR | S_IWUSR);
	struct stat st;
	int r = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		r = -errno;
	else if (!is_ours(&st) || (st.st_size && st.st_size != sizeof(struct hpt_shared_crowd)))
		r = -EEXIST;
	else
		r = make(fd, n_cpus);
	close(fd);
	return r;
}

char *crowd_file_get(const char *folder)
{
	struct cpus cpus;
	char *path;
	int r = cpus_of_thread(&cpus);

	if (r) {
		errno = -r;
		return NULL;
	}
	path = xasprintf("%s/hpt-run-%u-%08" PRIx32, folder, (unsigned)geteuid(), hash_of(&cpus));
	r = prepare(path, (uint32_t)cpus_count(&cpus));
	if (!r)
		return path;
	free(path);
	errno = -r;
	return NULL;
}
