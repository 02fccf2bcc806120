// SPDX-License-Identifier: MIT
/*
 * A signal handler reads and converts while the thread that it interrupts does the same, from the first conversion on.
 * Children forked in between do so too. No reader waits for another, and no time goes back.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define SIGNALS 2000
#define FORKS   200

static _Atomic unsigned handled, went_back;

static void check_order(void)
{
	int64_t a = hpt_now_ns(NULL), unix_ns;
	hpt_time_t t = hpt_now(NULL);

	if (hpt_time_to_unix_ns(NULL, t, &unix_ns) || hpt_now(NULL) < t || hpt_now_ns(NULL) < a)
		atomic_fetch_add(&went_back, 1);
}

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	check_order();
	atomic_fetch_add(&handled, 1);
	errno = saved;
}

static void check_child(void)
{
	int64_t before = hpt_now_ns(NULL);
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < 100; i++)
			check_order();
		_exit(hpt_now_ns(NULL) < before || atomic_load(&went_back));
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "child: status %#x", (unsigned)status);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_interval.tv_usec = 100, .it_value.tv_usec = 1 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < FORKS; i++)
		check_child();
	while (atomic_load(&handled) < SIGNALS)
		check_order();
	CHECK(!atomic_load(&went_back), "%u times a time went back or did not convert", atomic_load(&went_back));
	return failures != 0;
}
