/* SPDX-License-Identifier: MIT */
/* How public structs that may grow are returned and taken: the caller passes the size of the struct that it knows. */
#ifndef HPT_SIZED_H
#define HPT_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copies to ret the first bytes of info, as many as both sizes allow, and zeroes the rest of ret. The first member of
 * info, a uint32_t, is set to the number of bytes copied.
 */
void hpt_hand_out(void *ret, size_t size, void *info, uint32_t info_size);

/*
 * True if a caller's struct of `size` bytes can be taken: it has what the first version had, and the members that this
 * version does not know, beyond the first `known` bytes, are zeros, which mean what it does.
 */
bool hpt_can_take(const void *given, size_t size, size_t first, size_t known);

#endif
