/* SPDX-License-Identifier: MIT */
/* The OS clock as a source: CLOCK_MONOTONIC, in ticks of 1 ns, or of another length for tests: HPT_OS_HZ. */
#ifndef HPT_OS_H
#define HPT_OS_H

#include "source/source.h"

extern const struct hpt_source_ops hpt_source_os;

/* Reads the OS clock by system call, without the vDSO and the TSC. Needs only src->env. Leaves errno unchanged. */
uint64_t hpt_os_read_syscall(const struct hpt_source *src);

#endif
