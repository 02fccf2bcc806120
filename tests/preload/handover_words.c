// SPDX-License-Identifier: MIT
/* Hand-overs by words in memory: condition variables, semaphores, futexes. They are looked at after a deadline too. */
#include "handover.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>

#include "sleeper.h"

/* From the errors of a wait: true for an event. */
static bool is_event(int err)
{
	MUST(!err || err == ETIMEDOUT, "%s", strerror(err));
	return !err;
}

/* ---- Condition variables ------------------------------------------------------------------------------------- */

/* The C library's since 2.30. */
typedef int cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id, const struct timespec *until);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static cond_clockwait *clockwait; /* NULL: pthread_cond_timedwait() */
static long latest, queued;       /* with the mutex */

static bool prepare_clockwait(void)
{
	struct timespec past = { 0 };
	int err;

	*(void **)&clockwait = dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
	if (!clockwait)
		return false;
	pthread_mutex_lock(&mutex);
	err = clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past);
	pthread_mutex_unlock(&mutex);
	return err != ENOSYS;
}

static bool prepare_monotonic(void)
{
	pthread_condattr_t a;

	return !pthread_condattr_init(&a) && !pthread_condattr_setclock(&a, CLOCK_MONOTONIC) &&
	       !pthread_cond_init(&cond, &a);
}

static void signal_inside(long n)
{
	pthread_mutex_lock(&mutex);
	latest = n;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
}

static void signal_after(long n)
{
	pthread_mutex_lock(&mutex);
	latest = n;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&cond);
}

static void broadcast(long n)
{
	pthread_mutex_lock(&mutex);
	latest = n;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
}

static int wait_once(const struct timespec *until)
{
	if (clockwait)
		return clockwait(&cond, &mutex, CLOCK_MONOTONIC, until);
	return pthread_cond_timedwait(&cond, &mutex, until);
}

/* An event that is there at a time-out is left for the next wait: whether it came too late is known then. */
static bool wait_by_cond(const struct timeout *t, long n)
{
	struct timespec until = timespec_of(t->at_ns);
	int err = 0;

	pthread_mutex_lock(&mutex);
	while (latest < n && !err)
		err = wait_once(&until);
	pthread_mutex_unlock(&mutex);
	return is_event(err);
}

/* By all three ways to signal, which may wake more than one. */
static void put(long n)
{
	pthread_mutex_lock(&mutex);
	queued++;
	if (n % 3 == 0)
		pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	if (n % 3 == 1)
		pthread_cond_signal(&cond);
	if (n % 3 == 2)
		pthread_cond_broadcast(&cond);
}

static bool take_from_queue(const struct timeout *t, long n)
{
	struct timespec until = timespec_of(t->at_ns);
	bool is_taken;
	int err = 0;

	(void)n;
	pthread_mutex_lock(&mutex);
	while (!queued && !err)
		err = wait_once(&until);
	is_taken = queued > 0;
	queued -= is_taken;
	pthread_mutex_unlock(&mutex);
	MUST(is_taken || !is_event(err), "an event without an item");
	return is_taken;
}

/* ---- The same of <threads.h> --------------------------------------------------------------------------------- */

static mtx_t mtx;
static cnd_t cnd;

static bool prepare_cnd(void)
{
	return mtx_init(&mtx, mtx_plain) == thrd_success && cnd_init(&cnd) == thrd_success;
}

static void signal_cnd(long n)
{
	mtx_lock(&mtx);
	latest = n;
	if (n & 1)
		cnd_signal(&cnd);
	else
		cnd_broadcast(&cnd);
	mtx_unlock(&mtx);
}

static bool wait_by_cnd(const struct timeout *t, long n)
{
	struct timespec until = timespec_of(t->at_ns);
	int r = thrd_success;

	mtx_lock(&mtx);
	while (latest < n && r == thrd_success)
		r = cnd_timedwait(&cnd, &mtx, &until);
	mtx_unlock(&mtx);
	return is_event(r == thrd_success ? 0 : r == thrd_timedout ? ETIMEDOUT : EINVAL);
}

/* ---- Semaphores ---------------------------------------------------------------------------------------------- */

/* The C library's since 2.30. */
typedef int sem_clock_wait(sem_t *sem, clockid_t id, const struct timespec *until);

static sem_t sem;
static sem_clock_wait *sem_clock; /* NULL: sem_timedwait() */

static bool prepare_sem(void)
{
	return !sem_init(&sem, 0, 0);
}

static bool prepare_semclock(void)
{
	struct timespec past = { 0 };

	*(void **)&sem_clock = dlsym(RTLD_DEFAULT, "sem_clockwait");
	return sem_clock && prepare_sem() && sem_clock(&sem, CLOCK_MONOTONIC, &past) && errno != ENOSYS;
}

static void post(long n)
{
	MUST(!sem_post(&sem), "post %ld: %s", n, strerror(errno));
}

static bool wait_by_sem(const struct timeout *t, long n)
{
	struct timespec until = timespec_of(t->at_ns);
	int r;

	(void)n;
	r = sem_clock ? sem_clock(&sem, CLOCK_MONOTONIC, &until) : sem_timedwait(&sem, &until);
	return is_event(r ? errno : 0);
}

/* ---- Words in memory ----------------------------------------------------------------------------------------- */

static _Atomic uint32_t word;

#ifdef SYS_futex
#define HAS_FUTEX 1
#else
#define HAS_FUTEX 0
#define SYS_futex (-1)
#endif

/* It takes the time that was plain when it was made. */
static bool prepare_futex(void)
{
	return HAS_FUTEX && sizeof(((struct timespec *)NULL)->tv_sec) == sizeof(long);
}

static void change_word(long n)
{
	atomic_store(&word, (uint32_t)n);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

/* A wake without a change of the word is one for no reason. */
static bool wait_by_futex(int op, int64_t ns, long n)
{
	struct timespec ts = timespec_of(ns);
	long r;

	do
		r = syscall(SYS_futex, &word, op | FUTEX_PRIVATE_FLAG, (uint32_t)n - 1, &ts, NULL,
			    FUTEX_BITSET_MATCH_ANY);
	while (!r && atomic_load(&word) != (uint32_t)n);
	MUST(!r || errno != EAGAIN || atomic_load(&word) == (uint32_t)n, "EAGAIN, but the word is the same");
	return is_event(r && errno != EAGAIN ? errno : 0);
}

static bool wait_for_word(const struct timeout *t, long n)
{
	return wait_by_futex(FUTEX_WAIT, t->length_ns, n);
}

static bool wait_until_word(const struct timeout *t, long n)
{
	return wait_by_futex(FUTEX_WAIT_BITSET, t->at_ns, n);
}

static bool wait_real_word(const struct timeout *t, long n)
{
	return wait_by_futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, t->at_ns, n);
}

/* ---- Kinds --------------------------------------------------------------------------------------------------- */

const struct handover handover_words[] = {
	/* ..., consumers, is_queue, is_exact */
	{ "cond", CLOCK_REALTIME, 1, NULL, signal_inside, wait_by_cond, 1, false, true },
	{ "cond-after", CLOCK_REALTIME, 1, NULL, signal_after, wait_by_cond, 1, false, true },
	{ "broadcast", CLOCK_REALTIME, 1, NULL, broadcast, wait_by_cond, 3, false, true },
	{ "clockwait", CLOCK_MONOTONIC, 1, prepare_clockwait, signal_inside, wait_by_cond, 1, false, true },
	{ "monotonic", CLOCK_MONOTONIC, 1, prepare_monotonic, signal_after, wait_by_cond, 1, false, true },
	{ "cnd", CLOCK_REALTIME, 1, prepare_cnd, signal_cnd, wait_by_cnd, 1, false, true },
	{ "queue", CLOCK_REALTIME, 1, NULL, put, take_from_queue, 3, true, true },
	{ "sem", CLOCK_REALTIME, 1, prepare_sem, post, wait_by_sem, 1, false, true },
	{ "semclock", CLOCK_MONOTONIC, 1, prepare_semclock, post, wait_by_sem, 1, false, true },
	{ "sem-queue", CLOCK_REALTIME, 1, prepare_sem, post, wait_by_sem, 3, true, true },
	{ "futex", CLOCK_MONOTONIC, 1, prepare_futex, change_word, wait_for_word, 1, false, true },
	{ "futex-until", CLOCK_MONOTONIC, 1, prepare_futex, change_word, wait_until_word, 1, false, true },
	{ "futex-real", CLOCK_REALTIME, 1, prepare_futex, change_word, wait_real_word, 1, false, true },
	{ .name = NULL },
};
