// SPDX-License-Identifier: MIT
/* Which formats there are: tools/trace/encoder.h. */
#include "trace/encoder.h"

#include <string.h>

const struct encoder *encoder_find(const char *name)
{
	static const struct encoder *const all[] = {
		&encoder_perfetto, &encoder_chrome, &encoder_ctf, &encoder_otlp,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

const char *encoder_clock_name(enum event_clock clock)
{
	static const char *const names[] = {
		[EVENT_RAW] = "MONOTONIC_RAW", [EVENT_MONOTONIC] = "MONOTONIC", [EVENT_BOOTTIME] = "BOOTTIME",
		[EVENT_REALTIME] = "REALTIME", [EVENT_TAI] = "TAI",
	};

	return clock > EVENT_TICKS && clock < EVENT_CLOCKS ? names[clock] : "unknown";
}
