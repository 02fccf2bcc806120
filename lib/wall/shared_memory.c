// SPDX-License-Identifier: MIT
/* Reads the shared memory of daemons without mapping it: lib/wall/shared_memory.h. */
#include "wall/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"

/* An update takes a daemon below a microsecond, as long as a reading; one that was preempted meanwhile takes longer. */
#define TRIES 16

static COLD int stop_by_errno(struct hpt_wall_ask *ask)
{
	int err = errno;
	uint32_t reason = err == ENOENT || err == ENOTDIR ? HPT_WALL_REASON_ABSENT :
			  err == EACCES || err == EPERM ? HPT_WALL_REASON_DENIED : HPT_WALL_REASON_FAILED;

	return hpt_wall_ask_stop(ask, reason, -err);
}

/*
 * Two readings, because a generation may have wrapped meanwhile, and because the daemon's writes need not become
 * visible in their order everywhere: ClockBound's write() in clock-bound-shm/src/writer.rs marks the beginning by a
 * release store, behind which later stores may be seen first.
 */
static COLD int read_settled(struct hpt_wall_ask *ask, int fd, size_t size, hpt_is_settled_fn *is_settled,
			     unsigned char *ret)
{
	unsigned char again[HPT_SHARED_MEMORY_MAX];

	for (int tries = 0; tries < TRIES; tries++) {
		ssize_t n = pread(fd, ret, size, 0);

		atomic_thread_fence(memory_order_seq_cst);
		if (n < 0)
			return stop_by_errno(ask);
		if (pread(fd, again, size, 0) == n && !memcmp(ret, again, (size_t)n) && is_settled(ret, (size_t)n))
			return (int)n;
	}
	return hpt_wall_ask_stop(ask, HPT_WALL_REASON_TORN, -EAGAIN);
}

COLD int hpt_shared_memory_read(struct hpt_wall_ask *ask, const char *path, size_t size, hpt_is_settled_fn *is_settled,
				unsigned char *ret)
{
	int fd, r;
	struct stat st;

	if (!path)
		return hpt_wall_ask_stop(ask, HPT_WALL_REASON_ABSENT, -ENOENT);
	/* O_NONBLOCK: does not wait for the writer of a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return stop_by_errno(ask);
	if (fstat(fd, &st))
		r = stop_by_errno(ask);
	else if (!S_ISREG(st.st_mode))
		r = hpt_wall_ask_stop(ask, HPT_WALL_REASON_FORMAT, -EPROTO);
	else
		r = read_settled(ask, fd, size, is_settled, ret);
	close(fd);
	return r;
}

COLD uint16_t hpt_shared_u16(const unsigned char *bytes)
{
	uint16_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

COLD uint32_t hpt_shared_u32(const unsigned char *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

COLD uint64_t hpt_shared_u64(const unsigned char *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}
