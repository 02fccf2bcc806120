// SPDX-License-Identifier: MIT
/* Checks a library that was just built or installed: it loads, chooses a source, counts and converts. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	struct hpt_clock_info info;
	hpt_time_t            first = hpt_now(NULL), now = first;
	int64_t               ns;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	for (long i = 0; i < 1000000 && now == first; i++)
		now = hpt_now(NULL);
	ns = hpt_ticks_to_ns(NULL, now - first);
	printf("%s, %zu-bit pointers: %" PRId64 " ticks, %" PRId64 " ns\n", hpt_source_name(info.source),
	       8 * sizeof(void *), now - first, ns);
	return now > first && ns >= 0 ? 0 : 1;
}
