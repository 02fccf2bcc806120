// SPDX-License-Identifier: MIT
/*
 * Sleeps and waits in a sandbox that kills for every system call but the one that the function itself makes, write and
 * exit_group; and in one that answers it with an error. Each in a child, in its main thread or in one that is older
 * than the filter.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "filter.h"
#include "process.h"
#include "sleeper.h"
#include "waiters.h"

static size_t allowed(const struct sleeper *s, bool is_clock_a_call, long ret[8])
{
	static const long clocks[] = { CLOCK };
	size_t n = 0;

	ret[n++] = s->calls[0];
	ret[n++] = s->calls[1];
	ret[n++] = SYS_write;
	ret[n++] = SYS_exit_group;
	for (size_t i = 0; is_clock_a_call && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		ret[n++] = clocks[i];
	return n;
}

/* Where the filter cannot be had the child exits so. */
#define NO_FILTER 76

static bool is_clock_a_call;

/* exit() would flush and free, by other calls. */
static void leave(int status)
{
	syscall(SYS_exit_group, status);
}

static void confine(const struct sleeper *s)
{
	long calls[8];
	size_t n = allowed(s, is_clock_a_call, calls);

	if (!filter_allow_only(calls, n))
		leave(NO_FILTER);
}

/* A short write to standard error is all the report that the sandbox permits. */
static void complain(const struct sleeper *s, const char *what)
{
	char text[80] = "";

	strcat(text, s->name);
	strcat(text, what);
	(void)!write(2, text, strlen(text));
	leave(1);
}

static int64_t clock_of_libc_ns(const struct sleeper *s)
{
	struct timespec ts;

	clock_gettime(s->clock, &ts);
	return ns_of(&ts);
}

static void sleep_all_lengths(const struct sleeper *s)
{
	static const int64_t lengths_ns[] = {
		0, 1, 1000, 20000, 49999, 50000, 70000, 130000, 500000, 1000000, 3000000, 20000000, 120000000,
	};

	for (int round = 0; round < 4; round++)
		for (size_t i = 0; i < sizeof(lengths_ns) / sizeof(lengths_ns[0]); i++) {
			int64_t left_ns, length_ns = sleeper_round(s, lengths_ns[i]), began_ns = clock_of_libc_ns(s);

			if (s->unit_ns == S && (round || length_ns > S || i > 1))
				continue;
			errno = EXDEV;
			if (s->sleep(length_ns, &left_ns))
				complain(s, " failed\n");
			if (clock_of_libc_ns(s) - began_ns < length_ns)
				complain(s, " was short\n");
			if (errno != EXDEV)
				complain(s, " changed errno\n");
		}
}

static void sleep_confined(const struct sleeper *s)
{
	confine(s);
	sleep_all_lengths(s);
	leave(0);
}

/* ---- In a thread that is older than the filter -------------------------------------------------- */

static _Atomic bool is_awaited;

/* Its first sleep is in the sandbox. */
static void *sleep_confined_in_thread(void *arg)
{
	while (!atomic_load(&is_awaited))
		;
	sleep_confined(arg);
	return NULL;
}

/* The filter kills the thread alone; if it does not, the thread ends the process. */
static void sleep_in_thread(const struct sleeper *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_confined_in_thread, (void *)s))
		leave(1);
	atomic_store(&is_awaited, true);
	pthread_join(thread, NULL);
	complain(s, " killed its thread\n");
}

/* ---- Refused ------------------------------------------------------------------------------------ */

/*
 * The error is returned at once: a sleep of a minute that was spun would use a minute of CPU time. A brief sleep may be
 * spun to its end.
 */
static void sleep_refused(const struct sleeper *s)
{
	int64_t left_ns;
	struct rusage use;
	int r;

	if (!filter_deny(s->calls, 2, EPERM))
		leave(NO_FILTER);
	r = s->sleep(60 * S, &left_ns);
	getrusage(RUSAGE_SELF, &use);
	if (r != (!strcmp(s->name, "thrd_sleep") ? ENOTSUP : EPERM))
		complain(s, " does not return the error\n");
	if (use.ru_utime.tv_sec + use.ru_stime.tv_sec > 5)
		complain(s, " spins\n");
	leave(0);
}

/* ---- Children, which sleep at the same time ----------------------------------------------------- */

static pid_t start(void (*run)(const struct sleeper *s), const struct sleeper *s)
{
	pid_t child = fork();

	if (!child) {
		run(s);
		_exit(1);
	}
	return child;
}

static int status_of(pid_t child)
{
	int status = -1;

	CHECK(child > 0 && waitpid(child, &status, 0) == child, "no child");
	return status;
}

static void expect_good(pid_t child, const struct sleeper *s, const char *where)
{
	int status = status_of(child);

	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "%s %s: %s %d", s->name, where,
	      WIFSIGNALED(status) ? "killed by signal" : "status",
	      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void read_clock_confined(const struct sleeper *s)
{
	confine(s);
	clock_of_libc_ns(s);
	leave(0);
}

static const struct {
	void (*run)(const struct sleeper *s);
	const char *where;
} sandboxes[] = {
	{ sleep_confined, "in a sandbox" },
	{ sleep_in_thread, "in a thread in a sandbox" },
	{ sleep_refused, "refused" },
};

#define SANDBOXES 3

/* Where the kernel refuses to wait for a word the C library ends the program. */
static bool may_run(const struct sleeper *s, int sandbox)
{
	return waiter_is_here(s) && (sandboxes[sandbox].run != sleep_refused || s->calls[0] != SYS_futex);
}

static void run_all(const struct sleeper *table, int n)
{
	pid_t children[32][SANDBOXES];

	for (int i = 0; i < n; i++)
		for (int k = 0; k < SANDBOXES; k++)
			children[i][k] = may_run(&table[i], k) ? start(sandboxes[k].run, &table[i]) : 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < SANDBOXES; k++)
			if (children[i][k])
				expect_good(children[i][k], &table[i], sandboxes[k].where);
}

int main(void)
{
	int status = status_of(start(read_clock_confined, &sleepers[0]));

	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
		return skip("no seccomp here");
	/* Where the vDSO does not serve, reading the clock is a system call. */
	is_clock_a_call = WIFSIGNALED(status);
	run_all(sleepers, sleepers_n);
	if (!waiters_open())
		return skip("no descriptors here");
	run_all(waiters, waiters_n);
	return failures != 0;
}
