// SPDX-License-Identifier: MIT
/*
 * ftrace's file trace: "TASK-PID (TGID) [CPU] FLAGS TIME: EVENT: ...", where (TGID) and FLAGS may be missing. TIME is
 * seconds with six places, or a whole number: ticks of x86-tsc, or a count of the clocks counter and uptime. What
 * programs write to trace_marker as "B|PID|NAME" and "E|PID" are slices, as of Android's atrace.
 */
#include <string.h>

#include "trace/reader.h"
#include "trace/scan.h"

/* The 15 bytes of a task's name have room for 3 of "[1] ". */
#define CPUS_MOST 4

/* "[001]" between blanks. */
static bool is_cpu(const char *text, const char *at)
{
	uint32_t cpu;
	const char *end = scan_u32(at + 1, &cpu);

	return at > text && scan_is_blank(at[-1]) && end && *end == ']' && scan_is_blank(end[1]);
}

/* "<...>" is a task whose name the tracer does not know. */
static void read_task(const char *text, const char *end, struct event *ret)
{
	const char *from = scan_blanks(text);
	bool is_known = end > from && strncmp(from, "<...>-", 6) != 0;

	ret->thread = is_known ? from : NULL;
	ret->thread_length = is_known ? (size_t)(end - from) : 0;
}

/* The number after the last '-' before the CPU that has one: "(-------)" is an unknown TGID. False: no thread. */
static bool read_thread(const char *text, const char *cpu, struct event *ret)
{
	for (const char *at = cpu; at > text; at--)
		if (at[-1] == '-') {
			const char *end = scan_u32(at, &ret->track);

			if (end && scan_is_blank(*end)) {
				read_task(text, at - 1, ret);
				return true;
			}
		}
	return false;
}

/* The word after the CPU, or after the flags, that ends with a colon. */
static const char *read_time(const char *at, struct reading *ret)
{
	at = scan_blanks(scan_word(at));
	for (int words = 0; words < 2; words++) {
		const char *end = scan_seconds(at, &ret->event.stamp);

		ret->is_ticks = !end;
		if (!end)
			end = scan_int(at, &ret->event.stamp);
		if (end && *end == ':')
			return scan_blanks(end + 1);
		at = scan_blanks(scan_word(at));
	}
	return NULL;
}

/* A task's name may have what looks like a CPU: the first that has a thread before it and a time after it is one. */
static const char *read_head(const char *text, struct reading *ret)
{
	int cpus = 0;

	for (const char *at = strchr(text, '['); at && cpus < CPUS_MOST; at = strchr(at + 1, '[')) {
		const char *after;

		if (!is_cpu(text, at))
			continue;
		after = read_thread(text, at, &ret->event) ? read_time(at, ret) : NULL;
		if (after)
			return after;
		cpus++;
	}
	return NULL;
}

static void read_marker(const char *at, const char *end, struct event *ret)
{
	const char *name;

	if (!strncmp(at, "E|", 2) || !strcmp(at, "E")) {
		ret->kind = EVENT_END;
		return;
	}
	name = strncmp(at, "B|", 2) ? NULL : strchr(at + 2, '|');
	ret->kind = name ? EVENT_BEGIN : EVENT_INSTANT;
	ret->name = name ? name + 1 : at;
	ret->name_length = (size_t)(end - ret->name);
}

static void read_name(const char *at, const char *end, struct event *ret)
{
	static const char marker[] = "tracing_mark_write";
	const char *word = scan_word(at);
	bool is_event = word > at && word[-1] == ':';

	ret->kind = EVENT_INSTANT;
	ret->name = at;
	ret->name_length = (size_t)((is_event ? word - 1 : end) - at);
	if (is_event && ret->name_length == sizeof(marker) - 1 && !strncmp(at, marker, sizeof(marker) - 1))
		read_marker(scan_blanks(word), end, ret);
}

/* "# entries-in-buffer/entries-written: 3/10", "CPU:1 [LOST 12 EVENTS]", or without how many, which is at least one. */
static enum reader_result read_loss(const char *text, struct reading *ret)
{
	static const char entries[] = "entries-in-buffer/entries-written:", lost[] = "[LOST ";
	const char *at = strstr(text, entries), *end;
	int64_t kept, written;

	if (!at) {
		at = strncmp(text, "CPU:", 4) ? NULL : strstr(text, lost);
		if (!at)
			return READER_NOTHING;
		ret->event.stamp = 1;
		scan_int(at + sizeof(lost) - 1, &ret->event.stamp);
		return ret->event.stamp > 0 ? READER_LOST : READER_NOTHING;
	}
	end = scan_int(scan_blanks(at + sizeof(entries) - 1), &kept);
	if (!end || *end != '/' || !scan_int(end + 1, &written) || written <= kept || kept < 0)
		return READER_NOTHING;
	ret->event.stamp = written - kept;
	return READER_LOST;
}

static enum reader_result read_line(char *text, size_t n, struct reading *ret)
{
	const char *after;

	if (strlen(text) != n)
		return READER_WRONG;
	if (!*scan_blanks(text))
		return READER_NOTHING;
	if (*text == '#' || !strncmp(text, "CPU:", 4))
		return read_loss(text, ret);
	after = read_head(text, ret);
	if (!after)
		return READER_WRONG;
	read_name(after, text + n, &ret->event);
	return READER_EVENT;
}

const struct reader reader_ftrace = {
	.name = "ftrace", .needs_clock = true, .has_ticks = true, .read = read_line,
};
