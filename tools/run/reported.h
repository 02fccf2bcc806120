/* SPDX-License-Identifier: MIT */
/* Runs a program whose waits are counted, and reports the counts when it has ended. */
#ifndef HPT_TOOLS_REPORTED_H
#define HPT_TOOLS_REPORTED_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "run/watch.h"

struct reported {
	/* Prints the counts; program: as it was called. */
	void (*print)(const void *counts, const struct watched *w, const char *program, FILE *to);

	/* Open while this process stays. */
	const void *counts;     /* NULL: no report is asked for */
	FILE *to;
	const char *to_name;
};

/* Of the report; file NULL: standard error. False is said on stderr. */
bool reported_open(const struct cmd *cmd, const char *file, struct reported *ret);

/* counts: of the programs that this process starts; NULL: errno. False is said on stderr. */
bool reported_hold(const struct cmd *cmd, const void *counts, struct reported *ret);

/* Runs the program. Returns the command's exit status, if a signal does not end it. */
int reported_run(const struct cmd *cmd, char *argv[], const struct reported *r);

/* Says what failed on stderr. Returns EXIT_OWN. */
int reported_fail(const struct cmd *cmd, const char *what, int error);

/* Says why the program cannot be run. Returns the exit status. */
int reported_exec_refused(const struct cmd *cmd, const char *program, int error);

#endif
