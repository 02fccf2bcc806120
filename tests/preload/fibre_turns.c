// SPDX-License-Identifier: MIT
/*
 * Fibres that take turns, by each kind of wait: each waits for its own, and gives the next one its turn. Prints how
 * many were taken, and how many waits without an event were early or had one. The library may be in any object.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "fibres.h"
#include "waiters.h"

#define FIBRES 4
#define ROUNDS 50
#define LONG_S 1000

static int pipes[FIBRES + 1][2], epfds[FIBRES]; /* the last one is silent */
static sem_t sems[FIBRES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn = -1;
static long taken, wrong;

static bool is_byte_taken(int number)
{
	char c;

	return read(pipes[number][0], &c, 1) == 1;
}

static bool wait_for_turn(int number)
{
	struct timespec until = time_after(CLOCK_REALTIME, LONG_S * S);
	int r = 0;

	pthread_mutex_lock(&mutex);
	while (turn != number && !r)
		r = pthread_cond_timedwait(&cond, &mutex, &until);
	turn = -1;
	pthread_mutex_unlock(&mutex);
	return !r;
}

static bool take(int kind, int number)
{
	struct timespec until = time_after(CLOCK_REALTIME, LONG_S * S);
	struct epoll_event event;

	switch (kind) {
	case 0:
		return poll(&(struct pollfd){ .fd = pipes[number][0], .events = POLLIN }, 1, LONG_S * 1000) == 1 &&
		       is_byte_taken(number);
	case 1:
		return epoll_wait(epfds[number], &event, 1, LONG_S * 1000) == 1 && is_byte_taken(number);
	case 2:
		return !sem_timedwait(&sems[number], &until);
	default:
		return wait_for_turn(number);
	}
}

static void give(int kind, int number)
{
	if (kind < 2) {
		wrong += write(pipes[number][1], "x", 1) != 1;
	} else if (kind == 2) {
		sem_post(&sems[number]);
	} else {
		pthread_mutex_lock(&mutex);
		turn = number;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&mutex);
	}
}

/* A wait for nothing. */
static void pause_briefly(void)
{
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);

	wrong += poll(&(struct pollfd){ .fd = pipes[FIBRES][0], .events = POLLIN }, 1, 2) != 0;
	wrong += kernel_ns(CLOCK_MONOTONIC) - began_ns < 2 * MS;
}

static void take_turns(int number)
{
	for (int i = 0; i < 4 * ROUNDS; i++) {
		if (!number)
			give(i % 4, 1);
		taken += take(i % 4, number);
		if (number)
			give(i % 4, (number + 1) % FIBRES);
		if (i % ROUNDS == 0)
			pause_briefly();
	}
}

static bool prepare(void)
{
	struct epoll_event event = { .events = EPOLLIN };

	for (int i = 0; i <= FIBRES; i++)
		if (pipe(pipes[i]))
			return false;
	for (int i = 0; i < FIBRES; i++) {
		epfds[i] = epoll_create1(0);
		if (epfds[i] < 0 || epoll_ctl(epfds[i], EPOLL_CTL_ADD, pipes[i][0], &event) || sem_init(&sems[i], 0, 0))
			return false;
	}
	return true;
}

int main(void)
{
	void (*run)(int n, void (*run_one)(int number));
	void *found = dlsym(RTLD_DEFAULT, "fibres_run");

	if (!found || !prepare())
		return 1;
	memcpy(&run, &found, sizeof(run));
	run(FIBRES, take_turns);
	printf("%ld taken, %ld wrong\n", taken, wrong);
	return 0;
}
