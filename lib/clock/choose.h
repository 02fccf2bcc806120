/* SPDX-License-Identifier: MIT */
/* The choice of the default clock's source: gathers facts, opens what is needed, keeps the winner. */
#ifndef HPT_CHOOSE_H
#define HPT_CHOOSE_H

#include "clock/clock.h"
#include "clock/source_status.h"

/* The result of load: the chosen clock, and the facts found on the way to it. */
struct hpt_boot {
	uint32_t requested;             /* HPT_SOURCE_ by the environment; AUTO if it names none or an unknown one */
	uint32_t flags;                 /* HPT_CLOCK_ENV_ */
	char     env_source[24];        /* the variable HPT_SOURCE, cut to size */
	struct hpt_source_status status[HPT_SOURCE_IDS];
	struct hpt_findings own; /* about the processor's own counter; zeros if it is not open */
	struct hpt_clock clk;
};

/* Chooses and fills in *ret, which the caller has zeroed. Cannot fail: the OS clock always works. May change errno. */
void hpt_choose(struct hpt_boot *ret, const struct hpt_env *env);

/*
 * Takes the OS clock, without reading the environment or trying another source. May run twice at once on the same *ret:
 * both runs write the same.
 */
void hpt_choose_os(struct hpt_boot *ret, const struct hpt_env *env);

#endif
