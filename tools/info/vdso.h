/* SPDX-License-Identifier: MIT */
/* Is clock_gettime() answered without entering the kernel? */
#ifndef HPT_TOOLS_VDSO_H
#define HPT_TOOLS_VDSO_H

#include <stdbool.h>
#include <stdint.h>

struct vdso {
	bool     is_virtual;            /* the C library's call costs less than half of the system call */
	uint64_t libc_ps, syscall_ps;   /* one call, median; 0 if not measured */
};

void vdso_measure(struct vdso *ret);

#endif
