// SPDX-License-Identifier: MIT
/* Text files, a line at a time: lib/machine/lines.h. */
#include "machine/lines.h"

#include <string.h>
#include <unistd.h>

#include "arch/arch.h"

COLD void hpt_lines_open(struct hpt_lines *l, const struct hpt_env *env, const char *path, char *buf, size_t size)
{
	*l = (struct hpt_lines){ .fd = env->open(path), .buf = buf, .size = size, .left = HPT_LINES_MOST };
}

/* Reads more, after what was not yet returned. False: there is no more. */
static COLD bool fill_buffer(struct hpt_lines *l)
{
	size_t kept = l->to - l->from, room = l->size - 1 - kept;
	ssize_t n;

	memmove(l->buf, l->buf + l->from, kept);
	l->from = 0;
	l->to = kept;
	n = l->fd < 0 ? 0 : read(l->fd, l->buf + kept, room < l->left ? room : l->left);
	if (n <= 0)
		return false;
	l->to += (size_t)n;
	l->left -= (size_t)n;
	return true;
}

/* The next line, whole or the end of one that did not fit. NULL: the file has no more newlines. */
static COLD char *next_end(struct hpt_lines *l)
{
	char *line, *end;

	while (!(end = memchr(l->buf + l->from, '\n', l->to - l->from))) {
		if (l->to - l->from == l->size - 1) {
			l->is_long = true;
			l->from = l->to;
		}
		if (!fill_buffer(l))
			return NULL;
	}
	line = l->buf + l->from;
	*end = '\0';
	l->from = (size_t)(end - l->buf) + 1;
	return line;
}

COLD char *hpt_lines_next(struct hpt_lines *l)
{
	char *line = next_end(l);

	while (line && l->is_long) {
		l->is_long = false;
		line = next_end(l);
	}
	if (!line && !l->is_long && l->from < l->to) { /* the last one has no newline */
		line = l->buf + l->from;
		l->buf[l->to] = '\0';
		l->from = l->to;
	}
	return line;
}

COLD void hpt_lines_close(struct hpt_lines *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
