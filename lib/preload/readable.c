// SPDX-License-Identifier: MIT
/* Whether memory can be read: lib/preload/readable.h. */
#include "preload/readable.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "arch/arch.h"
#include "preload/next.h"
#include "preload/variants.h"

/* The kernel's smallest page. Callers of this have that much of a stack. */
#define PAGE_BYTES 4096

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

	return first >= frame && first - frame <= PAGE_BYTES - bytes;
}

static bool is_in_page(uintptr_t first, uintptr_t last)
{
	return first / PAGE_BYTES == last / PAGE_BYTES;
}

COLD bool hpt_is_readable(const void *memory, size_t bytes)
{
	uintptr_t first = (uintptr_t)memory, last = first + bytes - 1;

	return is_on_stack(first, bytes) ||
	       (hpt_variants_are_allowed() && ask(first) &&
		(is_in_page(first, last) || ask(last + 1 - sizeof(uint64_t))));
}
