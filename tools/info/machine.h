/* SPDX-License-Identifier: MIT */
/* Facts about the default clock, the kernel and the processor. */
#ifndef HPT_TOOLS_MACHINE_H
#define HPT_TOOLS_MACHINE_H

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "info/core.h"
#include "info/idle.h"
#include "info/kernel_aids.h"
#include "cli/out.h"
#include "info/vdso.h"

struct machine {
	struct hpt_clock_info  clock;
	struct hpt_source_info requested;       /* the source that HPT_SOURCE names, if it was refused */
	struct hpt_cpu_info    cpu;
	struct vdso     vdso;
	struct idle        wake;
	struct kernel_aids aids;
	struct core core;
	bool has_cpu;
	char clocksource[32];                   /* "" if unreadable */
};

/* Measures for some 20 ms. False if the library found at run time is too old. */
bool machine_get(struct machine *ret);

json_t *machine_json(const struct machine *info);
struct libscols_table *machine_table(const struct machine *info);

#endif
