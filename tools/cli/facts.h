/* SPDX-License-Identifier: MIT */
/* Facts by value: zeros where the library found at run time is older than this command. */
#ifndef HPT_TOOLS_FACTS_H
#define HPT_TOOLS_FACTS_H

#include "hpt/hpt.h"

static inline struct hpt_clock_info clock_facts(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };

	return hpt_clock_get_info(clk, &info, sizeof(info)) ? (struct hpt_clock_info){ 0 } : info;
}

static inline struct hpt_source_info source_facts(uint32_t source)
{
	struct hpt_source_info info = { 0 };

	return hpt_source_get_info(source, &info, sizeof(info)) ? (struct hpt_source_info){ 0 } : info;
}

static inline struct hpt_sleep_info sleep_facts(void)
{
	struct hpt_sleep_info info = { 0 };

	return hpt_sleep_get_info(&info, sizeof(info)) ? (struct hpt_sleep_info){ 0 } : info;
}

#endif
