/* SPDX-License-Identifier: MIT */
/*
 * The contract between a source of bounds and a wall. A source is one file, lib/wall/NAME.c, that ends in one const
 * struct hpt_wall_source_ops. It does not depend on other sources, keeps nothing between two questions, and decides
 * nothing: the record does (wall_record.h).
 */
#ifndef HPT_WALL_SOURCE_H
#define HPT_WALL_SOURCE_H

#include "clock/clock.h"
#include "wall/wall_record.h"

/* A question to a source. */
struct hpt_wall_ask {
	struct hpt_clock *clk;                  /* the wall's; its env is clk->src.env */
	const struct hpt_wall_config *config;   /* as the program opened the wall: empty strings are defaults */
	const volatile void *vmclock;           /* VMClock's page, mapped by hpt_vmclock_map(); NULL: none */
	uint32_t expected;                      /* how many sources a daemon had when it was asked last; set again */
	int error;                              /* set by the source: errno's value for a call that failed, or 0 */
};

struct hpt_wall_source_ops {
	uint32_t id;
	bool     is_on_request;                 /* used only if config.sources names it */
	/*
	 * Asks once. HPT_WALL_REASON_NONE: *ret, all zeros before, is filled in but for sample.source. Else why the
	 * source gives nothing, and *ret is void: UNSYNCED if it answers that it has no bound. May change errno. NULL:
	 * the program feeds.
	 */
	uint32_t (*ask)(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret);
	/* Of what ask() would ask, for people; NULL: it has no path. */
	const char *(*path)(const struct hpt_wall_ask *ask);
};

extern const struct hpt_wall_source_ops hpt_wall_feed_source, hpt_wall_clockbound, hpt_wall_chrony, hpt_wall_kernel,
	hpt_wall_vmclock, hpt_wall_phc, hpt_wall_fbclock;

/* For ask(): notes that a call failed, by its -errno. Returns the reason, as people see it. */
uint32_t hpt_wall_ask_failed(struct hpt_wall_ask *ask, int err);

#endif
