/* SPDX-License-Identifier: MIT */
/* A CPU's caches, speed and governor: what the papers state of each of their machines. */
#ifndef HPT_TOOLS_CORE_H
#define HPT_TOOLS_CORE_H

#include <stdint.h>

#include "cli/out.h"

#define CORE_CACHES_MAX 8

struct core_cache {
	int level;                      /* from 1 */
	char type[16];                  /* "Data", "Instruction", "Unified", as the kernel has it */
	int64_t bytes;
	int cpus;                       /* that share it; 0: unknown */
};

struct core {
	unsigned n_caches;
	struct core_cache caches[CORE_CACHES_MAX];
	int64_t khz, least_khz, most_khz; /* now, and by the governor's limits; 0: unknown */
	char governor[32];              /* of the speed; "": the kernel does not set it */
};

/* @root is put before the paths of files, "" for this machine's. What a file does not state stays unknown. */
void core_find(const char *root, int cpu, struct core *ret);

/* The same for this machine, and the CPU that the thread is on. */
void core_get(struct core *ret);

/* 32K, 1M, 512; 0: no size. */
int64_t core_parse_size(const char *text);

/* "cpu MHz : 2445.432" in kHz; 0: another line. */
int64_t core_parse_mhz(const char *line);

json_t *core_json(const struct core *c);
void core_table(struct libscols_table *tb, const struct core *c);

#endif
