// SPDX-License-Identifier: MIT
/*
 * Loads registers in a child process: lib/machine/bus.h. The program may have other threads, whose locks the child
 * finds taken for ever. So it makes system calls alone, by the one function of libc that the parent has just called:
 * the dynamic linker, which has locks too, looks up each function at its first call.
 */
#include "machine/bus.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/io.h"

/* A limit of 0 on core dumps would not keep the kernel from piping one to a program. */
static COLD void load_and_exit(const volatile uint32_t *words, size_t n)
{
	syscall(SYS_prctl, PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
	for (size_t i = 0; i < n; i++)
		(void)words[i];
	arch_io_fence(); /* no load ends after the process */
	while (true)
		syscall(SYS_exit_group, 0L);
}

/*
 * Like fork(), but the end of the child sends no signal. The order of the arguments differs between architectures; all
 * are 0. Returns the child's ID, or -1.
 */
static long make_child(void)
{
#ifdef __sparc__
	errno = ENOSYS; /* its clone() returns the parent's ID in the child */
	return -1;
#else
	return syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
#endif
}

/* By system call where there is one, because waitpid() is a cancellation point. */
static long wait_for(long pid, int *ret_status)
{
#ifdef SYS_wait4
	return syscall(SYS_wait4, pid, ret_status, (long)__WALL, NULL);
#else
	return waitpid((pid_t)pid, ret_status, __WALL);
#endif
}

static int try_in_child(const volatile uint32_t *words, size_t n)
{
	long pid = make_child();
	int status;

	if (!pid)
		load_and_exit(words, n);
	if (pid < 0 || wait_for(pid, &status) < 0)
		return -errno; /* -ECHILD: another thread waits for all children */
	return status ? -EIO : 0;
}

/*
 * With all signals blocked no handler runs in the child, and the wait is not interrupted. The kernel ends a process by
 * a blocked or ignored signal of its own load, and calls no handler.
 */
COLD int hpt_bus_try(const volatile uint32_t *words, size_t n)
{
	int saved = errno, r;
	sigset_t all, before;

	memset(&all, 0xff, sizeof(all)); /* sigfillset() leaves out the signals of libc's own */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = try_in_child(words, n);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return r;
}
