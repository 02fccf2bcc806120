// SPDX-License-Identifier: MIT
/* Prints the date by a source that is opened by name: read as nanoseconds, converted to nanoseconds, and as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <hpt/hpt.h>

static uint32_t source_by_name(const char *name)
{
	uint32_t id = HPT_SOURCE_OS;

	while (id != HPT_SOURCE_AUTO && strcmp(name, hpt_source_name(id)))
		id--;
	return id;
}

int main(int argc, char **argv)
{
	char text[HPT_TIME_FORMAT_SIZE];
	hpt_clock *clk = NULL;
	int64_t converted;
	int r;

	if (argc != 2)
		return 2;
	r = hpt_clock_open(source_by_name(argv[1]), 0, &clk);
	if (!r)
		r = hpt_time_to_unix_ns(clk, hpt_now(clk), &converted);
	if (!r && hpt_time_format(clk, hpt_now(clk), text, sizeof(text)) < 0)
		r = -1;
	if (r) {
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-r));
		return 1;
	}
	printf("%" PRId64 " %" PRId64 " %s\n", hpt_now_unix_ns(clk), converted, text);
	hpt_clock_close(clk);
	return 0;
}
