/* SPDX-License-Identifier: MIT */
/* CPUID as recorded in a text file, in place of the processor's. */
#ifndef HPT_TOOLS_DUMP_H
#define HPT_TOOLS_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "info/dump_line.h"

/* A logical CPU has some 60 leaves and 7 KB; the largest report known is 2.7 MB long. */
#define DUMP_ENTRIES    1024
#define DUMP_FILE_BYTES (16u << 20)
#define DUMP_LINE_BYTES 4096

struct dump {
	size_t n;
	struct dump_entry entries[DUMP_ENTRIES];
	/* Set on failure: the line, or 0 if the failure concerns no single line, and the reason. */
	size_t line;
	char   wrong[128];
};

/* Parses the first logical CPU in a text. On false see ->line and ->wrong. */
bool dump_parse(struct dump *dump, const char *text, size_t n);

/* Records the reason of a failure. Returns false. */
bool dump_fail(struct dump *dump, size_t line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* An hpt_cpuid_fn; ctx is a const struct dump. A missing leaf gives zeros. */
void dump_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx);

#endif
