/* SPDX-License-Identifier: MIT */
/* Which clock this is, and how long it takes to print that. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	struct hpt_clock_info info;
	hpt_time_t start = hpt_now(NULL);

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	printf("source %s: %s\n", hpt_source_name(info.source), hpt_reason_text(info.reason));
	printf("that took %" PRId64 " ns\n", hpt_ticks_to_ns(NULL, hpt_now(NULL) - start));
	return 0;
}
