/* SPDX-License-Identifier: MIT */
/* The choice of the default clock's source: gathers facts, opens what is needed, keeps the winner. */
#ifndef HPT_CHOOSE_H
#define HPT_CHOOSE_H

#include "clock/clock.h"
#include "clock/source_status.h"

/* What load left behind: the chosen clock and what was asked for. */
struct hpt_boot {
	uint32_t requested;             /* HPT_SOURCE_ from the environment; AUTO if none or unknown */
	uint32_t flags;                 /* HPT_CLOCK_ENV_ */
	char     env_source[24];
	char     kernel_clocksource[32];
	struct hpt_source_status status[HPT_SOURCE_IDS];
	struct hpt_clock clk;
};

/* Chooses and fills in *ret, which is zeros. Cannot fail: the OS clock always works. */
void hpt_choose(struct hpt_boot *ret, const struct hpt_env *env);

/* Takes the OS clock and asks for nothing. May run twice at once on the same *ret: both runs write the same. */
void hpt_choose_os(struct hpt_boot *ret, const struct hpt_env *env);

#endif
