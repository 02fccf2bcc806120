// SPDX-License-Identifier: MIT
/*
 * What a program gets that takes libhpt along as one file, profile "clock":
 *
 *     cc -O2 -IFOLDER verdict.c FOLDER/hpt.c -o verdict && ./verdict
 *
 * FOLDER is that of packaging/amalgamate, or "clock" of a release.
 *
 * Prints which counter serves and why, its rate and that rate's error, why the others do not serve; then takes a trace
 * of a thousand ticks and converts it by two time bases.
 */
#include <inttypes.h>
#include <stdio.h>

#include "hpt.h"

#define TICKS 1000

static int print_verdict(void)
{
	struct hpt_clock_info info;
	struct hpt_source_info source;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)))
		return -1;
	printf("libhpt %s, profile %s\n", hpt_version(), HPT_PROFILE);
	printf("source %s: %s\n", hpt_source_name(info.source), hpt_reason_text(info.reason));
	printf("rate %.6f MHz, wrong by at most %" PRIu32 " ppb; %s; a read takes %.1f ns\n", info.frequency_uhz / 1e12,
	       info.frequency_error_ppb, hpt_state_name(info.state), info.read_cost_mean_ps / 1e3);
	for (uint32_t id = HPT_SOURCE_TSC; !hpt_source_get_info(id, &source, sizeof(source)); id++)
		if (!source.chosen)
			printf("not %s: %s\n", source.name, hpt_reason_text(source.reason));
	return 0;
}

static int print_trace(void)
{
	static hpt_time_t ticks[TICKS];
	static int64_t ns[TICKS];
	struct hpt_timebase from, to;
	int backwards = 0;

	if (hpt_clock_get_timebase(NULL, &from, sizeof(from)))
		return -1;
	for (int i = 0; i < TICKS; i++)
		ticks[i] = hpt_now(NULL);
	if (hpt_clock_get_timebase(NULL, &to, sizeof(to)) || hpt_timebase_to_ns(&from, &to, ticks, ns, TICKS))
		return -1;
	for (int i = 1; i < TICKS; i++)
		backwards += ns[i] < ns[i - 1];
	printf("%d ticks in %" PRId64 " ns, %d of them backwards\n", TICKS, ns[TICKS - 1] - ns[0], backwards);
	return backwards;
}

int main(void)
{
	int r = print_verdict();

	return r || print_trace() ? 1 : 0;
}
