/* SPDX-License-Identifier: MIT */
/* Which lines of chrony.conf would make bounds better, or true: policy alone, from what was seen. */
#ifndef HPT_TOOLS_CHRONY_ADVICE_H
#define HPT_TOOLS_CHRONY_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "wall/chrony_conf.h"
#include "wall/chrony_seen.h"

#define CHRONY_ADVICE_MOST 16

struct chrony_facts {
	const struct chrony_seen *seen;
	const struct chrony_conf *conf;  /* NULL: it is another machine's */
	bool is_conf_named;              /* by the user, who may have mistyped it */
	bool is_refused;                 /* nobody listens at the default address */
	bool has_clockbound;             /* ClockBound's statement counts, and it goes by chronyd's */
	int64_t refclock_error_ns;       /* that was stated to the wall; 0: none */
	int64_t wander_ppb;              /* by which the wall ages measurements */
};

/* Sentences without their ends. */
struct chrony_advice {
	uint32_t n;
	char texts[CHRONY_ADVICE_MOST][512];
};

void chrony_advice(const struct chrony_facts *f, struct chrony_advice *ret);

#endif
