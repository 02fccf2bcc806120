// SPDX-License-Identifier: MIT
/* Reads a file of any kind into memory for the parser, up to a limit and without hanging. */
#include "info/dump_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "info/dump.h"
#include "cli/util.h"

/* One logical CPU takes some 7 KB. */
#define FIRST_BYTES ((size_t)64 << 10)

/* One byte more than the limit shows that a file is too large. */
#define MOST_BYTES (DUMP_FILE_BYTES + (size_t)1)

struct content {
	char *text;
	size_t n, room;
};

static bool make_room(struct content *c)
{
	size_t room = c->room ? 2 * c->room : FIRST_BYTES;
	char *text;

	if (room > MOST_BYTES)
		room = MOST_BYTES;
	text = realloc(c->text, room);
	if (!text)
		return false;
	c->text = text;
	c->room = room;
	return true;
}

/* Reads up to the limit. False with errno on failure. */
static bool read_all(int fd, struct content *c)
{
	ssize_t got = 1;

	while (got && c->n < MOST_BYTES) {
		if (c->n == c->room && !make_room(c))
			return false;
		got = read(fd, c->text + c->n, c->room - c->n);
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			c->n += (size_t)got;
	}
	return true;
}

bool dump_read(struct dump *dump, const char *path)
{
	struct content c = { 0 };
	int fd = strcmp(path, "-") != 0 ? open_input(path) : STDIN_FILENO;
	bool ok;

	if (fd >= 0 && read_all(fd, &c))
		ok = dump_parse(dump, c.text, c.n);
	else
		ok = dump_fail(dump, 0, "%s", strerror(errno));
	if (fd > STDIN_FILENO)
		close(fd);
	free(c.text);
	return ok;
}
