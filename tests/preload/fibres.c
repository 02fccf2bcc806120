// SPDX-License-Identifier: MIT
/*
 * Fibres: this library's poll(), epoll_wait(), sem_timedwait() and pthread_cond_timedwait() let the others run until
 * there is an event or the time is over. If the thread waited instead, the event would never come.
 */
#include "fibres.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <ucontext.h>

#include "sleeper.h"

#define MOST        8
#define STACK_BYTES 262144

static struct {
	ucontext_t context;
	bool is_over;
} fibres[MOST];

static ucontext_t all_over;
static int n, current;
static void (*run_fibre)(int number);

static void let_others_run(void)
{
	int before = current;

	sched_yield();
	for (int i = 1; i <= n; i++) {
		current = (before + i) % n;
		if (!fibres[current].is_over)
			break;
	}
	if (n && current != before)
		swapcontext(&fibres[before].context, &fibres[current].context);
}

static void begin(int number)
{
	run_fibre(number);
	fibres[number].is_over = true;
	let_others_run();
	setcontext(&all_over); /* it was the last one */
}

void fibres_run(int count, void (*run)(int number))
{
	n = count;
	run_fibre = run;
	for (int i = 0; i < n; i++) {
		getcontext(&fibres[i].context);
		fibres[i].context.uc_stack.ss_sp = malloc(STACK_BYTES);
		fibres[i].context.uc_stack.ss_size = STACK_BYTES;
		makecontext(&fibres[i].context, (void (*)(void))begin, 1, i);
	}
	current = 0;
	swapcontext(&all_over, &fibres[0].context);
	n = 0;
}

int poll(struct pollfd *fds, nfds_t count, int ms)
{
	int64_t until_ns = kernel_ns(CLOCK_MONOTONIC) + ms * MS;
	struct timespec none = { 0 };
	long r;

	while (!(r = syscall(SYS_ppoll, fds, count, &none, NULL, 8)) &&
	       (ms < 0 || kernel_ns(CLOCK_MONOTONIC) < until_ns))
		let_others_run();
	return (int)r;
}

int epoll_wait(int epfd, struct epoll_event *events, int max, int ms)
{
	int64_t until_ns = kernel_ns(CLOCK_MONOTONIC) + ms * MS;
	long r;

	while (!(r = syscall(SYS_epoll_pwait, epfd, events, max, 0, NULL, 8)) &&
	       (ms < 0 || kernel_ns(CLOCK_MONOTONIC) < until_ns))
		let_others_run();
	return (int)r;
}

int sem_timedwait(sem_t *sem, const struct timespec *until)
{
	while (sem_trywait(sem)) {
		if (kernel_ns(CLOCK_REALTIME) >= ns_of(until)) {
			errno = ETIMEDOUT;
			return -1;
		}
		let_others_run();
	}
	return 0;
}

/* Of all condition variables: their waits may end for no reason. */
static long signals;

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	long before = signals;

	(void)cond;
	while (signals == before) {
		if (kernel_ns(CLOCK_REALTIME) >= ns_of(until))
			return ETIMEDOUT;
		pthread_mutex_unlock(mutex);
		let_others_run();
		pthread_mutex_lock(mutex);
	}
	return 0;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	(void)cond;
	signals++;
	return 0;
}
