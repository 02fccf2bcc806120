/* SPDX-License-Identifier: MIT */
/* One line of a CPUID dump, in any of the usual formats. */
#ifndef HPT_TOOLS_DUMP_LINE_H
#define HPT_TOOLS_DUMP_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct hpt_dump_entry { uint32_t leaf, subleaf, regs[4]; };

enum hpt_dump_line {
	HPT_DUMP_OTHER,   /* another kind of line */
	HPT_DUMP_ENTRY,
	HPT_DUMP_BROKEN,  /* begins like an entry, but is cut or damaged */
};

enum hpt_dump_line hpt_dump_line(const char *text, struct hpt_dump_entry *ret);

/* Is this a header line above the registers of a logical CPU, in any of the formats? */
bool hpt_dump_is_cpu_header(const char *text);

#endif
