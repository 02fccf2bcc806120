/* SPDX-License-Identifier: MIT */
/*
 * The system calls about time that a 32-bit program has twice. glibc asks by the 64-bit call, and after ENOSYS by the
 * old one; these do so after any other error too, since a sandbox may answer what it likes: see machine/sys_clock.h.
 */
#ifndef HPT_TIME_CALLS_H
#define HPT_TIME_CALLS_H

#include <stdint.h>
#include <time.h>

/* The step of a clock by clock_getres(2), or INT64_MAX. */
int64_t hpt_clock_step_ns(clockid_t id);

/* As nanosleep(2), for less than a second. */
void hpt_nap_ns(int64_t ns);

#endif
