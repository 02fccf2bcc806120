// SPDX-License-Identifier: MIT
/* Tries words in a child process: what ends the child is refused, and the program notices nothing of it. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "machine/bus.h"

/* A child's status, for which errno values are too small: no filter of system calls can be set; errno has changed. */
#define NO_FILTER 255
#define CHANGED   254

/* Two pages of a file that has only the first. A load from the second is a bus error. */
static volatile uint32_t *page, *beyond, *forbidden;
static size_t page_size;

static volatile sig_atomic_t handled, forked;

/* A child that runs it by mistake ends as if the load had succeeded. */
static void on_signal(int sig)
{
	handled++;
	if (sig != SIGCHLD)
		_exit(0);
}

static void before_fork(void)
{
	forked++;
}

static void *map(int prot, int flags, int fd, size_t pages)
{
	void *at = mmap(NULL, pages * page_size, prot, flags, fd, 0);

	assert_true(at != MAP_FAILED);
	return at;
}

static int make_pages(void **state)
{
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	assert_int_equal(ftruncate(fileno(file), (off_t)page_size), 0);
	page = map(PROT_READ, MAP_SHARED, fileno(file), 2);
	beyond = page + page_size / sizeof(*page);
	forbidden = map(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 1);
	fclose(file);
	return pthread_atfork(before_fork, NULL, NULL);
}

static void set_handlers(void (*handler)(int))
{
	static const int signals[] = { SIGBUS, SIGSEGV, SIGILL, SIGCHLD };
	struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < COUNT(signals); i++)
		assert_int_equal(sigaction(signals[i], &action, NULL), 0);
}

/* A trial leaves nothing: no child, no signal, errno and mask as before. */
static void check(const volatile uint32_t *words, size_t n, int expected)
{
	sigset_t mask, after;
	int r;

	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
	handled = forked = 0;
	errno = EXDEV;
	r = hpt_bus_try(words, n);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(r, expected);
	assert_int_equal(waitpid(-1, NULL, __WALL | WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
	for (int sig = 1; sig < SIGRTMIN; sig++)
		assert_int_equal(sigismember(&after, sig), sigismember(&mask, sig));
	assert_int_equal(handled, 0);
	assert_int_equal(forked, 0);
}

static void check_all(void)
{
	check(page, 1, 0);
	check(beyond - 2, 2, 0);
	check(beyond, 1, -EIO);
	check(beyond, 2, -EIO);
	check(beyond - 1, 1, 0);
	check(beyond - 1, 2, -EIO); /* the second word alone */
	check(forbidden, 1, -EIO);
}

static void handlers_do_not_run(void **state)
{
	(void)state;
	set_handlers(on_signal);
	check_all();
	set_handlers(SIG_DFL);
}

/* A program that ignores SIGCHLD has its other children reaped by the kernel. */
static void ignored_signals_change_nothing(void **state)
{
	(void)state;
	set_handlers(SIG_IGN);
	check_all();
	set_handlers(SIG_DFL);
}

static void blocked_signals_change_nothing(void **state)
{
	sigset_t all, before;

	(void)state;
	set_handlers(on_signal);
	sigfillset(&all);
	assert_int_equal(sigprocmask(SIG_SETMASK, &all, &before), 0);
	check_all();
	assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	set_handlers(SIG_DFL);
	assert_int_equal(handled, 0); /* none was pending */
}

/* In a child, whose kernel answers this system call, with this first argument unless it is negative, by `action`. */
static int try_filtered(long call, long first, uint32_t action)
{
	const bool any = first < 0;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]) +
			 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)first, 0, any ? 0 : 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT(filter), filter };
	struct rlimit no_core = { 0, 0 };
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
			_exit(NO_FILTER);
		errno = EXDEV;
		status = -hpt_bus_try(page, 1);
		_exit(errno == EXDEV ? status : CHANGED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void child_that_cannot_be_made_is_an_error(void **state)
{
	int r = try_filtered(SYS_clone, -1, SECCOMP_RET_ERRNO | EPERM);

	(void)state;
	if (r == NO_FILTER)
		leave_out("no filter of system calls can be set");
	assert_int_equal(r, EPERM);
	assert_int_equal(try_filtered(SYS_clone, -1, SECCOMP_RET_ERRNO | EAGAIN), EAGAIN);
}

#ifdef SYS_wait4
/* As where another thread waits for all children. */
static void child_that_is_taken_is_an_error(void **state)
{
	int r = try_filtered(SYS_wait4, -1, SECCOMP_RET_ERRNO | ECHILD);

	(void)state;
	if (r == NO_FILTER)
		leave_out("no filter of system calls can be set");
	assert_int_equal(r, ECHILD);
}
#endif

/* Only the child makes this call, which ends it here. */
static void child_dumps_no_core(void **state)
{
	int r = try_filtered(SYS_prctl, PR_SET_DUMPABLE, SECCOMP_RET_KILL);

	(void)state;
	if (r == NO_FILTER)
		leave_out("no filter of system calls can be set");
	assert_int_equal(r, EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handlers_do_not_run),
		cmocka_unit_test(ignored_signals_change_nothing),
		cmocka_unit_test(blocked_signals_change_nothing),
		cmocka_unit_test(child_that_cannot_be_made_is_an_error),
#ifdef SYS_wait4
		cmocka_unit_test(child_that_is_taken_is_an_error),
#endif
		cmocka_unit_test(child_dumps_no_core),
	};

	if (is_emulated())
		return skip_all("QEMU's user emulation makes no child that sends no signal at its end");
	return cmocka_run_group_tests(tests, make_pages, NULL);
}
