/* SPDX-License-Identifier: MIT */
/* A control group with a CPU quota, made for this process, and removed after. */
#ifndef HPT_TOOLS_QUOTA_GROUP_H
#define HPT_TOOLS_QUOTA_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* That of containers, if nothing else is asked for. */
#define QUOTA_PERIOD_NS 100000000

/* 1 % is a millisecond of each period, the kernel's least quota. */
#define QUOTA_PERCENT_MIN 1
#define QUOTA_PERCENT_MAX 100000

/* Where the process's own group is, in the hierarchy that has quotas. */
struct quota_place {
	int version;            /* 1 or 2 */
	char mount[1024];       /* where the hierarchy is mounted */
	char path[1024];        /* of the group in it: "/..." */
};

/* @groups, @mounts: as /proc/self/cgroup and /proc/self/mounts. False: no hierarchy has CPU quotas. */
bool quota_group_find(FILE *groups, FILE *mounts, struct quota_place *ret);

struct quota_group {
	char own[2048];         /* the folder of the group from which the process came */
	char folder[2048 + 64];
};

/*
 * Moves all threads of the process into a new group with a quota in per cent of a CPU. 0; -ENOENT: no control groups
 * with CPU quotas were found; -EOPNOTSUPP: a new group of version 2 has none, because the one above it does not hand
 * them down; -ERANGE: a group above has a smaller quota; or the errno of a file, which is mostly one of missing rights.
 */
int quota_group_enter(uint32_t percent, struct quota_group *ret);

/* What that value means. */
const char *quota_group_text(int error);

/* The number of periods in which the group used its quota up, and its threads were stopped. -1: it cannot be read. */
int64_t quota_group_stops(const struct quota_group *g);

/* Moves the process back, and removes the group. 0, or a negative errno: it remains. */
int quota_group_leave(const struct quota_group *g);

#endif
