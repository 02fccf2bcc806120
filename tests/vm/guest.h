/* SPDX-License-Identifier: MIT */
/* Shared by the programs for the emulated machines: clocks by name, and the command that runs meanwhile. */
#ifndef HPT_GUEST_H
#define HPT_GUEST_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#define FAILED 99 /* a failure of this program itself, not of the command */

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline uint32_t source_by_name(const char *name)
{
	uint32_t id = HPT_SOURCE_AUTO;

	return hpt_source_parse(name, &id) ? HPT_SOURCE_AUTO : id;
}

/* NULL, the default clock, needs no opening. */
static inline hpt_clock *open_clock(const char *name)
{
	hpt_clock *clk = NULL;
	int r;

	if (!strcmp(name, "default"))
		return NULL;
	r = hpt_clock_open(source_by_name(name), 0, &clk);
	if (r) {
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, name, strerror(-r));
		exit(FAILED);
	}
	return clk;
}

/* The command chooses its source by itself; exec drops this process's mapping of the HPET. */
static inline pid_t start(char *const command[])
{
	pid_t pid = fork();

	if (pid)
		return pid;
	unsetenv("HPT_SOURCE");
	execvp(command[0], command);
	perror(command[0]);
	_exit(FAILED);
}

static inline int finish(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

#endif
