// SPDX-License-Identifier: MIT
/*
 * Makes a control group with a CPU quota: tools/bench/quota_group.h. See Linux's admin-guide/cgroup-v2.rst and
 * cgroup-v1/ in Documentation/.
 *
 * A group of version 2 with processes in it cannot hand quotas down to groups below it, but for the topmost. So the new
 * one stands beside the process's own.
 */
#include "bench/quota_group.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/util.h"
#include "math/units.h"

/* A thread that was joined may still be in its group until the kernel has ended it. */
#define REMOVE_TRIES   100
#define REMOVE_STEP_NS 10000000

/* ---- Where the process's group is ------------------------------------------------------------------------------- */

/* The controllers of version 1 are written as the options of a mount are. */
static bool has_cpu(char *controllers)
{
	const struct mntent mount = { .mnt_opts = controllers };

	return hasmntopt(&mount, "cpu");
}

/* Version 1 has the quotas where its hierarchy has the controller. Lines are "ID:CONTROLLERS:PATH". */
static void find_path(FILE *groups, struct quota_place *ret)
{
	char *line = NULL;
	size_t size = 0;

	while (ret->version != 1 && getline(&line, &size, groups) > 0) {
		char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		if (strlen(path) >= sizeof(ret->path) || (controllers[1] && !has_cpu(controllers + 1)))
			continue;
		ret->version = controllers[1] ? 1 : 2;
		strcpy(ret->path, path);
	}
	free(line);
}

static bool has_quotas(const struct mntent *mount, int version)
{
	if (version == 2)
		return !strcmp(mount->mnt_type, "cgroup2");
	return !strcmp(mount->mnt_type, "cgroup") && hasmntopt(mount, "cpu");
}

bool quota_group_find(FILE *groups, FILE *mounts, struct quota_place *ret)
{
	const struct mntent *mount;

	*ret = (struct quota_place){ 0 };
	find_path(groups, ret);
	while (ret->version && (mount = getmntent(mounts)))
		if (has_quotas(mount, ret->version) && strlen(mount->mnt_dir) < sizeof(ret->mount)) {
			strcpy(ret->mount, mount->mnt_dir);
			return true;
		}
	return false;
}

/* ---- Files of groups -------------------------------------------------------------------------------------------- */

/* 0, or a negative errno. */
static int put(const char *folder, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC), r = 0;

	free(path);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		r = -errno;
	close(fd);
	return r;
}

/* True: the process is in this group. */
static bool holds_self(const char *folder)
{
	char *path = xasprintf("%s/cgroup.procs", folder);
	FILE *f = fopen(path, "re");
	long pid = 0;

	free(path);
	while (f && pid != getpid() && fscanf(f, "%ld", &pid) == 1)
		;
	if (f)
		fclose(f);
	return pid == getpid();
}

/* ---- Entering and leaving --------------------------------------------------------------------------------------- */

static bool find_self(struct quota_place *ret)
{
	FILE *groups = fopen("/proc/self/cgroup", "re"), *mounts = fopen("/proc/self/mounts", "re");
	bool is_found = groups && mounts && quota_group_find(groups, mounts, ret);

	if (groups)
		fclose(groups);
	if (mounts)
		fclose(mounts);
	return is_found;
}

/* The folder of the process's group. In a container its path may be that of the host, and the mount the group. */
static bool find_own(const struct quota_place *place, struct quota_group *g)
{
	snprintf(g->own, sizeof(g->own), "%s%s", place->mount, strcmp(place->path, "/") ? place->path : "");
	if (holds_self(g->own))
		return true;
	strcpy(g->own, place->mount);
	return holds_self(g->own);
}

/* Beside the process's group, or in it where that is the topmost. */
static void name_new(const struct quota_place *place, struct quota_group *g)
{
	size_t above = strlen(g->own);

	if (place->version == 2 && strcmp(g->own, place->mount))
		while (g->own[--above] != '/')
			;
	snprintf(g->folder, sizeof(g->folder), "%.*s/hpt-bench-%d", (int)above, g->own, (int)getpid());
}

static int set_quota(const struct quota_place *place, const char *folder, uint32_t percent)
{
	int64_t period_us = QUOTA_PERIOD_NS / NS_PER_US, quota_us = period_us * percent / 100;
	char text[64];
	int r;

	if (place->version == 2) {
		snprintf(text, sizeof(text), "%" PRId64 " %" PRId64, quota_us, period_us);
		r = put(folder, "cpu.max", text);
		return r == -ENOENT ? -EOPNOTSUPP : r;
	}
	snprintf(text, sizeof(text), "%" PRId64, period_us);
	r = put(folder, "cpu.cfs_period_us", text);
	if (r)
		return r;
	snprintf(text, sizeof(text), "%" PRId64, quota_us);
	r = put(folder, "cpu.cfs_quota_us", text);
	return r == -EINVAL ? -ERANGE : r;
}

/* What another process with this number has left is removed first. */
static int make_folder(const char *folder)
{
	if (mkdir(folder, 0755) && (errno != EEXIST || rmdir(folder) || mkdir(folder, 0755)))
		return -errno;
	return 0;
}

int quota_group_enter(uint32_t percent, struct quota_group *ret)
{
	struct quota_place place;
	int r;

	if (!find_self(&place) || !find_own(&place, ret))
		return -ENOENT;
	name_new(&place, ret);
	r = make_folder(ret->folder);
	if (r)
		return r;
	r = set_quota(&place, ret->folder, percent);
	if (!r)
		r = put(ret->folder, "cgroup.procs", "0"); /* the writer */
	if (r)
		rmdir(ret->folder);
	return r;
}

const char *quota_group_text(int error)
{
	switch (-error) {
	case ENOENT:
		return "no control groups with CPU quotas were found";
	case EOPNOTSUPP:
		return "the control group above does not hand CPU quotas down";
	case ERANGE:
		return "a control group above has a smaller quota";
	default:
		return strerror(-error);
	}
}

int64_t quota_group_stops(const struct quota_group *g)
{
	char *path = xasprintf("%s/cpu.stat", g->folder), name[64];
	FILE *f = fopen(path, "re");
	int64_t value, stops = -1;

	free(path);
	while (f && stops < 0 && fscanf(f, "%63s %" SCNd64, name, &value) == 2)
		if (!strcmp(name, "nr_throttled"))
			stops = value;
	if (f)
		fclose(f);
	return stops;
}

static int remove_folder(const char *folder)
{
	const struct timespec step = { .tv_nsec = REMOVE_STEP_NS };

	for (int tries = 1; rmdir(folder); tries++) {
		if (errno != EBUSY || tries == REMOVE_TRIES)
			return -errno;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
	}
	return 0;
}

int quota_group_leave(const struct quota_group *g)
{
	int r = put(g->own, "cgroup.procs", "0");

	return r ? r : remove_folder(g->folder);
}
