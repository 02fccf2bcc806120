/* SPDX-License-Identifier: MIT */
/* Facts about the default clock, the kernel and the processor. */
#ifndef HPT_TOOLS_MACHINE_H
#define HPT_TOOLS_MACHINE_H

#include "hpt/hpt.h"

#include "info/idle.h"
#include "info/kernel_aids.h"
#include "cli/out.h"
#include "info/vdso.h"

struct hpt_machine {
	struct hpt_clock_info  clock;
	struct hpt_source_info requested;       /* the source that HPT_SOURCE names, if it was refused */
	struct hpt_cpu_info    cpu;
	struct hpt_vdso     vdso;
	struct hpt_idle        wake;
	struct hpt_kernel_aids aids;
	bool has_cpu;
	char clocksource[32];                   /* "" if unreadable */
};

/* Measures for some 20 ms. False if the library found at run time is too old. */
bool hpt_machine_get(struct hpt_machine *ret);

json_t *hpt_machine_json(const struct hpt_machine *info);
struct libscols_table *hpt_machine_table(const struct hpt_machine *info);

#endif
