/* SPDX-License-Identifier: MIT */
/* Facts about a processor, live or from a dump, under the same JSON keys. */
#ifndef HPT_TOOLS_CPU_FACTS_H
#define HPT_TOOLS_CPU_FACTS_H

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "info/dump.h"
#include "cli/out.h"

/* As hpt_cpu_get_info(), but from a dump. */
void cpu_facts_from_dump(const struct dump *dump, struct hpt_cpu_info *ret);

/* Adds the keys that a live processor and a dump have in common: vendor_id to class. */
void cpu_facts_json(json_t *object, const struct hpt_cpu_info *cpu);

#endif
