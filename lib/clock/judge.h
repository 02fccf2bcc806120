/* SPDX-License-Identifier: MIT */
/* Gathers the machine's facts about an open source and passes them to tsc_trust or arch_trust for the verdict. */
#ifndef HPT_JUDGE_H
#define HPT_JUDGE_H

#include "clock/findings.h"

/*
 * Fills in *ret. Of TSC and ARCH that includes what the kernel keeps time with. Of a TSC that its class and the
 * kernel's clocksource admit the ordered read is chosen by its cost and the anchor is taken. May change errno.
 */
void hpt_judge(const struct hpt_source *src, struct hpt_findings *ret);

#endif
