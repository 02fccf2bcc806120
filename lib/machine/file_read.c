// SPDX-License-Identifier: MIT
/* Opens and reads files without waiting: lib/machine/file_read.h. */
#include "machine/file_read.h"

#include <fcntl.h>
#include <unistd.h>

#include "arch/arch.h"

COLD int hpt_path_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

COLD ssize_t hpt_file_read(const struct hpt_env *env, const char *path, char *buf, size_t size)
{
	int fd = env->open(path);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, buf, size);
	close(fd);
	return n;
}
