// SPDX-License-Identifier: MIT
/* Which forms of text and which clocks there are: tools/trace/reader.h. */
#include "trace/reader.h"

#include <string.h>

const struct reader *reader_find(const char *name)
{
	static const struct reader *const all[] = { &reader_lines, &reader_perf, &reader_ftrace, &reader_lttng };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

enum event_clock reader_clock(const char *name)
{
	static const char *const names[EVENT_CLOCKS] = {
		[EVENT_TICKS] = "ticks", [EVENT_RAW] = "raw", [EVENT_MONOTONIC] = "monotonic",
		[EVENT_BOOTTIME] = "boottime", [EVENT_REALTIME] = "realtime", [EVENT_TAI] = "tai",
	};

	for (int clock = EVENT_TICKS; clock < EVENT_CLOCKS; clock++)
		if (!strcmp(names[clock], name))
			return (enum event_clock)clock;
	return EVENT_CLOCKS;
}
