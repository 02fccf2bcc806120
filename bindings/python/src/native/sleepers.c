// SPDX-License-Identifier: MIT
/*
 * The threads that sleep on clocks, so that closing a clock can end their sleeps. Each sleep has its own waiter; the
 * list has those of all clocks of the process, of all interpreters.
 */
#include "native.h"

#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sleeper *first;
static _Atomic uint32_t generation;

uint32_t forks(void)
{
	return atomic_load_explicit(&generation, memory_order_relaxed);
}

void sleepers_add(struct sleeper *s)
{
	pthread_mutex_lock(&lock);
	s->next = first;
	s->link = &first;
	if (first)
		first->link = &s->next;
	first = s;
	pthread_mutex_unlock(&lock);
}

void sleepers_remove(struct sleeper *s)
{
	pthread_mutex_lock(&lock);
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	pthread_mutex_unlock(&lock);
}

int sleepers_interrupt(struct object *clock)
{
	pthread_mutex_lock(&lock);
	for (struct sleeper *s = first; s; s = s->next)
		if (s->clock == clock)
			(void)hpt_waiter_interrupt(s->waiter);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* ---- fork ---------------------------------------------------------------------------------------------- */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* The sleepers are on stacks of threads that the child does not have. */
static void in_child(void)
{
	first = NULL;
	atomic_fetch_add(&generation, 1);
	pthread_mutex_unlock(&lock);
}

static int registered;

static void watch_forks(void)
{
	registered = pthread_atfork(before_fork, in_parent, in_child);
}

int sleepers_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	return -registered;
}
