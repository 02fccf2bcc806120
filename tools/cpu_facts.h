/* SPDX-License-Identifier: MIT */
/* What one processor is, live or from a dump, in the same words. */
#ifndef HPT_TOOLS_CPU_FACTS_H
#define HPT_TOOLS_CPU_FACTS_H

#include "hpt/hpt.h"

#include "dump.h"
#include "out.h"

/* As hpt_cpu_get_info(), from a dump. */
void hpt_cpu_facts_from_dump(const struct hpt_dump *dump, struct hpt_cpu_info *ret);

/* vendor_id to class: the keys that a live processor and a dump have in common. */
void hpt_cpu_facts_json(json_t *object, const struct hpt_cpu_info *cpu);

#endif
