// SPDX-License-Identifier: MIT
/*
 * The text of babeltrace2(1), as of LTTng's traces: "[TIME] (+DELTA) HOST EVENT: { cpu_id = 0 }, { FIELDS }". TIME is
 * what --clock-seconds, --clock-gmt --clock-date or --clock-cycles show; a time of day alone is of no day. LTTng's
 * clock is CLOCK_MONOTONIC plus its offset to CLOCK_REALTIME at the session's start: REALTIME, the default here. Cycles
 * are without the offset, and may be those of any clock.
 */
#include <string.h>

#include "hpt/hpt.h"

#include "cli/parse.h"
#include "trace/reader.h"
#include "trace/scan.h"

/* A date and a time of UTC, of which the blank between the two is written over. */
static bool read_date(char *from, char *end, int64_t *ret_ns)
{
	char text[HPT_TIME_FORMAT_SIZE];
	size_t n = (size_t)(end - from);

	if (n + 2 > sizeof(text) || n < 20 || from[10] != ' ')
		return false;
	memcpy(text, from, n);
	text[10] = 'T';
	text[n] = 'Z';
	text[n + 1] = '\0';
	return !parse_unix_ns(text, ret_ns);
}

/* Returns what follows the bracket; NULL: no time of these forms. */
static char *read_time(char *text, struct reading *ret)
{
	char *end = *text == '[' ? strchr(text, ']') : NULL;

	if (!end)
		return NULL;
	ret->is_ticks = false;
	if (scan_seconds(text + 1, &ret->event.stamp) == end || read_date(text + 1, end, &ret->event.stamp))
		return end + 1;
	ret->is_ticks = true;
	return scan_int(text + 1, &ret->event.stamp) == end ? end + 1 : NULL;
}

/* The number after a key, or @fallback. */
static uint32_t number_of(const char *text, const char *key, uint32_t fallback)
{
	const char *at = strstr(text, key);

	if (at)
		scan_u32(at + strlen(key), &fallback);
	return fallback;
}

/* The first word with a colon at its end, after "(+DELTA)" and perhaps the host and process. */
static bool read_name(const char *at, struct event *ret)
{
	for (at = scan_blanks(at); *at && *at != '{'; at = scan_blanks(scan_word(at))) {
		const char *end = scan_word(at);

		if (end[-1] != ':' || *at == '(')
			continue;
		ret->name = at;
		ret->name_length = (size_t)(end - 1 - at);
		return ret->name_length > 0;
	}
	return false;
}

static enum reader_result read_line(char *text, size_t n, struct reading *ret)
{
	char *after;

	if (strlen(text) != n)
		return READER_WRONG;
	if (!*scan_blanks(text))
		return READER_NOTHING;
	after = read_time(text, ret);
	if (!after || !read_name(after, &ret->event))
		return READER_WRONG;
	ret->event.kind = EVENT_INSTANT;
	ret->event.track = number_of(after, "vtid = ", number_of(after, "cpu_id = ", 0));
	return READER_EVENT;
}

const struct reader reader_lttng = {
	.name = "lttng", .has_ticks = true, .whole_needs_clock = true, .clock = EVENT_REALTIME, .read = read_line,
};
