// SPDX-License-Identifier: MIT
/*
 * The text of perf script(1): "COMM PID/TID [CPU] SECONDS: PERIOD EVENT: ...", where PID/, [CPU] and PERIOD may be
 * missing, and a call chain follows on lines of its own. COMM may have blanks, so that a line is read from its time.
 * It stands at the right end of 16 columns, so that events begin with blanks too.
 */
#include <stdbool.h>
#include <string.h>

#include "trace/reader.h"
#include "trace/scan.h"

/* The word of a line that is seconds and a colon. NULL: no such word. */
static const char *find_time(const char *text, int64_t *ret_ns, const char **ret_after)
{
	for (const char *at = scan_blanks(text); *at; at = scan_blanks(scan_word(at))) {
		const char *end = scan_seconds(at, ret_ns);

		if (end && *end == ':' && (!end[1] || scan_is_blank(end[1]))) {
			*ret_after = scan_blanks(end + 1);
			return at;
		}
	}
	return NULL;
}

/* Where the blanks before a place begin. */
static const char *before_blanks(const char *text, const char *at)
{
	while (at > text && scan_is_blank(at[-1]))
		at--;
	return at;
}

/* COMM, which stands before "1234" or "1234/1235": NULL if it is missing. */
static void read_name_of_thread(const char *text, const char *at, struct event *ret)
{
	const char *from = scan_blanks(text), *end;

	while (at > from && !scan_is_blank(at[-1]))
		at--;
	end = before_blanks(from, at);
	ret->thread = end > from ? from : NULL;
	ret->thread_length = (size_t)(end - from);
}

/* The thread stands last before the time, or before the CPU in brackets: "1234" or "1234/1235". */
static void read_thread(const char *text, const char *time, struct event *ret)
{
	const char *end = time, *at;

	for (int words = 0; words < 2; words++) {
		end = before_blanks(text, end);
		at = end;
		while (at > text && !scan_is_blank(at[-1]) && at[-1] != '/')
			at--;
		if (at < end && *at != '[')
			break;
		end = at;
	}
	if (scan_u32(at, &ret->track) == end)
		read_name_of_thread(text, at, ret);
	else
		ret->track = 0;
}

/* The event's name is the word that ends with a colon; a period of digits stands before it. */
static void read_name(const char *at, const char *end, struct event *ret)
{
	const char *word = scan_word(at);
	int64_t period;

	if (scan_int(at, &period) == word && *word) {
		at = scan_blanks(word);
		word = scan_word(at);
	}
	ret->name = at;
	ret->name_length = (size_t)((word > at && word[-1] == ':' ? word - 1 : end) - at);
}

/* An address of a call chain stands in 16 columns after a tab, for which a copied text may have 8 blanks. */
static bool is_chain(const char *text)
{
	const char *word = scan_blanks(text), *end = word + strspn(word, "0123456789abcdef");

	return end > word && end == scan_word(word) && (*text == '\t' || end - text >= 8 + 16);
}

/* Where an address is in the source, by -F +srcline: two blanks and "FILE:LINE", or "[FILE][ADDRESS]". */
static bool is_source(const char *text, size_t n)
{
	if (n < 4 || strncmp(text, "  ", 2) != 0 || text[2] == ' ')
		return false;
	if (text[2] == '[')
		return text[n - 1] == ']';
	while (text[n - 1] >= '0' && text[n - 1] <= '9')
		n--;
	return text[n] && text[n - 1] == ':';
}

/* What a program's bpf_perf_event_output() wrote: "BPF output: 0000: 48 65", "BPF string: ...", "0010: 6c 6f". */
static bool is_bpf_output(const char *text)
{
	const char *word = scan_blanks(text);

	if (word == text)
		return false;
	if (!strncmp(word, "BPF output:", 11) || !strncmp(word, "BPF string:", 11))
		return true;
	return strspn(word, "0123456789abcdef") == 4 && word[4] == ':' && word[5] == ' ';
}

/* By --show-lost-events: "PERF_RECORD_LOST lost 23"; without how many it is at least one. */
static enum reader_result read_loss(struct event *ret)
{
	static const char record[] = "PERF_RECORD_LOST", lost[] = " lost ";
	const char *at;

	if (strncmp(ret->name, record, sizeof(record) - 1) != 0)
		return READER_EVENT;
	at = strstr(ret->name, lost);
	ret->stamp = 1;
	if (at)
		scan_int(at + sizeof(lost) - 1, &ret->stamp);
	return ret->stamp > 0 ? READER_LOST : READER_NOTHING;
}

static enum reader_result read_line(char *text, size_t n, struct reading *ret)
{
	const char *time, *after;

	if (strlen(text) != n)
		return READER_WRONG;
	if (!*scan_blanks(text) || *text == '#')
		return READER_NOTHING;
	time = find_time(text, &ret->event.stamp, &after);
	if (!time)
		return is_chain(text) || is_source(text, n) || is_bpf_output(text) ? READER_NOTHING : READER_WRONG;
	read_thread(text, time, &ret->event);
	ret->event.kind = EVENT_INSTANT;
	ret->is_ticks = false;
	read_name(after, text + n, &ret->event);
	return read_loss(&ret->event);
}

const struct reader reader_perf = { .name = "perf", .needs_clock = true, .read = read_line };
