/* SPDX-License-Identifier: MIT */
/* mmio.h - clocks on a memory-mapped counter of a system on chip, which the program describes; part of hpt.h. */
#ifndef LIBHPT_MMIO_H
#define LIBHPT_MMIO_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hpt_mmio.flags */
#define HPT_MMIO_DOWN   1u /* the counter counts down */
#define HPT_MMIO_POLLED 2u /* 16 and 32 bits: the program promises a read in each half of the counter's range */

/*
 * Where a counter is, and how it counts. hpt_source(7) has the same as text, for the variable HPT_MMIO. The layout is
 * equal on all architectures. New members are added at the end; all zeros there mean what this version does.
 */
struct hpt_mmio {
	uint32_t width;        /* bits of the counter: 16, 32 or 64 */
	uint32_t flags;        /* sum of HPT_MMIO_ */
	uint64_t frequency_hz; /* ticks per second: 1000 to 10^10 */
	uint64_t address;      /* physical, to be mapped by /dev/mem; 0: by the UIO device */
	uint64_t offset;       /* bytes from there to the counter: a multiple of 4 */
	char     uio[64];      /* name of the UIO device, as /sys/class/uio/uioN/name shows it; "": by the address */
};
#define HPT_MMIO_SIZE_V0 96u

#ifdef __cplusplus
}
#endif

#endif
