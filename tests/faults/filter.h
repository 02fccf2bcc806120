/* SPDX-License-Identifier: MIT */
/* Seccomp filters. May be called before constructors. */
#ifndef HPT_FAULTS_FILTER_H
#define HPT_FAULTS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

/* All system calls that read a clock. */
#ifdef SYS_clock_gettime64
#define CLOCK SYS_clock_gettime, SYS_clock_gettime64
#else
#define CLOCK SYS_clock_gettime
#endif

/* Makes these system calls fail with that errno value. Returns false where there is no seccomp. */
bool filter_deny(const long *calls, size_t n, int error);

/* The same by another prctl() than the program's. */
bool filter_deny_by(int (*own)(int option, ...), const long *calls, size_t n, int error);

enum filter_way { FILTER_BY_PRCTL, FILTER_BY_SECCOMP };

/* These system calls kill the thread. Returns false where there is no seccomp. */
bool filter_kill(const long *calls, size_t n, enum filter_way way);

/* Any system call but these and prctl(PR_GET_TSC) kills the process. Returns false where there is no seccomp. */
bool filter_allow_only(const long *calls, size_t n);

#endif
