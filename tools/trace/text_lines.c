// SPDX-License-Identifier: MIT
/* Reads a file line by line: tools/trace/text_lines.h. */
#include "trace/text_lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void lines_open(struct lines *l, int fd)
{
	l->fd = fd;
	l->error = 0;
	l->number = 0;
	l->bytes_read = 0;
	l->from = l->to = 0;
}

/* Returns how many bytes came: 0 at the end, -1 with an error. */
static ssize_t refill(struct lines *l)
{
	ssize_t n;

	if (l->from) {
		memmove(l->bytes, l->bytes + l->from, l->to - l->from);
		l->to -= l->from;
		l->from = 0;
	}
	do
		n = read(l->fd, l->bytes + l->to, sizeof(l->bytes) - 1 - l->to);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		l->error = errno;
	else
		l->to += (size_t)n;
	l->bytes_read += n > 0 ? (uint64_t)n : 0;
	return n;
}

static enum lines_state give(struct lines *l, char *end, enum lines_state state, char **text, size_t *n)
{
	*text = l->bytes + l->from;
	*n = (size_t)(end - *text);
	*end = '\0';
	l->from = (size_t)(end - l->bytes) + (state == LINES_WHOLE);
	l->number++;
	return *n > LINES_MOST ? LINES_LONG : state;
}

/* Past the end of a line that is too long. */
static enum lines_state skip(struct lines *l)
{
	uint64_t most = l->bytes_read + LINES_SKIPPED;
	ssize_t got = 1;

	l->number++;
	while (got > 0) {
		char *end = memchr(l->bytes + l->from, '\n', l->to - l->from);

		if (end) {
			l->from = (size_t)(end - l->bytes) + 1;
			return LINES_LONG;
		}
		if (l->bytes_read >= most)
			return LINES_ENDLESS;
		l->from = l->to = 0;
		got = refill(l);
	}
	return got < 0 ? LINES_FAILED : LINES_LONG;
}

enum lines_state lines_next(struct lines *l, char **text, size_t *n)
{
	size_t seen = 0;

	for (;;) {
		char *at = l->bytes + l->from, *end = memchr(at + seen, '\n', l->to - l->from - seen);
		ssize_t got;

		if (end)
			return give(l, end, LINES_WHOLE, text, n);
		seen = l->to - l->from;
		if (seen > LINES_MOST)
			return skip(l);
		got = refill(l);
		if (got < 0)
			return LINES_FAILED;
		if (!got)
			return seen ? give(l, l->bytes + l->to, LINES_CUT, text, n) : LINES_END;
	}
}
