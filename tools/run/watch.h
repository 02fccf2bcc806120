/* SPDX-License-Identifier: MIT */
/* Runs a program in a child, and waits until it ends. */
#ifndef HPT_TOOLS_WATCH_H
#define HPT_TOOLS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* How the program ended. */
struct hpt_watched {
	int error;              /* errno of fork() or exec; 0: the program ran, and the others are set */
	bool did_fork;          /* false: the error is of fork() */
	int status;             /* as waitpid() has it */
	int64_t wall_ns;
	int64_t user_ns, system_ns; /* CPU time of it and of its children that it waited for */
};

/*
 * Meanwhile the signals that end a program, and SIGUSR1 and SIGUSR2, go on to it, if a process sent them to this one;
 * those of the terminal reach it anyway. They stay blocked afterwards.
 */
struct hpt_watched hpt_watch(char *argv[]);

/* The exit status of the program. Does not return if a signal ended it: the same ends this process. */
int hpt_watched_end(const struct hpt_watched *w);

#endif
