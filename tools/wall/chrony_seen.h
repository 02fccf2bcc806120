/* SPDX-License-Identifier: MIT */
/* What chronyd reports of its sources, as far as a person can change it. */
#ifndef HPT_TOOLS_CHRONY_SEEN_H
#define HPT_TOOLS_CHRONY_SEEN_H

#include <stdbool.h>
#include <stdint.h>

/* As many as a wall goes by. */
#define CHRONY_SEEN_MOST 8

struct chrony_seen_source {
	char name[48];               /* its address, or a reference clock's ID */
	bool is_selected, is_combined; /* the one that chronyd goes by; one that it averages with that */
	bool is_selectable;          /* it has passed chronyd's comparison: these two have too */
	bool is_reference_clock;
	uint32_t stratum;
	int32_t poll;                /* 2^poll seconds from one poll to the next */
	int64_t error_ns;            /* of its latest measurement */
};

struct chrony_seen {
	bool has_answered;
	bool is_by_itself;           /* it goes by its own clock */
	int64_t root_delay_ns;
	uint32_t n;
	struct chrony_seen_source sources[CHRONY_SEEN_MOST];
};

/* Asks once; waits for 0.1 s at most. */
void chrony_seen_ask(const char *address, struct chrony_seen *ret);

#endif
