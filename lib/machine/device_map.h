/* SPDX-License-Identifier: MIT */
/* Registers of devices in memory, read-only: what machine/env.h says of these four. */
#ifndef HPT_DEVICE_MAP_H
#define HPT_DEVICE_MAP_H

#include "machine/env.h"

int hpt_map_hpet(const char *path, const volatile void **ret, uint32_t *ret_stage);
void hpt_unmap_hpet(const volatile void *page);
int hpt_map_registers(const char *path, uint64_t start, size_t length, const volatile void **ret, uint32_t *ret_stage);
void hpt_unmap_registers(const volatile void *start, size_t length);

#endif
