// SPDX-License-Identifier: MIT
/* Makes memory that programs share with this process: tools/run/shared_file.h. */
#include "run/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/util.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U /* Linux 6.3 */
#endif

/* A file that a program cut off would end the others by SIGBUS. */
static int new_file(const char *name, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && (fchmod(fd, S_IRUSR | S_IWUSR) || ftruncate(fd, (off_t)size) ||
			fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
		close(fd);
		return -1;
	}
	return fd;
}

void *shared_file_new(const char *name, const char *variable, size_t size)
{
	int fd = new_file(name, size);
	void *memory;
	char *path;

	if (fd < 0)
		return NULL;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		close(fd);
		return NULL;
	}
	path = xasprintf("/proc/%d/fd/%d", (int)getpid(), fd);
	if (setenv(variable, path, 1))
		xneed(NULL);
	free(path);
	return memory;
}
