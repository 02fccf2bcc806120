// SPDX-License-Identifier: MIT
/*
 * For LD_PRELOAD: a kernel for more CPUs than cpu_set_t has, which refuses to fill a smaller set; and one that keeps
 * this process off the CPU with the number KEPT_OFF, as a cpuset does.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For 8192 CPUs, as kernels for x86-64 can be built. */
#define KERNEL_BYTES (8192 / 8)

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	long r;

	if (size < KERNEL_BYTES) {
		errno = EINVAL;
		return -1;
	}
	memset(set, 0, size);
	r = syscall(SYS_sched_getaffinity, pid, size, set);
	return r < 0 ? -1 : 0;
}

static int is_kept_off(size_t size, const cpu_set_t *set)
{
	const char *cpu = getenv("KEPT_OFF");

	return cpu && CPU_COUNT_S(size, set) == 1 && CPU_ISSET_S((size_t)atoi(cpu), size, set);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (is_kept_off(size, set)) {
		errno = EINVAL;
		return -1;
	}
	return syscall(SYS_sched_setaffinity, pid, size, set) < 0 ? -1 : 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	int (*real)(pthread_t, size_t, const cpu_set_t *) =
		(int (*)(pthread_t, size_t, const cpu_set_t *))dlsym(RTLD_NEXT, "pthread_setaffinity_np");

	return is_kept_off(size, set) ? EINVAL : real(thread, size, set);
}
