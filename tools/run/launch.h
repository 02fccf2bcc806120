/* SPDX-License-Identifier: MIT */
/* Prepares this process for the program that it becomes: environment, timer slack and time slice. */
#ifndef HPT_TOOLS_LAUNCH_H
#define HPT_TOOLS_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/words.h"
#include "sleep/spin_terms.h"

/* The choices of the command line. */
struct launch {
	const char *name;       /* of the command, for messages */
	uint32_t policy;        /* HPT_SLEEP_ */
	int64_t max_spin_ns;    /* 0: the policy's own */
	int64_t least_ns;
	int64_t budget_percent;
	int64_t slack_ns;       /* 0: as it is */
	enum hpt_run_waits waits;
	bool has_fine_coarse;   /* the coarse clocks are to be the fine ones */
	char *exclude;          /* names of programs that are left alone, with colons between; NULL: none */
	bool is_loaded;         /* the object is to be loaded into the program */
	bool is_strict;         /* the program does not run if something cannot be had */
	bool has_slice;         /* a short time slice is to be set */
	bool is_explained;      /* all of struct launched is wanted */
};

/* What was found and done, as it is for the program. */
struct launched {
	char *path;             /* of the program; of a script its interpreter; NULL: not looked for, or not found */
	char *hindrance;        /* why the object is not loaded; NULL: it is, or was not to be */
	char *object;           /* the path by which it is; NULL: it is not */
	int crowd_error;        /* why programs do not know of each other's sleeps, an errno; 0: they do */
	int64_t slack_before_ns, slack_ns; /* 0: unknown, or none */
	struct hpt_surroundings surroundings; /* unless neither object nor explanation is wanted */
	/* For an explanation: */
	int64_t slice_before_ns, slice_ns; /* 0: none that can be set */
	int policy;             /* SCHED_, without SCHED_RESET_ON_FORK; -1: unknown */
};

/*
 * Sets all but the file of counts. Says on stderr, one line each, what cannot be had. False: then the program must not
 * run, because of is_strict.
 */
bool launch_prepare(const struct launch *l, const char *program, struct launched *ret);

void launched_clear(struct launched *d);

/* Becomes the program. Returns errno. */
int launch_exec(char *argv[]);

/* The exit status for an errno of launch_exec(). */
int launch_status(int error);

#endif
