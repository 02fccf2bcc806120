// SPDX-License-Identifier: MIT
/* Reads the shared memory of daemons without mapping it: lib/wall/shared_memory.h. */
#include "wall/shared_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"

/* An update takes a daemon below a microsecond, as long as a reading; one that was preempted meanwhile takes longer. */
#define SHARED_MEMORY_TRIES 16

/*
 * Two readings, because a generation may have wrapped meanwhile, and because the daemon's writes need not become
 * visible in their order everywhere: ClockBound's write() in clock-bound-shm/src/writer.rs marks the beginning by a
 * release store, and later stores may become visible before it.
 */
static COLD uint32_t read_settled(struct hpt_wall_ask *ask, int fd, size_t size, hpt_is_settled_fn *is_settled,
				  unsigned char *ret, size_t *ret_n)
{
	unsigned char again[HPT_SHARED_MEMORY_MAX];

	for (int tries = 0; tries < SHARED_MEMORY_TRIES; tries++) {
		ssize_t n = pread(fd, ret, size, 0);

		atomic_thread_fence(memory_order_seq_cst);
		if (n < 0)
			return hpt_wall_ask_failed(ask, -errno);
		if (pread(fd, again, size, 0) != n || memcmp(ret, again, (size_t)n) || !is_settled(ret, (size_t)n))
			continue;
		*ret_n = (size_t)n;
		return HPT_WALL_REASON_NONE;
	}
	return HPT_WALL_REASON_TORN;
}

COLD uint32_t hpt_shared_memory_read(struct hpt_wall_ask *ask, const char *path, size_t size,
				     hpt_is_settled_fn *is_settled, unsigned char *ret, size_t *ret_n)
{
	int fd = ask->clk->src.env->open(path);
	struct stat st;
	uint32_t reason;

	if (fd < 0)
		return hpt_wall_ask_failed(ask, -errno);
	if (fstat(fd, &st))
		reason = hpt_wall_ask_failed(ask, -errno);
	else if (!S_ISREG(st.st_mode))
		reason = HPT_WALL_REASON_FORMAT;
	else
		reason = read_settled(ask, fd, size, is_settled, ret, ret_n);
	close(fd);
	return reason;
}
