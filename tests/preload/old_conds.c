// SPDX-License-Identifier: MIT
/*
 * A program of another age: its condition variables are of the C library's oldest version, which no hook has. Its
 * signals reach its waits, and those that time out are not short.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "process.h"
#include "sleeper.h"

__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver pthread_cond_broadcast, pthread_cond_broadcast@GLIBC_2.2.5");

#define ROUNDS 2000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn;

static struct timespec after(int64_t ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return timespec_of(ns_of(&now) + ns);
}

/* Each waits for its own turn, and gives it to the other. */
static void take_turns(int own)
{
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec until = after(3600 * S);
		int r = 0;

		while (turn != own && !r)
			r = i % 2 ? pthread_cond_wait(&cond, &mutex) : pthread_cond_timedwait(&cond, &mutex, &until);
		CHECK(!r, "a wait returned %d", r);
		turn = !own;
		(void)(i % 3 ? pthread_cond_signal(&cond) : pthread_cond_broadcast(&cond));
	}
	pthread_mutex_unlock(&mutex);
}

static void *take_other_turns(void *arg)
{
	take_turns(1);
	return arg;
}

static void waits_time_out(void)
{
	pthread_mutex_lock(&mutex);
	for (int64_t ns = 10 * US; ns < 10 * MS; ns *= 3) {
		struct timespec until = after(ns);

		CHECK(pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT &&
		      kernel_ns(CLOCK_REALTIME) >= ns_of(&until), "a wait of %lld ns", (long long)ns);
	}
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	pthread_t thread;

	waits_time_out();
	CHECK(!pthread_create(&thread, NULL, take_other_turns, NULL), "no thread");
	take_turns(0);
	pthread_join(thread, NULL);
	return failures != 0;
}
