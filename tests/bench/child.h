/* SPDX-License-Identifier: MIT */
/* New processes: starts one, times its whole life, and reads its standard output. */
#ifndef HPT_BENCH_CHILD_H
#define HPT_BENCH_CHILD_H

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* Returns the whole life of a child in nanoseconds, -1 if it failed. Reads up to @size bytes of its output to @ret. */
static inline int64_t bench_child(char *const argv[], void *ret, size_t size)
{
	posix_spawn_file_actions_t actions;
	int64_t start, ns;
	int fds[2], status;
	pid_t pid;

	if (pipe(fds))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	start = bench_ns();
	if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) || waitpid(pid, &status, 0) < 0)
		return -1;
	ns = bench_ns() - start;
	close(fds[1]);
	if (read(fds[0], ret, size) < 0)
		ns = -1;
	close(fds[0]);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? ns : -1;
}

#endif
