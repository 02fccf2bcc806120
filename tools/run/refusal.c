// SPDX-License-Identifier: MIT
/* Says why the kernel refuses to make or to run a program: tools/run/refusal.h. */
#include "run/refusal.h"

#include <errno.h>
#include <string.h>

/* EAGAIN has several causes: sched_fork() in kernel/sched/core.c, copy_process() in kernel/fork.c. */
const char *refusal_of_fork(int error, bool is_deadline)
{
	if (error != EAGAIN)
		return strerror(error);
	if (is_deadline)
		return "Linux lets no thread of SCHED_DEADLINE fork; give CMD alone this class, by chrt -d before CMD, "
		       "or set SCHED_FLAG_RESET_ON_FORK, by chrt -R, with which CMD does not have the class";
	return "a limit on processes is reached: the user's (ulimit -u), the cgroup's (pids.max) or the system's "
	       "(kernel.threads-max, kernel.pid_max)";
}

/* The kernel has the same numbers for a missing interpreter, and for scripts as interpreters of scripts. */
const char *refusal_of_exec(int error, bool is_there)
{
	if (error == ENOENT && is_there)
		return "the file is there, but its interpreter or its dynamic linker is not";
	if (error == ELOOP && is_there)
		return "too many scripts are each other's interpreters";
	if (error == EAGAIN)
		return "the user has more processes than the limit (ulimit -u) allows";
	return strerror(error);
}
