/* SPDX-License-Identifier: MIT */
/* The description of a memory-mapped counter: as text, in the variable HPT_MMIO, and as a struct hpt_mmio. */
#ifndef HPT_MMIO_TEXT_H
#define HPT_MMIO_TEXT_H

#include <stdint.h>

#include "hpt/mmio.h"

/*
 * Reads a list of fields, separated by commas: uio=NAME or devmem=ADDRESS, offset=BYTES, width=BITS, direction=up or
 * down, frequency=HZ, polled. Numbers are decimal, or hexadecimal after 0x. Returns HPT_REASON_NONE and fills in *ret,
 * or the HPT_REASON_ that names the wrong field.
 */
uint32_t hpt_mmio_parse(const char *text, struct hpt_mmio *ret);

/* HPT_REASON_NONE if all members have valid values, or the HPT_REASON_ that names the wrong one. */
uint32_t hpt_mmio_validate(const struct hpt_mmio *mmio);

#endif
