// SPDX-License-Identifier: MIT
/*
 * guards N: two threads hand a turn to each other N times, each wait with a time-out of 5 s that never comes, as queues
 * of servers are guarded. Prints the time and the CPU time of a turn there and back, in ns.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turns[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static int turn;
static long n;

static int64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void *player(void *arg)
{
	int own = *(int *)arg;

	pthread_mutex_lock(&mutex);
	for (long i = 0; i < n; i++) {
		struct timespec guard;

		clock_gettime(CLOCK_REALTIME, &guard);
		guard.tv_sec += 5;
		while (turn != own)
			pthread_cond_timedwait(&turns[own], &mutex, &guard);
		turn = !own;
		pthread_cond_signal(&turns[!own]);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	int first = 0, second = 1;
	int64_t began_ns, cpu_ns;
	pthread_t other;

	n = argc == 2 ? atol(argv[1]) : 0;
	if (n < 1)
		return 2;
	cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	began_ns = now_ns(CLOCK_MONOTONIC);
	if (pthread_create(&other, NULL, player, &second))
		return 1;
	player(&first);
	pthread_join(other, NULL);
	printf("%lld %lld\n", (long long)(now_ns(CLOCK_MONOTONIC) - began_ns) / n,
	       (long long)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns) / n);
	return 0;
}
