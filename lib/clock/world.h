/* SPDX-License-Identifier: MIT */
/*
 * What an object that is built of the library is given: its contact with the machine, and how it chooses the source of
 * its default clock. Each has one definition: the library lib/clock/world.c, the object of "hpt run"
 * lib/preload/preload_env.c.
 */
#ifndef HPT_WORLD_H
#define HPT_WORLD_H

#include "arch/arch.h"
#include "clock/choose.h"

extern const struct hpt_world {
	const struct hpt_env *env;
	void (*choose)(struct hpt_boot *ret, const struct hpt_env *env); /* hpt_choose() or hpt_choose_os() */
} hpt_world HIDDEN;

#endif
