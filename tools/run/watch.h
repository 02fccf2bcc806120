/* SPDX-License-Identifier: MIT */
/* Runs a program in a child, and waits until it ends. */
#ifndef HPT_TOOLS_WATCH_H
#define HPT_TOOLS_WATCH_H

#include <stdint.h>

enum watch_stage { WATCH_PIPE, WATCH_FORK, WATCH_EXEC };

/* How the program ended. */
struct watched {
	int error;              /* errno; 0: the program ran, and the others are set */
	enum watch_stage stage; /* of the error: which call refused */
	int status;             /* as waitpid() has it */
	int64_t wall_ns;
	int64_t user_ns, system_ns; /* CPU time of it and of its children that it waited for */
};

/*
 * Meanwhile the signals that end a program, and SIGUSR1 and SIGUSR2, go on to it, if a process sent them to this one;
 * those of the terminal reach it anyway. They stay blocked afterwards.
 */
struct watched watch_run(char *argv[]);

/* The exit status of the program. Does not return if a signal ended it: the same ends this process. */
int watched_end(const struct watched *w);

#endif
