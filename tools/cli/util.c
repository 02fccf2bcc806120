// SPDX-License-Identifier: MIT
/* Allocates memory, formats text and reads a line of a file: tools/cli/util.h. */
#include "cli/util.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"

void *xneed(void *p)
{
	if (!p) {
		err_print("out of memory");
		exit(EXIT_FAILURE);
	}
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	return xneed(calloc(n ? n : 1, size ? size : 1));
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *text;

	return xneed(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

int open_input(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		fcntl(fd, F_SETFL, O_RDONLY);
	return fd;
}

void read_first_line(const char *path, char *ret, size_t size)
{
	/* O_NONBLOCK, because opening a FIFO of this name would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = fd < 0 ? 0 : read(fd, ret, size - 1);

	ret[n > 0 ? n : 0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}
