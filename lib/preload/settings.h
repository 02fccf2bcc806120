/* SPDX-License-Identifier: MIT */
/* The choices of "hpt run", which reach libhpt-preload.so in the environment. Pure functions. */
#ifndef HPT_SETTINGS_H
#define HPT_SETTINGS_H

#include <stdint.h>

#include "preload/words.h"
#include "sleep/policy.h"

struct hpt_settings {
	struct hpt_policy policy;
	int64_t  least_ns;
	enum hpt_run_waits waits;
	uint32_t budget_percent;  /* at most 100 */
	uint32_t quota_millicpus; /* of the process's cgroups, in thousandths of a CPU; 0: none is known */
};

/* NULL, unknown words and values out of range: as without the word. */
void hpt_settings_parse(const char *text, struct hpt_settings *ret);

/* A number in decimal of the whole text. Negative: the text is NULL or none. */
int64_t hpt_settings_number(const char *text);

#endif
