// SPDX-License-Identifier: MIT
/* Takes the choices of "hpt run" from the environment: lib/preload/settings.h. */
#include "preload/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "hpt/hpt.h"

#include "math/decimal.h"

/* The number of a word "name=NUMBER" that ends at a comma or the end; `none` if the text has no such word. */
static int64_t number_of(const char *text, const char *name, int64_t none)
{
	size_t n = strlen(name);

	while (text && *text) {
		if (!strncmp(text, name, n) && text[n] == '=') {
			const char *value = text + n + 1;
			int64_t number = hpt_decimal_take(&value);

			return number < 0 || (*value && *value != ',') ? none : number;
		}
		text = strchr(text, ',');
		text += text != NULL;
	}
	return none;
}

void hpt_settings_parse(const char *text, struct hpt_settings *ret)
{
	int64_t policy = number_of(text, "policy", HPT_SLEEP_BALANCED), budget, quota, waits;

	if (policy > HPT_SLEEP_SPIN ||
	    hpt_policy_make((uint32_t)policy, number_of(text, "max-spin", 0), &ret->policy) < 0)
		hpt_policy_make(HPT_SLEEP_BALANCED, 0, &ret->policy);
	ret->least_ns = number_of(text, "least", HPT_RUN_LEAST_NS);
	budget = number_of(text, "budget", HPT_RUN_BUDGET);
	ret->budget_percent = budget > 100 ? HPT_RUN_BUDGET : (uint32_t)budget;
	waits = number_of(text, "waits", HPT_RUN_WAITS);
	ret->waits = waits < HPT_RUN_WAITS_KINDS ? (enum hpt_run_waits)waits : HPT_RUN_WAITS;
	quota = number_of(text, "quota", 0);
	ret->quota_millicpus = quota > UINT32_MAX ? 0 : (uint32_t)quota;
}

int64_t hpt_settings_number(const char *text)
{
	int64_t n = text ? hpt_decimal_take(&text) : -1;

	return n < 0 || *text ? -1 : n;
}
