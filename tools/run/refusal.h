/* SPDX-License-Identifier: MIT */
/* Why the kernel refuses to make or to run a program, and what helps. Pure functions. */
#ifndef HPT_TOOLS_REFUSAL_H
#define HPT_TOOLS_REFUSAL_H

#include <stdbool.h>

/* @is_deadline: the caller is SCHED_DEADLINE, without the flag by which its children would not be. */
const char *refusal_of_fork(int error, bool is_deadline);

/* @is_there: the file of that name is there and may be run. */
const char *refusal_of_exec(int error, bool is_there);

#endif
