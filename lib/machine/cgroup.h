/* SPDX-License-Identifier: MIT */
/* The process's control groups that have a controller, in both versions, and the files of each. */
#ifndef HPT_CGROUP_H
#define HPT_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/env.h"

#define HPT_CGROUP_PATH_SIZE 4096  /* PATH_MAX */
#define HPT_CGROUP_LINE_SIZE 16384 /* two paths of some length, in which an escaped byte takes four */

/* The longest name of a file that is read of a group, with its slash and the end. */
#define HPT_CGROUP_NAME_SIZE 24

/* Files that are opened at most, so that many mounts of a deep hierarchy take no longer than some milliseconds. */
#define HPT_CGROUP_LOOKS 1000

/* In memory of its own, of zeros but for the first four: a thread's stack, or a signal handler's, may be too small. */
struct hpt_cgroups {
	const struct hpt_env *env;
	const char *controller;  /* "cpu", of version 1; in version 2 all are in one hierarchy */
	void (*look)(struct hpt_cgroups *g, int version); /* version 1 or 2 */
	void *ctx;               /* of look() */

	/* The group that is looked at. */
	char folder[2 * HPT_CGROUP_PATH_SIZE];
	size_t length;

	char path[2][HPT_CGROUP_PATH_SIZE]; /* the process's group in the hierarchy of version 1, 2; empty: not known */
	char line[HPT_CGROUP_LINE_SIZE];
	uint32_t looks;
};

/*
 * Looks at the process's group and at those above it, as far as they are mounted. May change errno. Callable from
 * signal handlers.
 */
void hpt_cgroup_each(struct hpt_cgroups *g);

/* In look(): the text of a file of the group, "/cpu.max". False: unreadable, or too long. */
bool hpt_cgroup_read(struct hpt_cgroups *g, const char *name, char *ret, size_t size);

#endif
