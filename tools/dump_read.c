// SPDX-License-Identifier: MIT
/* Brings a file of any kind into memory for the parser, up to a limit and without hanging. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump.h"

/* Not blocking on a FIFO that nobody writes to; a pipe that somebody does write to is waited for. */
static int open_dump(const char *path)
{
	struct stat st;
	int fd;

	if (!strcmp(path, "-"))
		return STDIN_FILENO;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		fcntl(fd, F_SETFL, O_RDONLY);
	return fd;
}

/* At most ret[size]; -1 with errno on failure. */
static ssize_t read_all(int fd, char *ret, size_t size)
{
	size_t n = 0;
	ssize_t got;

	while (n < size) {
		got = read(fd, ret + n, size - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

bool hpt_dump_read(struct hpt_dump *dump, const char *path)
{
	/* One byte more tells a file that is too large. */
	size_t size = HPT_DUMP_FILE_BYTES + 1;
	char *text = malloc(size);
	int fd = text ? open_dump(path) : -1;
	ssize_t n = fd >= 0 ? read_all(fd, text, size) : -1;
	bool ok;

	if (n < 0)
		ok = hpt_dump_fail(dump, 0, "%s", strerror(errno));
	else
		ok = hpt_dump_parse(dump, text, (size_t)n);
	if (fd > STDIN_FILENO)
		close(fd);
	free(text);
	return ok;
}
