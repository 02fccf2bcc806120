// SPDX-License-Identifier: MIT
/* Makes the memory that programs share with this process: tools/run/tally_file.h. */
#include "run/tally_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/words.h"

#include "cli/util.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U /* Linux 6.3 */
#endif

#define NAME "hpt-run-stats"

/* A file that a program cut off would end the others by SIGBUS. */
static int new_file(void)
{
	int fd = memfd_create(NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && (fchmod(fd, S_IRUSR | S_IWUSR) || ftruncate(fd, sizeof(struct hpt_tally)) ||
			fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
		close(fd);
		return -1;
	}
	return fd;
}

struct hpt_tally *tally_file_new(void)
{
	int fd = new_file();
	struct hpt_tally *t;
	char *path;

	if (fd < 0)
		return NULL;
	t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (t == MAP_FAILED) {
		close(fd);
		return NULL;
	}
	t->magic = HPT_TALLY_MAGIC;
	path = xasprintf("/proc/%d/fd/%d", (int)getpid(), fd);
	if (setenv(HPT_RUN_STATS, path, 1))
		xneed(NULL);
	free(path);
	return t;
}
