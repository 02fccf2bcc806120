/* SPDX-License-Identifier: MIT */
/* Which clock this is, how long printing a line takes, and what time it is. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	struct hpt_clock_info info;
	char text[HPT_TIME_FORMAT_SIZE];
	hpt_time_t start, end;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	start = hpt_now(NULL);
	printf("source %s: %s\n", hpt_source_name(info.source), hpt_reason_text(info.reason));
	end = hpt_now(NULL);
	if (hpt_time_format(NULL, end, text, sizeof(text)) < 0)
		return 1;
	printf("printing that took %" PRId64 " ns, until %s\n", hpt_ticks_to_ns(NULL, end - start), text);
	return 0;
}
