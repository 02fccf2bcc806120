// SPDX-License-Identifier: MIT
/* Descriptors of objects, one a process: lib/sleep/own_fd.h. */
#include "sleep/own_fd.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "machine/process.h"

static uint64_t packed(int fd)
{
	return (uint64_t)hpt_process() << 32 | ((uint32_t)fd + 1);
}

int hpt_own_fd_get(const struct hpt_own_fd *o)
{
	uint64_t word = atomic_load(&o->word);

	return word && word >> 32 == hpt_process() ? (int)((uint32_t)word - 1) : -1;
}

static void close_fd(int fd)
{
	int saved = errno;

	syscall(SYS_close, fd); /* close(2) is a cancellation point */
	errno = saved;
}

/* Publishes a descriptor in place of none, or of an inherited one. False: another thread was first. */
static bool publish(struct hpt_own_fd *o, int fd)
{
	uint64_t word = atomic_load(&o->word), mine = packed(fd);

	return word >> 32 != mine >> 32 && atomic_compare_exchange_strong(&o->word, &word, mine);
}

COLD int hpt_own_fd_make(struct hpt_own_fd *o, int (*new_fd)(void), bool *ret_is_new)
{
	int saved = errno, fd;

	*ret_is_new = false;
	while ((fd = hpt_own_fd_get(o)) < 0) {
		int mine = new_fd();

		if (mine < 0) {
			fd = -errno;
			break;
		}
		if (publish(o, mine))
			*ret_is_new = true;
		else
			close_fd(mine);
	}
	errno = saved;
	return fd;
}

/* A thread of the parent may have begun one before the fork, which no thread ends in this process. */
void hpt_own_fd_begin_interrupt(struct hpt_own_fd *o, const struct hpt_eventcount *ec)
{
	uint64_t rung = atomic_load(&o->rung), process = hpt_process(), next;

	do {
		uint32_t begun = rung >> 32 == process ? (uint32_t)rung : hpt_eventcount_value(ec);

		next = process << 32 | (begun + 1);
	} while (!atomic_compare_exchange_weak(&o->rung, &rung, next));
}

bool hpt_own_fd_is_begun(const struct hpt_own_fd *o, const struct hpt_eventcount *ec)
{
	uint64_t rung = atomic_load(&o->rung);

	return rung >> 32 == hpt_process() && (int32_t)((uint32_t)rung - hpt_eventcount_value(ec)) > 0;
}

static void make_readable(int fd)
{
	const uint64_t one = 1;

	syscall(SYS_write, fd, &one, sizeof(one)); /* write(2) is a cancellation point */
}

void hpt_own_fd_ring(const struct hpt_own_fd *o)
{
	int fd = hpt_own_fd_get(o), saved = errno;

	if (likely(fd < 0))
		return;
	make_readable(fd);
	errno = saved;
}

/* Other threads do so too, and may have looked earlier: so it looks again after the change. */
COLD void hpt_own_fd_follow(const struct hpt_own_fd *o, const struct hpt_eventcount *ec, const _Atomic uint32_t *seen)
{
	int fd = hpt_own_fd_get(o), saved = errno;
	uint64_t unused;
	bool is_rung;

	if (fd < 0)
		return;
	do {
		is_rung = hpt_own_fd_is_rung(o, ec, seen);
		if (is_rung)
			make_readable(fd);
		else
			syscall(SYS_read, fd, &unused, sizeof(unused));
	} while (hpt_own_fd_is_rung(o, ec, seen) != is_rung);
	errno = saved;
}

COLD void hpt_own_fd_close(const struct hpt_own_fd *o)
{
	int fd = hpt_own_fd_get(o);

	if (fd >= 0)
		close_fd(fd);
}
