// SPDX-License-Identifier: MIT
/*
 * sem_timedwait(3) and sem_clockwait(3). A semaphore is all in its word, so that nothing can be missed, whichever
 * process posts. lib/preload/hook.h
 */
#include <semaphore.h>

#include "preload/hook.h"
#include "preload/wait.h"

/* The C library's since 2.30. */
HOOK int sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *until);

struct sem_wait {
	struct hpt_wait wait; /* first */
	sem_t *sem;
};

#define WAIT(CALL) { .wait = { .nap = NAP(CALL), .kind = &by_word }, .sem = sem }

/* 1: the semaphore is taken. */
static int taken(int r)
{
	return r ? -errno : 1;
}

static int wait_by_sem(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	const struct sem_wait *s = (const struct sem_wait *)w;
	struct timespec ts = hpt_timespec_of(until_ns);
	int r;

	(void)ns;
	if (w->nap.call == HPT_CALL_SEM_CLOCKWAIT)
		r = taken(hpt_own.sem_clockwait(s->sem, w->nap.id, &ts));
	else
		r = taken(hpt_own.sem_timedwait(s->sem, &ts));
	return r == -ETIMEDOUT ? 0 : r;
}

/* A cancelled thread takes nothing. */
static int look(struct hpt_wait *w)
{
	const struct sem_wait *s = (const struct sem_wait *)w;

	if (hpt_own.pthread_testcancel)
		hpt_own.pthread_testcancel();
	for (int i = 0; i < HPT_WAIT_WORD_LOOKS; i++) {
		if (!hpt_own.sem_trywait(s->sem))
			return 1;
		arch_relax();
	}
	return 0;
}

static const struct hpt_wait_kind by_word = { .wait = wait_by_sem, .look = look };

/* One that can be taken at once needs no clock. */
static bool is_there(sem_t *sem)
{
	int saved = errno;
	bool is_taken;

	if (hpt_own.pthread_testcancel)
		hpt_own.pthread_testcancel();
	is_taken = !hpt_own.sem_trywait(sem);
	errno = saved;
	return is_taken;
}

/* ETIMEDOUT after a last look. False: passed on. */
static bool serve(struct sem_wait *s, clockid_t id, const struct timespec *until, int *ret)
{
	int r;

	if (!hpt_wait_begin_until(&s->wait, id, hpt_timespec_ns(until)))
		return false;
	r = hpt_wait_take(&s->wait);
	*ret = r > 0 || (!r && is_there(s->sem)) ? 0 : hpt_result_of(r ? -r : ETIMEDOUT);
	return true;
}

static bool can_wait(enum hpt_name name, const struct timespec *until)
{
	return hpt_is_wait_served(name) && hpt_own.sem_trywait && hpt_is_time(until);
}

/* The exit is that of the hook, in which this is. */
static inline __attribute__((always_inline)) bool take(enum hpt_call call, sem_t *sem, clockid_t id,
						       const struct timespec *until, int *ret)
{
	*ret = 0;
	return is_there(sem) || serve(&(struct sem_wait)WAIT(call), id, until, ret);
}

HOOK int sem_timedwait(sem_t *sem, const struct timespec *until)
{
	int r;

	if (can_wait(HPT_NAME_SEM_TIMEDWAIT, until) &&
	    take(HPT_CALL_SEM_TIMEDWAIT, sem, CLOCK_REALTIME, until, &r))
		return r;
	return HPT_NEXT_LATE(sem_timedwait) ? hpt_next()->sem_timedwait(sem, until) : hpt_missing();
}

HOOK int sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *until)
{
	int r;

	if (can_wait(HPT_NAME_SEM_CLOCKWAIT, until) && (id == CLOCK_MONOTONIC || id == CLOCK_REALTIME) &&
	    take(HPT_CALL_SEM_CLOCKWAIT, sem, id, until, &r))
		return r;
	return HPT_NEXT_LATE(sem_clockwait) ? hpt_next()->sem_clockwait(sem, id, until) : hpt_missing();
}
