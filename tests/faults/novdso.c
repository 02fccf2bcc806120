// SPDX-License-Identifier: MIT
/*
 * Runs a program without a vDSO, as on kernels and machines that have none: its clocks are system calls, which a filter
 * can deny. AT_SYSINFO_EHDR is taken out of the auxiliary vector that the kernel has just made.
 *
 * usage: novdso PROGRAM [ARGUMENT...], of this program's own machine word
 */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

#if defined(__x86_64__) || defined(__i386__)
static long word_at(pid_t pid, unsigned long at)
{
	return ptrace(PTRACE_PEEKDATA, pid, (void *)at, NULL);
}

static unsigned long stack_of(pid_t pid)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return 0;
#ifdef __x86_64__
	return regs.rsp;
#else
	return (unsigned long)regs.esp;
#endif
}

/* On the stack of a new program: argc, the arguments, NULL, the environment, NULL, pairs of a type and a value. */
static bool hide_vdso(pid_t pid)
{
	unsigned long at = stack_of(pid);
	long type;

	if (!at)
		return false;
	at += sizeof(long) * (size_t)(word_at(pid, at) + 2);
	while (word_at(pid, at))
		at += sizeof(long);
	for (at += sizeof(long); (type = word_at(pid, at)) != AT_NULL; at += 2 * sizeof(long))
		if (type == AT_SYSINFO_EHDR && ptrace(PTRACE_POKEDATA, pid, (void *)at, (void *)AT_IGNORE))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	int status = 0;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(skip("no ptrace here"));
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	if (WIFSTOPPED(status)) {
		if (!hide_vdso(pid)) {
			ptrace(PTRACE_KILL, pid, NULL, NULL);
			return skip("another process's memory cannot be changed here");
		}
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
		waitpid(pid, &status, 0);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
#else
int main(void)
{
	return skip("not an x86 machine");
}
#endif
