/* SPDX-License-Identifier: MIT */
/* mmio.h - clocks on a memory-mapped counter of a system on chip, which the program describes. */
#ifndef LIBHPT_MMIO_H
#define LIBHPT_MMIO_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hpt_mmio.flags */
enum {
	HPT_MMIO_DOWN   = 1, /* the counter counts down */
	HPT_MMIO_POLLED = 2 /* 16, 32 bits: the program promises a read (no sleep is one) in each half of the range */
};

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
enum { HPT_MMIO_SIZE_V0 = 96 };

/**
 * hpt_clock_open_mmio - a new clock on a memory-mapped counter
 *
 * @mmio:  describes the counter; either a UIO device or an address
 * @size:  sizeof(*mmio)
 * @flags: 0
 * @ret:   the new clock, with one holder; untouched on failure. hpt_clock_close() gives it back.
 *
 * Maps the counter's registers read-only, loads them once in a child process, which a bus error may end, and proves
 * that the counter counts in the stated direction. Each load has 32 bits in the processor's byte order. A counter of 64
 * bits has its low word first, and is read as high word, low word and high word again.
 *
 * A counter of 16 or 32 bits is extended to 64 bits by CLOCK_MONOTONIC_COARSE, if that is read without a system call
 * and its steps are at most 1/16 of the counter's range; or by the promise HPT_MMIO_POLLED. The extended ticks mean
 * nothing outside of their clock, and hpt_clock_get_timebase() returns -ENOTSUP. hpt_source(7) has the limits.
 *
 * Return: 0
 *         -EINVAL  a pointer is NULL, @size is less than HPT_MMIO_SIZE_V0, @flags is not 0, or a member has no valid
 *                  value
 *         -ENODEV  no UIO device has this name, or its node is not a character device
 *         -ENOTSUP the counter has 16 or 32 bits and cannot be extended here
 *         -EIO     loading the counter is a bus error, or it stands still, or counts in the other direction
 *         -ENOMEM  no memory
 *         other    errno of open(2), fstat(2) or mmap(2) on the device: -EACCES, -EPERM, ...; of clone(2) or wait(2)
 *         After a failure hpt_source_get_info() has stage and reason of HPT_SOURCE_MMIO.
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: that of a child process and some 400 reads, and up to 2 ms for a counter
 *         of 16 or 32 bits.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_open_mmio(const struct hpt_mmio *mmio, size_t size, uint32_t flags, hpt_clock **ret);

#ifdef __cplusplus
}
#endif

#endif
