// SPDX-License-Identifier: MIT
/*
 * Waits for events of another process or thread, so that its system calls can be counted: those between two of
 * getppid().
 *
 * usage: wait_calls FUNCTION N     a message and an answer N times; the time-out is a guard that never ends a wait
 *        wait_calls FUNCTION N MS  N waits of MS each, for an event that never comes
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>

#include "waiters.h"

#define GUARD_NS (50 * S)

static int to_echo[2], from_echo[2], epfd;
static fd_set far_set; /* not on the stack */

/* ---- Waits for an answer: above 0 if it is there ---------------------------------------------------------------- */

static int by_poll(int64_t ns)
{
	return poll(&(struct pollfd){ .fd = from_echo[0], .events = POLLIN }, 1, (int)(ns / MS));
}

static int by_ppoll(int64_t ns)
{
	struct timespec ts = timespec_of(ns);

	return ppoll(&(struct pollfd){ .fd = from_echo[0], .events = POLLIN }, 1, &ts, NULL);
}

static int select_of(fd_set *set, int64_t ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };

	FD_ZERO(set);
	FD_SET(from_echo[0], set);
	return select(from_echo[0] + 1, set, NULL, NULL, &tv);
}

static int by_select(int64_t ns)
{
	fd_set set;

	return select_of(&set, ns);
}

static int by_far_select(int64_t ns)
{
	return select_of(&far_set, ns);
}

static int by_pselect(int64_t ns)
{
	struct timespec ts = timespec_of(ns);
	fd_set set;

	FD_ZERO(&set);
	FD_SET(from_echo[0], &set);
	return pselect(from_echo[0] + 1, &set, NULL, NULL, &ts, NULL);
}

static int by_epoll_wait(int64_t ns)
{
	struct epoll_event event;

	return epoll_wait(epfd, &event, 1, (int)(ns / MS));
}

static int by_epoll_pwait(int64_t ns)
{
	struct epoll_event event;

	return epoll_pwait(epfd, &event, 1, (int)(ns / MS), NULL);
}

static const struct {
	const char *name;
	int (*wait)(int64_t ns);
} kinds[] = {
	{ "poll", by_poll }, { "ppoll", by_ppoll }, { "select", by_select }, { "far-select", by_far_select },
	{ "pselect", by_pselect }, { "epoll_wait", by_epoll_wait }, { "epoll_pwait", by_epoll_pwait },
};

/* ---- Another process, which nobody traces ----------------------------------------------------------------------- */

static void echo(void)
{
	char byte;

	while (read(to_echo[0], &byte, 1) == 1)
		if (write(from_echo[1], &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

static bool open_echo(void)
{
	struct epoll_event event = { .events = EPOLLIN };

	epfd = epoll_create1(0);
	return epfd >= 0 && !pipe(to_echo) && !pipe(from_echo) &&
	       !epoll_ctl(epfd, EPOLL_CTL_ADD, from_echo[0], &event);
}

static bool ask(int (*wait)(int64_t ns))
{
	char byte = 'x';

	return write(to_echo[1], &byte, 1) == 1 && wait(GUARD_NS) == 1 && read(from_echo[0], &byte, 1) == 1;
}

static bool talk(int (*wait)(int64_t ns), int n)
{
	bool is_good = true;
	pid_t child = fork();

	if (!child) {
		close(to_echo[1]);
		echo();
	}
	getppid();
	for (int i = 0; i < n; i++)
		is_good &= ask(wait);
	getppid();
	close(to_echo[1]);
	return waitpid(child, NULL, 0) == child && is_good;
}

static bool wait_out(int (*wait)(int64_t ns), int n, int64_t ns)
{
	bool is_good = true;

	getppid();
	for (int i = 0; i < n; i++)
		is_good &= !wait(ns);
	getppid();
	return is_good;
}

/* ---- Another thread --------------------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sems[2];
static int turn, rounds;

/* Each waits for its own turn, and gives it to the other. */
static bool take_turns_by_cond(int own)
{
	bool is_good = true;

	pthread_mutex_lock(&mutex);
	for (int i = 0; i < rounds; i++) {
		struct timespec until = time_after(CLOCK_REALTIME, GUARD_NS);

		while (turn != own && is_good)
			is_good = !pthread_cond_timedwait(&cond, &mutex, &until);
		turn = !own;
		pthread_cond_signal(&cond);
	}
	pthread_mutex_unlock(&mutex);
	return is_good;
}

static bool take_turns_by_sem(int own)
{
	bool is_good = true;

	for (int i = 0; i < rounds; i++) {
		struct timespec until = time_after(CLOCK_REALTIME, GUARD_NS);

		is_good &= !sem_timedwait(&sems[own], &until);
		sem_post(&sems[!own]);
	}
	return is_good;
}

static void *other_by_cond(void *arg)
{
	return take_turns_by_cond(1) ? arg : NULL;
}

static void *other_by_sem(void *arg)
{
	return take_turns_by_sem(1) ? arg : NULL;
}

static bool take_turns(bool is_by_sem, int n)
{
	bool is_good = !sem_init(&sems[0], 0, 1) && !sem_init(&sems[1], 0, 0);
	pthread_t thread;
	void *ret = NULL;

	rounds = n;
	if (pthread_create(&thread, NULL, is_by_sem ? other_by_sem : other_by_cond, sems))
		return false;
	getppid();
	is_good &= is_by_sem ? take_turns_by_sem(0) : take_turns_by_cond(0);
	getppid();
	return !pthread_join(thread, &ret) && ret && is_good;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!n || !open_echo())
		return 2;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			return !(argc > 3 ? wait_out(kinds[i].wait, n, atoi(argv[3]) * MS) : talk(kinds[i].wait, n));
	return !take_turns(!strcmp(argv[1], "sem"), n);
}
