// SPDX-License-Identifier: MIT
/*
 * Numbers the processes of a line of forks: lib/machine/process.h.
 *
 * The word lies in a page that a fork leaves zeroed (MADV_WIPEONFORK, Linux 4.14). pthread_atfork(3) would cost each
 * process that loads the library 5 us, is not async-signal-safe, and does not see a bare clone(2).
 */
#include "machine/process.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

#define PAGE_SIZE_MIN 4096 /* madvise(2) rounds up to whole pages */
#define NO_ADVICE     (-1)

_Atomic(_Atomic uint32_t *) hpt_process_word;

/* The highest number given so far in this process and those before it: a fork copies it. */
static _Atomic uint32_t last_number;

/* Stands for a word that cannot be had, and stays 0: the process ID serves instead, at a system call each time. */
static _Atomic uint32_t no_word;

/* Some versions of QEMU's user emulation ignore advice and say that they follow any. */
static bool is_wiped_on_fork(void *page)
{
	return !madvise(page, PAGE_SIZE_MIN, MADV_WIPEONFORK) && madvise(page, PAGE_SIZE_MIN, NO_ADVICE);
}

static _Atomic uint32_t *make_word(void)
{
	void *page = mmap(NULL, PAGE_SIZE_MIN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return &no_word;
	if (is_wiped_on_fork(page))
		return page;
	munmap(page, PAGE_SIZE_MIN);
	return &no_word;
}

/* Of threads that do this at once, the first publishes its word, and the others give theirs back. */
static _Atomic uint32_t *get_word(void)
{
	_Atomic uint32_t *word = atomic_load_explicit(&hpt_process_word, memory_order_acquire), *mine;

	if (word)
		return word;
	mine = make_word();
	if (atomic_compare_exchange_strong(&hpt_process_word, &word, mine))
		return mine;
	if (mine != &no_word)
		munmap((void *)mine, PAGE_SIZE_MIN);
	return word;
}

COLD uint32_t hpt_process_number(void)
{
	int saved = errno;
	_Atomic uint32_t *word = get_word();
	uint32_t number, none = 0;

	if (word != &no_word) {
		number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
		if (!atomic_compare_exchange_strong(word, &none, number))
			number = none;
	} else {
		number = (uint32_t)syscall(SYS_getpid);
	}
	errno = saved;
	return number;
}

COLD uint32_t hpt_process_known(void)
{
	_Atomic uint32_t *word = atomic_load_explicit(&hpt_process_word, memory_order_acquire);

	return word && word != &no_word ? hpt_process() : 1;
}

uint32_t hpt_thread_id(void)
{
	long id = syscall(SYS_gettid);

	return id > 0 ? (uint32_t)id : 0;
}

bool hpt_thread_is_gone(uint32_t id)
{
	return syscall(SYS_tgkill, syscall(SYS_getpid), id, 0) && errno == ESRCH;
}
