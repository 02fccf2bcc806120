/* SPDX-License-Identifier: MIT */
/* Public structs that grow. */
#ifndef HPT_INFO_H
#define HPT_INFO_H

#include <stddef.h>
#include <stdint.h>

/* Hands out what fits; the first member tells how much that is. A longer tail is zeroed. */
void hpt_hand_out(void *ret, size_t size, void *info, uint32_t info_size);

#endif
