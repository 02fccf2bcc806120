/* SPDX-License-Identifier: MIT */
/* Which source the clock has, and how long a read of it takes on average. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

enum { READS = 1000 };

int main(void)
{
	struct hpt_clock_info info;
	hpt_time_t start, end;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	start = hpt_now(NULL);
	end = start;
	for (int i = 0; i < READS; i++)
		end = hpt_now(NULL);
	printf("libhpt %s, source %s: %" PRId64 " ps a read\n", hpt_version(), hpt_source_name(info.source),
	       hpt_ticks_to_ns(NULL, (end - start) * 1000) / READS);
	return 0;
}
