/* SPDX-License-Identifier: MIT */
/* The OS clock as a source. */
#ifndef HPT_OS_H
#define HPT_OS_H

#include "source/source.h"

/* The OS clock by system call, whatever the vDSO and the TSC are like. Needs only src->env. */
uint64_t hpt_os_read_syscall(const struct hpt_source *src);

#endif
