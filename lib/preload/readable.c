// SPDX-License-Identifier: MIT
/* Whether memory can be read: lib/preload/readable.h. */
#include "preload/readable.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "arch/arch.h"
#include "preload/next.h"
#include "preload/variants.h"

/* The part of a stack that callers of this have: the kernel's smallest page. */
#define STACK_BYTES 4096

/* How many pieces a thread remembers: the sets of a select(), two times. */
#define PIECES 8u

static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
	struct { uintptr_t first, last; } piece[PIECES]; /* bytes */
	unsigned next;
} known;

static bool is_known(uintptr_t first, uintptr_t last)
{
	for (unsigned i = 0; i < PIECES; i++)
		if (known.piece[i].first == first && known.piece[i].last == last)
			return true;
	return false;
}

static void remember(uintptr_t first, uintptr_t last)
{
	unsigned i = known.next++ % PIECES;

	known.piece[i].first = first;
	known.piece[i].last = last;
}

/* rt_sigprocmask() reads its set before it refuses what it is to do with it. */
static bool ask(uintptr_t word)
{
	int saved = errno;
	bool is_there = hpt_own.syscall &&
			hpt_own.syscall(SYS_rt_sigprocmask, -1, word, NULL, sizeof(uint64_t)) < 0 && errno == EINVAL;

	errno = saved;
	return is_there;
}

static bool is_on_stack(uintptr_t first, size_t bytes)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	return first >= frame && first - frame <= STACK_BYTES - bytes;
}

COLD bool hpt_is_readable(const void *memory, size_t bytes)
{
	uintptr_t first = (uintptr_t)memory, last = first + bytes - 1;

	if (is_on_stack(first, bytes) || is_known(first, last))
		return true;
	if (!hpt_variants_are_allowed() || !ask(first) || !ask(last + 1 - sizeof(uint64_t)))
		return false;
	remember(first, last);
	return true;
}
