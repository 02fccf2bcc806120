// SPDX-License-Identifier: MIT
/*
 * syscall(2) and prctl(2): all arguments and results pass as they are, also to children that begin in a call.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "process.h"
#include "waiters.h"

/* ---- Arguments and results -------------------------------------------------------------------------------------- */

static void results_are_returned(void)
{
	errno = EXDEV;
	CHECK(syscall(SYS_getpid) == getpid() && syscall(SYS_getppid) == getppid() && errno == EXDEV, "a number");
	CHECK(syscall(SYS_close, -1) == -1 && errno == EBADF, "close: errno %d", errno);
	CHECK(syscall(100000) == -1 && errno == ENOSYS, "no system call: errno %d", errno);
	CHECK(syscall(-1) == -1 && errno == ENOSYS, "-1: errno %d", errno);
	CHECK(syscall(SYS_prctl, 100000, 0, 0, 0, 0) == -1 && errno == EINVAL, "prctl: errno %d", errno);
	CHECK(prctl(100000, 0, 0, 0, 0) == -1 && errno == EINVAL, "prctl(): errno %d", errno);
}

/* The last is an argument that machines take from the stack. */
static void six_arguments_pass(void)
{
	int from[2], to[2];
	char text[8] = "";

	CHECK(!pipe(from) && !pipe(to) && write(from[1], "sixth", 6) == 6, "no pipe");
	CHECK(syscall(SYS_splice, from[0], NULL, to[1], NULL, (size_t)6, -1) == -1 && errno == EINVAL,
	      "flags: errno %d", errno);
	CHECK(syscall(SYS_splice, from[0], NULL, to[1], NULL, (size_t)6, 0) == 6 && read(to[0], text, 6) == 6 &&
	      !strcmp(text, "sixth"), "%s has passed", text);
	for (int i = 0; i < 2; i++) {
		close(from[i]);
		close(to[i]);
	}
}

/* An address is more than an int. */
static void long_results_are_returned(void)
{
	CHECK((void *)syscall(SYS_brk, NULL) == sbrk(0), "%lx is another break", syscall(SYS_brk, NULL));
}

static void prctl_passes(void)
{
	char name[16] = "", own[16] = "syscalls-test";

	CHECK(!prctl(PR_SET_NAME, own) && !prctl(PR_GET_NAME, name) && !strcmp(own, name), "the name is %s", name);
	CHECK(!syscall(SYS_prctl, PR_SET_NAME, "other", 0, 0, 0) && !syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0) &&
	      !strcmp(name, "other"), "the name is %s", name);
	CHECK(prctl(PR_SET_SECCOMP, 77, NULL) == -1 && errno == EINVAL, "a bad filter: errno %d", errno);
	CHECK(prctl(PR_SET_SECCOMP, 2, NULL) == -1 && (errno == EFAULT || errno == EINVAL), "no filter: errno %d",
	      errno);
#ifdef SYS_seccomp
	CHECK(syscall(SYS_seccomp, 77, 0, NULL) == -1 && errno == EINVAL, "a bad filter by a call: errno %d", errno);
#endif
}

/* ---- Words in memory -------------------------------------------------------------------------------------------- */

static _Atomic uint32_t word;
static _Atomic bool is_woken;

static void *wake_until_seen(void *arg)
{
	while (!atomic_load(&is_woken))
		if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) < 0)
			return NULL;
	return arg;
}

static void futexes_pass(void)
{
	uint32_t other = 0;
	pthread_t thread;
	void *ret = NULL;

	errno = EXDEV;
	CHECK(!syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) && errno == EXDEV, "FUTEX_WAKE");
	CHECK(!syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 0), "all six: errno %d", errno);
	CHECK(syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 7) == -1 && errno == EAGAIN,
	      "the sixth: errno %d", errno);
	CHECK(!pthread_create(&thread, NULL, wake_until_seen, &ret), "no thread");
	CHECK(!syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0), "a wait without an end: errno %d",
	      errno);
	atomic_store(&is_woken, true);
	pthread_join(thread, &ret);
	CHECK(ret, "FUTEX_WAKE failed");
}

/* ---- Children --------------------------------------------------------------------------------------------------- */

static void check_child(pid_t child, const char *how)
{
	int status = -1;

	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status),
	      "a child by %s: status %x", how, (unsigned)status);
}

/* Also waits. */
static int child_main(pid_t parent)
{
	int64_t left_ns, began_ns;

	if (syscall(SYS_getppid) != parent)
		return 1;
	for (int i = 0; i < waiters_n; i++) {
		const struct sleeper *s = &waiters[i];

		began_ns = sleeper_clock_ns(s);
		if (waiter_is_here(s) && (s->sleep(2 * MS, &left_ns) || sleeper_clock_ns(s) - began_ns < 2 * MS))
			return 2;
	}
	return 0;
}

/* s390 takes the stack first. */
static long copy(long flags)
{
#ifdef __s390__
	return syscall(SYS_clone, NULL, flags, NULL, NULL, NULL);
#else
	return syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
#endif
}

/* They have copies of the parent's stack, also where the parent waits until the child has ended. */
static void copies_go_on(void)
{
	static const long flags[] = { SIGCHLD, SIGCHLD | CLONE_VFORK, SIGCHLD | CLONE_FS | CLONE_FILES };
	pid_t parent = getpid();

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		long child = copy(flags[i]);

		if (!child)
			syscall(SYS_exit_group, child_main(parent));
		check_child((pid_t)child, "clone");
	}
#ifdef SYS_fork
	for (int i = 0; i < 3; i++) {
		long child = syscall(SYS_fork);

		if (!child)
			_exit(child_main(parent));
		check_child((pid_t)child, "fork");
	}
#endif
}

/* In the parent's memory, before exec(): calls are made with its registers and its stack. */
static void calls_after_vfork(void)
{
	volatile pid_t parent = getpid();
	volatile long seen = 0;
	pid_t child = vfork();

	if (!child) {
		seen = syscall(SYS_getppid);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		syscall(SYS_exit_group, seen != parent);
	}
	check_child(child, "vfork()");
	CHECK(seen == parent, "the child's parent is %ld", seen);
	CHECK(syscall(SYS_getpid) == parent, "the parent is another");
}

static char stack[65536] __attribute__((aligned(64)));

static int on_another_stack(void *arg)
{
	return syscall(SYS_getppid) != *(pid_t *)arg || syscall(SYS_close, -1) != -1;
}

static void calls_on_another_stack(void)
{
	pid_t parent = getpid();

	check_child(clone(on_another_stack, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &parent),
		    "clone()");
}

int main(void)
{
	if (!waiters_open())
		return skip("no descriptors here");
	results_are_returned();
	six_arguments_pass();
	long_results_are_returned();
	futexes_pass();
	copies_go_on();
	calls_after_vfork();
	calls_on_another_stack();
	prctl_passes();
	return failures != 0;
}
