/* SPDX-License-Identifier: MIT */
/* Events of a trace, and what an encoder writes of them. */
#ifndef HPT_TEST_TRACE_WORLD_H
#define HPT_TEST_TRACE_WORLD_H

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"

#include "trace/encoder.h"
#include "trace/utf8.h"

static inline struct event event_of(enum event_kind kind, int64_t ns, const char *name)
{
	return (struct event){
		.kind = kind, .stamp = ns, .ns = ns, .error_ns = EVENT_ERROR_UNKNOWN, .unix_ns = ns,
		.unix_error_ns = EVENT_ERROR_UNKNOWN, .is_placed = true, .name = name, .name_length = strlen(name),
	};
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* Longer than a line of any trace may be. */
#define LONG_NAME 100000

/* One for each byte, of which many alone are no UTF-8; one without a byte; one of JSON's marks; and a long one. */
#define ODD_NAMES 259

static inline const char *odd_name(size_t i, size_t *ret_length)
{
	static char texts[256][3 * UTF8_GROWTH], longest[LONG_NAME];
	char odd[3] = { 'a', (char)i, 'b' };

	if (i < 256) {
		*ret_length = utf8_copy(texts[i], odd, sizeof(odd));
		return texts[i];
	}
	if (i == 256) {
		*ret_length = 0;
		return texts[0];
	}
	if (i == 257) {
		static const char marks[] = "\"}],\\\"\\";

		*ret_length = sizeof(marks) - 1;
		return marks;
	}
	memset(longest, 'n', sizeof(longest));
	longest[LONG_NAME - 1] = 'z';
	*ret_length = sizeof(longest);
	return longest;
}

/* Moments of these names, a nanosecond apart. */
static inline void set_odd_names(struct event events[ODD_NAMES])
{
	for (size_t i = 0; i < ODD_NAMES; i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)i, "");
		events[i].name = odd_name(i, &events[i].name_length);
	}
}

static inline void assert_named(const struct event *e, const char *name, size_t length)
{
	assert_int_equal(length, e->name_length);
	assert_memory_equal(name, e->name, length);
}

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

/* With a NUL after them; to be freed. */
struct written { char *bytes; size_t n; };

static inline struct written read_back(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	struct written w = { malloc((size_t)size + 1), (size_t)size };

	assert_non_null(w.bytes);
	assert_int_equal(pread(fd, w.bytes, w.n, 0), size);
	w.bytes[w.n] = '\0';
	return w;
}

/* What a format that is no folder has of these events, which are put some at a time. */
static inline struct written encoded_by(const struct encoder *to, const struct about *about,
					const struct event *events, size_t n, size_t some)
{
	static struct sink sink;
	FILE *f = tmpfile();
	struct written w;
	void *state;

	assert_non_null(f);
	sink_open(&sink, fileno(f));
	state = to->begin(about, &sink, -1);
	assert_non_null(state);
	for (size_t at = 0; at < n; at += some)
		to->put(state, events + at, n - at < some ? n - at : some);
	assert_int_equal(to->end(state), 0);
	assert_int_equal(sink_close(&sink), 0);
	w = read_back(fileno(f));
	fclose(f);
	return w;
}

static inline struct written encoded(const struct encoder *to, const struct about *about, const struct event *events,
				     size_t n)
{
	return encoded_by(to, about, events, n, n);
}

/* Lets no file become longer, as on a disk that is full: writes end with EFBIG. Returns the limit to put back. */
static inline struct rlimit limit_files(rlim_t bytes)
{
	struct rlimit before, small;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	return before;
}

#endif
