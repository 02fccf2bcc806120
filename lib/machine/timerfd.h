/* SPDX-License-Identifier: MIT */
/*
 * A timer of timerfd_create(2), by the system call that the kernel or a sandbox admits: see machine/time_calls.h.
 * libc's function may be replaced, as by libfaketime, and the time is the kernel's own.
 */
#ifndef HPT_TIMERFD_H
#define HPT_TIMERFD_H

#include <stdint.h>

/* Sets a timer, with the flags of timerfd_settime(2), to a time, which 32-bit calls cut to 2038. 0, or -errno. */
int hpt_timerfd_set(int fd, int flags, int64_t ns);

#endif
