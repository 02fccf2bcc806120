// SPDX-License-Identifier: MIT
/*
 * Threads that sleep at once, and sleeps that threads never come back from.
 *
 * usage: crowd together THREADS POLLS    each thread polls so often for 1 ms; prints the ns that it took
 *        crowd cancelled TIMES           sleeps of 3 ms whose threads are cancelled, ...
 *        crowd jumped TIMES              ... which a handler leaves by siglongjmp(), ...
 *        crowd forked TIMES              ... in which a handler forks; the child sleeps on, and sleeps again
 *        crowd ended TIMES               ... after each of which its thread ends
 * The last four print how many sleeps had no place in the sleeps of one thread after that.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "preload/tally.h"
#include "preload/words.h"
#include "sleeper.h"

#define NS    (3 * MS)
#define AFTER 20
#define MOST  64

static void sleep_ns(int64_t ns)
{
	struct timespec ts = timespec_of(ns);

	nanosleep(&ts, NULL);
}

/* ---- Together ------------------------------------------------------------------------------------------------- */

static void *poll_often(void *arg)
{
	for (long i = *(const long *)arg; i > 0; i--)
		poll(NULL, 0, 1);
	return NULL;
}

static int sleep_together(int n, long polls)
{
	int64_t began_ns = kernel_ns(CLOCK_MONOTONIC);
	pthread_t threads[MOST];

	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, poll_often, &polls))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%lld\n", (long long)(kernel_ns(CLOCK_MONOTONIC) - began_ns));
	return 0;
}

/* ---- Never back ------------------------------------------------------------------------------------------------ */

static sigjmp_buf out;
static volatile sig_atomic_t children;

static void jump(int sig)
{
	(void)sig;
	siglongjmp(out, 1);
}

/* The child's sleep ends by the signal. Its next one is whole. */
static void leave_child(int sig)
{
	(void)sig;
	children = 1;
	if (!fork()) {
		sleep_ns(NS);
		_exit(0);
	}
}

static void in_a_while(void (*handler)(int))
{
	struct itimerval it = { .it_value.tv_usec = NS / 2 / US };

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &it, NULL);
}

static void be_jumped(void)
{
	if (sigsetjmp(out, 1))
		return;
	in_a_while(jump);
	sleep_ns(NS);
	while (1) /* the signal came after the sleep */
		;
}

static void be_forked(void)
{
	children = 0;
	in_a_while(leave_child);
	while (!children)
		sleep_ns(NS);
	wait(NULL);
}

static void *sleep_for_ever(void *arg)
{
	while (1)
		sleep_ns(NS);
	return arg;
}

static void be_cancelled(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_for_ever, NULL))
		exit(1);
	sleep_ns(NS + NS / 2);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

static void *sleep_once(void *arg)
{
	sleep_ns(NS);
	return arg;
}

static void be_ended(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_once, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

static const struct {
	const char *name;
	void (*once)(void);
} ways[] = { { "cancelled", be_cancelled }, { "jumped", be_jumped }, { "forked", be_forked }, { "ended", be_ended } };

static unsigned long long crowded(void)
{
	int fd = open(getenv(HPT_RUN_STATS) ? getenv(HPT_RUN_STATS) : "", O_RDWR);
	struct hpt_tally *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (t == MAP_FAILED)
		exit(3);
	close(fd);
	return atomic_load(&t->unspun[HPT_UNSPUN_CROWD]);
}

static int sleep_alone(const char *way, long times)
{
	unsigned long long before;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		for (long k = 0; k < times && !strcmp(ways[i].name, way); k++)
			ways[i].once();
	sleep_ns(20 * MS);
	before = crowded();
	for (int i = 0; i < AFTER; i++)
		sleep_ns(2 * MS);
	printf("%llu\n", crowded() - before);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "together") && atoi(argv[2]) <= MOST)
		return sleep_together(atoi(argv[2]), atol(argv[3]));
	return argc == 3 ? sleep_alone(argv[1], atol(argv[2])) : 2;
}
