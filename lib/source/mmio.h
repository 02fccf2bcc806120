/* SPDX-License-Identifier: MIT */
/* A memory-mapped counter, described by a struct hpt_mmio. hpt_source_mmio has it from the variable HPT_MMIO. */
#ifndef HPT_SOURCE_MMIO_H
#define HPT_SOURCE_MMIO_H

#include "hpt/mmio.h"
#include "source/source.h"

extern const struct hpt_source_ops hpt_source_mmio;

/* As hpt_source_open(), for this counter: -EINVAL if a member of the description has no valid value. */
int hpt_mmio_open(struct hpt_source *src, const struct hpt_env *env, const struct hpt_mmio *mmio);

#endif
