// SPDX-License-Identifier: MIT
/*
 * The lines that hpt_traces(7) describes: "TICK [@TRACK] [+NAME | -[NAME] | NAME]", and what a wall stated:
 * "TICK =EARLIEST LATEST [GENERATION]".
 */
#include <string.h>

#include "trace/reader.h"
#include "trace/scan.h"

/* After the tick: 0, or no track of this form. */
static const char *read_track(const char *at, uint32_t *ret)
{
	const char *end;

	if (*at != '@')
		return at;
	end = scan_u32(at + 1, ret);
	return end && (!*end || *end == ' ' || *end == '\t') ? scan_blanks(end) : NULL;
}

static enum reader_result read_wall(const char *at, struct reading *ret)
{
	const char *end = scan_int(at, &ret->earliest_ns);

	if (!end || (*end != ' ' && *end != '\t'))
		return READER_WRONG;
	end = scan_int(scan_blanks(end), &ret->latest_ns);
	if (end && (*end == ' ' || *end == '\t') && *scan_blanks(end))
		end = scan_int(scan_blanks(end), &ret->wall_generation);
	return end && !*scan_blanks(end) && ret->latest_ns >= ret->earliest_ns ? READER_WALL : READER_WRONG;
}

static void read_name(const char *at, const char *end, struct event *ret)
{
	static const char unnamed[] = "event";

	ret->kind = *at == '+' ? EVENT_BEGIN : *at == '-' ? EVENT_END : EVENT_INSTANT;
	at += ret->kind != EVENT_INSTANT;
	ret->name = at < end ? at : unnamed;
	ret->name_length = at < end ? (size_t)(end - at) : sizeof(unnamed) - 1;
}

static enum reader_result read_line(char *text, size_t n, struct reading *ret)
{
	const char *at = scan_blanks(text);

	if (!*at || *at == '#')
		return at == text + n || *at == '#' ? READER_NOTHING : READER_WRONG;
	at = scan_int(at, &ret->event.stamp);
	if (!at || (at < text + n && *at != ' ' && *at != '\t'))
		return READER_WRONG;
	at = scan_blanks(at);
	if (*at == '=')
		return read_wall(at + 1, ret);
	ret->event.track = 0;
	at = read_track(at, &ret->event.track);
	if (!at)
		return READER_WRONG;
	read_name(at, text + n, &ret->event);
	ret->is_ticks = true;
	return READER_EVENT;
}

const struct reader reader_lines = { .name = "lines", .has_ticks = true, .clock = EVENT_TICKS, .read = read_line };
