/* SPDX-License-Identifier: MIT */
/* How public structs that may grow are returned. */
#ifndef HPT_INFO_H
#define HPT_INFO_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copies to ret the first bytes of info, as many as both sizes allow, and zeroes the rest of ret. The first member of
 * info, a uint32_t, is set to the number of bytes copied.
 */
void hpt_hand_out(void *ret, size_t size, void *info, uint32_t info_size);

#endif
