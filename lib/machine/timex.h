/* SPDX-License-Identifier: MIT */
/* adjtimex(2), by the call that the kernel or a sandbox admits: see machine/time_calls.h. */
#ifndef HPT_TIMEX_H
#define HPT_TIMEX_H

#include <sys/timex.h>

/* As adjtimex(2) that changes nothing: returns TIME_OK ..., or -errno. What the old call gives is what walls use. */
int hpt_adjtimex(struct timex *ret);

#endif
