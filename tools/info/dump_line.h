/* SPDX-License-Identifier: MIT */
/* One line of a CPUID dump, in any of the usual formats. */
#ifndef HPT_TOOLS_DUMP_LINE_H
#define HPT_TOOLS_DUMP_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct dump_entry { uint32_t leaf, subleaf, regs[4]; };

enum dump_line {
	DUMP_OTHER,   /* another kind of line */
	DUMP_ENTRY,
	DUMP_BROKEN,  /* begins like an entry, but is cut or damaged */
};

enum dump_line dump_line(const char *text, struct dump_entry *ret);

/* Is this a header line above the registers of a logical CPU, in any of the formats? */
bool dump_is_cpu_header(const char *text);

#endif
