// SPDX-License-Identifier: MIT
/* Waits for a program as its parent: tools/run/watch.h. */
#include "run/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/out.h"
#include "math/units.h"
#include "run/launch.h"

static const int forwarded[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

/* The caller's signals, which the program gets back. */
struct before {
	sigset_t mask;
	struct sigaction on_child;
};

/* ---- Signals: all that the parent reacts to is blocked, and taken by sigwaitinfo() -------------------------- */

static sigset_t awaited(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
		sigaddset(&set, forwarded[i]);
	return set;
}

/* While SIGCHLD is ignored, the kernel forgets children as they end. */
static void block_signals(struct before *ret)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	sigset_t set = awaited();

	sigprocmask(SIG_BLOCK, &set, &ret->mask);
	sigaction(SIGCHLD, &by_default, &ret->on_child);
}

static void restore_signals(const struct before *before)
{
	sigaction(SIGCHLD, &before->on_child, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* A signal that the program sent to its whole process group has reached it. */
static void forward(const siginfo_t *info, pid_t child)
{
	if (info->si_signo != SIGCHLD && info->si_code <= 0 && info->si_pid != child)
		kill(child, info->si_signo);
}

/* ---- The child --------------------------------------------------------------------------------------------------- */

__attribute__((noreturn))
static void be_child(char *argv[], const struct before *before, int report)
{
	int error;

	restore_signals(before);
	error = launch_exec(argv);
	(void)!write(report, &error, sizeof(error));
	_exit(launch_status(error));
}

/* A pipe that this process held open would not end for its reader, or writer, when the program closes it. */
static void let_go_of_streams(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	close(fd);
}

/* Returns the errno by which exec failed. 0: it did not. */
static int exec_error(int report)
{
	int error = 0;

	while (read(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	return error;
}

/* ---- The parent -------------------------------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int64_t ns_of(const struct timeval *tv)
{
	return tv->tv_sec * NS_PER_S + tv->tv_usec * INT64_C(1000);
}

/* Other children, which this process inherited by exec, are left alone. */
static void wait_for(pid_t child, struct watched *w)
{
	sigset_t set = awaited();
	struct rusage used;
	siginfo_t info;

	while (wait4(child, &w->status, WNOHANG, &used) != child)
		if (sigwaitinfo(&set, &info) > 0)
			forward(&info, child);
	w->user_ns = ns_of(&used.ru_utime);
	w->system_ns = ns_of(&used.ru_stime);
}

static void run(char *argv[], const struct before *before, const int report[2], struct watched *w)
{
	int64_t began_ns = now_ns();
	pid_t child = fork();

	w->stage = WATCH_FORK;
	if (!child)
		be_child(argv, before, report[1]);
	close(report[1]);
	if (child < 0) {
		w->error = errno;
		return;
	}
	w->stage = WATCH_EXEC;
	let_go_of_streams();
	w->error = exec_error(report[0]);
	wait_for(child, w);
	w->wall_ns = now_ns() - began_ns;
}

struct watched watch_run(char *argv[])
{
	struct watched w = { 0 };
	struct before before;
	int report[2];

	if (pipe2(report, O_CLOEXEC)) {
		w.error = errno;
		return w;
	}
	block_signals(&before);
	run(argv, &before, report, &w);
	close(report[0]);
	return w;
}

/* The program has dumped its core; one of this process says nothing. */
static void prevent_core(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* core_pattern may be a pipe, for which there is no limit */
}

int watched_end(const struct watched *w)
{
	int number = WTERMSIG(w->status);
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	sigset_t set;

	if (!WIFSIGNALED(w->status))
		return WEXITSTATUS(w->status);
	prevent_core();
	sigaction(number, &by_default, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	out_end_by(number);
}
