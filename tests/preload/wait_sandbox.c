// SPDX-License-Identifier: MIT
/*
 * A program's poll() and epoll_wait() in sandboxes that do not know their newer variants: one kills for ppoll(),
 * epoll_pwait2() and what asks for a sandbox, others answer with an error. They are there before the program is
 * started, or come by prctl(), by seccomp(), or by a way that nothing here sees. Waits are as long as ever.
 */
#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>

#include "filter.h"
#include "process.h"
#include "waiters.h"

/* Where the filter cannot be had the child exits so. */
#define NO_FILTER 76

#define WAITS 8

static const char *own_path;

/* ---- Waits ---------------------------------------------------------------------------------------------------- */

/* Where poll() is ppoll() itself, it cannot be forbidden. */
static const long variants[] = {
#ifdef SYS_poll
	SYS_ppoll,
#ifdef SYS_ppoll_time64
	SYS_ppoll_time64,
#endif
#endif
#ifdef SYS_epoll_pwait2
	SYS_epoll_pwait2,
#endif
	/* These are last. */
	SYS_prctl, SYS_rt_sigprocmask,
};

#define VARIANTS (sizeof(variants) / sizeof(variants[0]))

/* What a program needs as it starts. */
#define BEFORE_START (VARIANTS - 2)

static bool waits_right(const char *name)
{
	const struct sleeper *s = waiter_named(name);
	int64_t left_ns, began_ns = sleeper_clock_ns(s), took_ns;
	int r;

	errno = EXDEV;
	r = s->sleep(5 * MS, &left_ns);
	took_ns = sleeper_clock_ns(s) - began_ns;
	if (!r && took_ns >= 5 * MS && errno == EXDEV)
		return true;
	fprintf(stderr, "%s: %d after %lld ns, errno %d\n", name, r, (long long)took_ns, errno);
	return false;
}

/* Not on the stack. */
static fd_set set;

static bool selects_right(void)
{
	struct timeval tv = { .tv_usec = 5000 };
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
	int r = select(FD_SETSIZE, &set, NULL, NULL, &tv);

	return !r && kernel_ns(CLOCK_MONOTONIC) - began_ns >= 5 * MS;
}

static bool all_right(void)
{
	for (int i = 0; i < WAITS; i++)
		if (!waits_right("poll-fd") || !waits_right("epoll_wait") || !waits_right("epoll_pwait") ||
		    !waits_right("select-fd") || !selects_right())
			return false;
	return true;
}

/* exit() may need more than the filter has. */
static _Noreturn void leave(bool is_right)
{
	_exit(!is_right);
}

/* ---- Ways to be confined -------------------------------------------------------------------------------------- */

static void confine(bool is_installed)
{
	if (!is_installed)
		_exit(NO_FILTER);
}

static void by_prctl(void)
{
	confine(filter_kill(variants, VARIANTS, FILTER_BY_PRCTL));
	leave(all_right());
}

static void by_seccomp(void)
{
	confine(filter_kill(variants, VARIANTS, FILTER_BY_SECCOMP));
	leave(all_right());
}

static void by_prctl_after_waits(void)
{
	if (!all_right())
		leave(false);
	by_prctl();
}

static _Atomic bool is_confined;

static void *wait_in_thread(void *arg)
{
	bool is_right = true;

	while (!atomic_load(&is_confined))
		is_right &= waits_right("poll-fd") && waits_right("epoll_wait");
	return is_right && all_right() ? arg : NULL;
}

/* The filter is that of one thread, and what is known of it that of all. */
static void by_another_thread(void)
{
	pthread_t thread;
	void *ret = NULL;

	if (pthread_create(&thread, NULL, wait_in_thread, (void *)&is_confined))
		leave(false);
	confine(filter_kill(variants, VARIANTS, FILTER_BY_SECCOMP));
	atomic_store(&is_confined, true);
	leave(all_right() && !pthread_join(thread, &ret) && ret);
}

static void started(void)
{
	execl(own_path, own_path, "confined", (char *)NULL);
	leave(false);
}

static void killed_before_start(void)
{
	confine(filter_kill(variants, BEFORE_START, FILTER_BY_PRCTL));
	started();
}

/* As sandboxes of containers do, which also deny what asks for them. */
static void denied_before_start(void)
{
	confine(filter_deny(variants, VARIANTS - 1, EPERM));
	started();
}

static void unknown_before_start(void)
{
	confine(filter_deny(variants, VARIANTS - 1, ENOSYS));
	started();
}

/* ---- Unseen --------------------------------------------------------------------------------------------------- */

/* The C library's own function, whatever is loaded before it. */
static void install_unseen(int error)
{
	void *libc = dlopen(LIBC_SO, RTLD_NOW), *found = libc ? dlsym(libc, "prctl") : NULL;
	int (*own)(int option, ...);

	memcpy(&own, &found, sizeof(own));
	if (!found)
		_exit(NO_FILTER);
	confine(filter_deny_by(own, variants, VARIANTS, error));
}

static void denied_unseen(void)
{
	install_unseen(EPERM);
	leave(all_right());
}

static void unknown_unseen(void)
{
	install_unseen(ENOSYS);
	leave(all_right());
}

static void denied_unseen_after_waits(void)
{
	if (!all_right())
		leave(false);
	denied_unseen();
}

/* ---- Children ------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "by prctl()", by_prctl }, { "by seccomp()", by_seccomp },
	{ "by prctl(), after waits", by_prctl_after_waits }, { "by another thread", by_another_thread },
	{ "before the start", killed_before_start }, { "denied before the start", denied_before_start },
	{ "unknown before the start", unknown_before_start }, { "denied, unseen", denied_unseen },
	{ "unknown, unseen", unknown_unseen }, { "denied, unseen, after waits", denied_unseen_after_waits },
};

/* Returns false where there is no seccomp. */
static bool check(size_t i)
{
	int status = -1;
	pid_t child = fork();

	if (!child)
		ways[i].run();
	CHECK(child > 0 && waitpid(child, &status, 0) == child, "no child");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
		return false;
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "%s: %s %d", ways[i].name,
	      WIFSIGNALED(status) ? "killed by signal" : "status",
	      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return true;
}

int main(int argc, char **argv)
{
	own_path = argv[0];
	if (!waiters_open())
		return skip("no descriptors here");
	if (argc > 1)
		leave(all_right());
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!check(i))
			return skip("no seccomp here");
	return failures != 0;
}
