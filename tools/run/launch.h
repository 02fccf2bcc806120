/* SPDX-License-Identifier: MIT */
/* Prepares this process for the program that it becomes: environment, timer slack and time slice. */
#ifndef HPT_TOOLS_LAUNCH_H
#define HPT_TOOLS_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* The choices of the command line. */
struct hpt_launch {
	const char *name;       /* of the command, for messages */
	uint32_t policy;        /* HPT_SLEEP_ */
	int64_t max_spin_ns;    /* 0: the policy's own */
	int64_t least_ns;
	int64_t budget_percent;
	int64_t slack_ns;       /* 0: as it is */
	bool is_loaded;         /* the object is to be loaded into the program */
	bool is_strict;         /* the program does not run if something cannot be had */
	bool needs_slice;       /* say so if there are no short time slices */
	bool keeps_slice;       /* the time slice stays as it is */
};

/*
 * Sets all but the file of counts. Says on stderr, one line each, what cannot be had. False: then the program must not
 * run, because of is_strict.
 */
bool hpt_launch_prepare(const struct hpt_launch *l, const char *program);

/* Becomes the program. Returns errno. */
int hpt_launch_exec(char *argv[]);

/* The exit status for an errno of hpt_launch_exec(). */
int hpt_launch_status(int error);

#endif
