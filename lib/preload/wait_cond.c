// SPDX-License-Identifier: MIT
/*
 * Waits on condition variables with a time-out. The C library's wait ends before the deadline; then the mutex is
 * released, and the thread looks for signals (preload/cond_slots.h) until it takes the mutex again, at the deadline or
 * after a signal. A signal that came between the end of the C library's wait and the mutex is found as well: the key is
 * of a moment before that wait, with the mutex held. After the C library's wait the condition variable is not touched,
 * so that it may be destroyed. Signals that reach the C library past the hooks are seen at the deadline.
 * lib/preload/hook.h
 */
#include <pthread.h>
#include <threads.h>

#include "preload/cond_flags.h"
#include "preload/cond_slots.h"
#include "preload/hook.h"
#include "preload/wait.h"

/* The C library's since 2.30. */
HOOK int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
				const struct timespec *until);

struct cond_wait {
	struct hpt_wait wait; /* first */
	pthread_cond_t *cond;
	pthread_mutex_t *mutex;
	struct hpt_cond_slot *slot;
	uint32_t key;
	bool is_unlocked;
	struct _pthread_cleanup_buffer clean_up; /* as long as it is */
};

#define WAIT(CALL) { .wait = { .nap = NAP(CALL), .kind = &by_slot }, .cond = cond, .mutex = mutex }

/* What the C library's waits return for a signal. */
#define SIGNALLED 1

/* ---- In the kernel --------------------------------------------------------------------------------------- */

static bool has_clean_ups(void)
{
	return hpt_own.cleanup_push && hpt_own.cleanup_pop;
}

/*
 * An error of the mutex, as of a dead owner, is the wait's. A thread that ends just here does not try to take it twice:
 * the C library's own wait too leaves it then.
 */
static int take_mutex(struct cond_wait *c)
{
	if (!c->is_unlocked)
		return 0;
	c->is_unlocked = false;
	if (has_clean_ups())
		hpt_own.cleanup_pop(&c->clean_up, false);
	return -hpt_own.pthread_mutex_lock(c->mutex);
}

/* Of a thread that ends while it looks, by a signal handler or by asynchronous cancellation. */
static void clean_up(void *wait)
{
	struct cond_wait *c = wait;

	if (c->is_unlocked)
		hpt_own.pthread_mutex_lock(c->mutex);
}

/* The program's clean-up handlers have the mutex, as after the C library's own wait, which keeps one in that way. */
static int release_mutex(struct cond_wait *c)
{
	int err;

	if (c->is_unlocked)
		return 0;
	if (has_clean_ups())
		hpt_own.cleanup_push(&c->clean_up, clean_up, c);
	err = hpt_own.pthread_mutex_unlock(c->mutex);
	c->is_unlocked = !err;
	if (err && has_clean_ups())
		hpt_own.cleanup_pop(&c->clean_up, false);
	return -err;
}

static int wait_by_cond(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	struct cond_wait *c = (struct cond_wait *)w;
	struct timespec ts = hpt_timespec_of(until_ns);
	int err = take_mutex(c);

	(void)ns;
	if (err || hpt_cond_slot_has_signal(c->slot, c->key))
		return err ? err : SIGNALLED;
	if (w->nap.call == HPT_CALL_COND_CLOCKWAIT)
		err = hpt_own.pthread_cond_clockwait(c->cond, c->mutex, w->nap.id, &ts);
	else
		err = hpt_own.pthread_cond_timedwait(c->cond, c->mutex, &ts);
	if (err == ETIMEDOUT)
		return hpt_cond_slot_has_signal(c->slot, c->key) ? SIGNALLED : 0;
	return err ? -err : SIGNALLED;
}

static int look(struct hpt_wait *w)
{
	struct cond_wait *c = (struct cond_wait *)w;
	int err = release_mutex(c);

	if (err)
		return err;
	for (int i = 0; i < HPT_WAIT_WORD_LOOKS; i++) {
		if (hpt_cond_slot_has_signal(c->slot, c->key))
			return SIGNALLED;
		arch_relax();
	}
	return 0;
}

static const struct hpt_wait_kind by_slot = { .wait = wait_by_cond, .look = look };

/* ---- Hooks ----------------------------------------------------------------------------------------------- */

static clockid_t clock_of(const pthread_cond_t *cond)
{
	return cond->__data.__wrefs & hpt_cond_flags.monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/* All threads have to signal through the hooks. Those of other processes do not. */
static bool can_wait(enum hpt_name name, const pthread_cond_t *cond, const struct timespec *until)
{
	return hpt_is_wait_served(name) && hpt_is_own[HPT_NAME_COND_SIGNAL] && hpt_is_own[HPT_NAME_COND_BROADCAST] &&
	       hpt_own.pthread_mutex_lock && hpt_own.pthread_mutex_unlock && hpt_cond_flags.shared &&
	       hpt_is_time(until) &&
	       !(cond->__data.__wrefs & hpt_cond_flags.shared);
}

static int take(struct cond_wait *c)
{
	int r, err;
	bool has_looked;

	r = hpt_wait_take(&c->wait);
	has_looked = c->is_unlocked;
	err = take_mutex(c);
	if (err)
		return -err;
	if (!r && hpt_cond_slot_has_signal(c->slot, c->key))
		r = SIGNALLED;
	/* With the mutex, as POSIX has it. */
	if (has_looked && hpt_own.pthread_testcancel)
		hpt_own.pthread_testcancel();
	return r > 0 ? 0 : r ? -r : ETIMEDOUT;
}

/* False: passed on. */
static bool begin(struct cond_wait *c, clockid_t id, const struct timespec *until)
{
	if (!hpt_wait_begin_until(&c->wait, id, hpt_timespec_ns(until)))
		return false;
	c->slot = hpt_cond_slot_of(c->cond);
	c->key = hpt_cond_slot_watch(c->slot);
	return true;
}

HOOK int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	struct cond_wait c = WAIT(HPT_CALL_COND_TIMEDWAIT);

	if (can_wait(HPT_NAME_COND_TIMEDWAIT, cond, until) && begin(&c, clock_of(cond), until))
		return take(&c);
	return HPT_NEXT_LATE(pthread_cond_timedwait) ?
	       hpt_next()->pthread_cond_timedwait(cond, mutex, until) : ENOSYS;
}

HOOK int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id,
				const struct timespec *until)
{
	struct cond_wait c = WAIT(HPT_CALL_COND_CLOCKWAIT);

	if ((id == CLOCK_MONOTONIC || id == CLOCK_REALTIME) && can_wait(HPT_NAME_COND_CLOCKWAIT, cond, until) &&
	    begin(&c, id, until))
		return take(&c);
	return HPT_NEXT_LATE(pthread_cond_clockwait) ?
	       hpt_next()->pthread_cond_clockwait(cond, mutex, id, until) : ENOSYS;
}

/* The C library's types of <threads.h> are its others. */
HOOK int cnd_timedwait(cnd_t *cnd, mtx_t *mtx, const struct timespec *until)
{
	pthread_cond_t *cond = (pthread_cond_t *)(void *)cnd;
	pthread_mutex_t *mutex = (pthread_mutex_t *)(void *)mtx;
	struct cond_wait c = WAIT(HPT_CALL_CND_TIMEDWAIT);
	int err;

	if (!can_wait(HPT_NAME_CND_TIMEDWAIT, cond, until) || !hpt_is_own[HPT_NAME_CND_SIGNAL] ||
	    !hpt_is_own[HPT_NAME_CND_BROADCAST] || !begin(&c, CLOCK_REALTIME, until))
		return HPT_NEXT_LATE(cnd_timedwait) ?
		       hpt_next()->cnd_timedwait(cnd, mtx, until) : thrd_error;
	err = take(&c);
	return !err ? thrd_success : err == ETIMEDOUT ? thrd_timedout : err == ENOMEM ? thrd_nomem : thrd_error;
}

HOOK int pthread_cond_signal(pthread_cond_t *cond)
{
	hpt_cond_slot_signal(hpt_cond_slot_of(cond));
	return HPT_NEXT_LATE(pthread_cond_signal)(cond);
}

HOOK int pthread_cond_broadcast(pthread_cond_t *cond)
{
	hpt_cond_slot_signal(hpt_cond_slot_of(cond));
	return HPT_NEXT_LATE(pthread_cond_broadcast)(cond);
}

HOOK int cnd_signal(cnd_t *cnd)
{
	hpt_cond_slot_signal(hpt_cond_slot_of(cnd));
	return HPT_NEXT_LATE(cnd_signal)(cnd);
}

HOOK int cnd_broadcast(cnd_t *cnd)
{
	hpt_cond_slot_signal(hpt_cond_slot_of(cnd));
	return HPT_NEXT_LATE(cnd_broadcast)(cnd);
}
