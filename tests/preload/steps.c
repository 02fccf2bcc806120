// SPDX-License-Identifier: MIT
/*
 * Sleeps as its arguments say, and then prints what became of each, by the kernel's own clock.
 *
 * usage: steps STEP...
 *        FUNCTION:NS     a sleep by that function of sleeper.c
 *        FUNCTION*N:NS   N of them, without a line for each
 *        alarm:NS        SIGALRM comes every NS in the next step that is FUNCTION:NS
 *        fork            the child takes the other steps, and the parent waits for it
 *        open:LIBRARY    dlopen()
 *        run:COMMAND     by the shell
 * with HAS_WAITERS also functions of waiters.c, and
 *        call:FUNCTION   syscall(), prctl() or pthread_cond_signal(), for its result
 * prints FUNCTION NS RESULT LEFT_NS TOOK_NS for each sleep
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "sleeper.h"
#ifdef HAS_WAITERS
#include "waiters.h"
#endif

#define MOST 4096

static char report[MOST];
static size_t reported;
static int64_t alarm_ns;

static void on_alarm(int sig)
{
	(void)sig;
}

/* Again and again: the first may come before the sleep. 0: no more. */
static void alarm_every(int64_t ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	struct itimerval it = { .it_value = tv, .it_interval = tv };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &it, NULL);
}

static int sleep_once(const struct sleeper *s, int64_t ns)
{
	int64_t began_ns = sleeper_clock_ns(s), left_ns, took_ns;
	int r;

	if (alarm_ns)
		alarm_every(alarm_ns);
	r = s->sleep(ns, &left_ns);
	took_ns = sleeper_clock_ns(s) - began_ns;
	if (alarm_ns)
		alarm_every(0);
	alarm_ns = 0;
	if (reported < MOST)
		reported += (size_t)snprintf(report + reported, MOST - reported, "%s %lld %d %lld %lld\n", s->name,
					     (long long)ns, r, (long long)left_ns, (long long)took_ns);
	return 0;
}

static int sleep_often(const struct sleeper *s, long n, int64_t ns)
{
	int64_t left_ns;

	while (n-- > 0)
		s->sleep(ns, &left_ns);
	return 0;
}

#ifdef HAS_WAITERS

static const struct sleeper *named(const char *name)
{
	const struct sleeper *s = sleeper_named(name);

	return s ? s : waiter_named(name);
}

static int call(const char *name)
{
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	long r = -1;

	if (!strcmp(name, "syscall"))
		r = syscall(SYS_getpid) == getpid();
	else if (!strcmp(name, "prctl"))
		r = prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	else if (!strcmp(name, "pthread_cond_signal"))
		r = pthread_cond_signal(&cond);
	reported += (size_t)snprintf(report + reported, MOST - reported, "%s 0 %ld 0 0\n", name, r);
	return 0;
}

#else

static const struct sleeper *named(const char *name)
{
	return sleeper_named(name);
}

static int call(const char *name)
{
	(void)name;
	return 2;
}

#endif

static int sleep_as(char *step, char *value)
{
	char *times = strchr(step, '*');
	const struct sleeper *s;

	if (times)
		*times++ = '\0';
	s = named(step);
	if (!s)
		return 2;
	return times ? sleep_often(s, atol(times), atoll(value)) : sleep_once(s, atoll(value));
}

/* The parent ends as its child does. */
static int fork_here(void)
{
	int status = -1;
	pid_t child = fork();

	if (child)
		_exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	return 0;
}

static int take(char *step)
{
	char *value = strchr(step, ':');

	if (!value)
		return strcmp(step, "fork") ? 2 : fork_here();
	*value++ = '\0';
	if (!strcmp(step, "open"))
		return !dlopen(value, RTLD_NOW);
	if (!strcmp(step, "run"))
		return system(value);
	if (!strcmp(step, "call"))
		return call(value);
	if (strcmp(step, "alarm"))
		return sleep_as(step, value);
	alarm_ns = atoll(value);
	return 0;
}

int main(int argc, char **argv)
{
#ifdef HAS_WAITERS
	if (!waiters_open())
		return 3;
#endif
	for (int i = 1; i < argc; i++) {
		int r = take(argv[i]);

		if (r) {
			fprintf(stderr, "steps: %s failed\n", argv[i]);
			return r;
		}
	}
	fputs(report, stdout);
	return 0;
}
