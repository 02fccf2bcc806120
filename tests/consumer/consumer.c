/* SPDX-License-Identifier: MIT */
/* Which clock this is, how long printing a line takes, and what time it is. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	struct hpt_clock_info info;
	char now[HPT_TIME_FORMAT_SIZE];
	hpt_time_t start, end;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	start = hpt_now(NULL);
	printf("source %s: %s\n", hpt_source_name(info.source), hpt_reason_text(info.reason));
	end = hpt_now(NULL);
	printf("printing that took %" PRId64 " ns\n", hpt_ticks_to_ns(NULL, end - start));
	if (hpt_time_format(NULL, end, now, sizeof(now)) < 0)
		return 1;
	printf("it was %s\n", now);
	return 0;
}
