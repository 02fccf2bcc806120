// SPDX-License-Identifier: MIT
/*
 * Compares a counter on two CPUs: warp.h. It is the kernel's boot-time warp test (arch/x86/kernel/tsc_sync.c) with
 * messages instead of a lock: messages also bound the offset.
 */
#include "check/warp.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "machine/sys_clock.h"
#include "cli/cpus.h"
#include "cli/ticks.h"

/*
 * Turns of a waiting loop, some 40 us, before it reads the clock and sleeps a little, for the other thread is not
 * running. The scheduler runs a woken sleeper at once even on a busy CPU, so that both threads then run together.
 */
#define SPINS_A_PAUSE 1024
#define PAUSE_NS      50000

/* Rounds between two reads of the clock: a read of the counter may take milliseconds. */
#define ROUNDS_A_CHECK 8

/*
 * A CPU that another program never gives up, as isolated ones often are, runs no thread of ours. A busy one does so
 * within some time slices, each of at most 100 ms (SCHED_RR); a host may take it for half a second.
 */
#define PATIENCE_NS INT64_C(1000000000)

/* Messages in one direction, written by one side only. */
struct mailbox {
	_Alignas(64) _Atomic uint64_t number;
	int64_t time;
};

/* The state that the two threads share. */
struct meeting {
	struct mailbox question, answer;
	const struct warp_counter *counter;
	int64_t end_ns;
	struct warp_pair *pair;         /* both directions, written by the asker */
	_Alignas(64) _Atomic bool over;
	pthread_mutex_t lock;
	pthread_cond_t one_ended;
};

/* One of the two threads, and its result. */
struct guest {
	struct meeting *meeting;
	int cpu, error;
	bool has_ended;                     /* by the meeting's lock */
	void (*talk)(struct meeting *m);
	pthread_t thread;
};

int64_t warp_clock_ns(void)
{
	struct timespec ts = { 0 };
	int64_t ns;

	if (hpt_sys_clock_ns(CLOCK_MONOTONIC, &ns))
		return ns;
	clock_gettime(CLOCK_MONOTONIC, &ts); /* the system call is denied; the vDSO may work */
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ---- Messages ---------------------------------------------------------------------------------------- */

struct warp_pair warp_pair_new(int cpu_a, int cpu_b)
{
	return (struct warp_pair){ cpu_a, cpu_b, .least_ticks = INT64_MIN, .most_ticks = INT64_MAX };
}

int64_t warp_pair_width(const struct warp_pair *pair)
{
	return ticks_larger(ticks_minus(pair->most_ticks, pair->least_ticks), 0);
}

void warp_pair_widen(struct warp_pair *pair, int64_t step_ticks)
{
	if (pair->least_ticks > INT64_MIN)
		pair->least_ticks = ticks_minus(pair->least_ticks, step_ticks);
	if (pair->most_ticks < INT64_MAX)
		pair->most_ticks = ticks_minus(pair->most_ticks, -step_ticks);
}

static void note_step(struct warp_pair *p, int64_t before, int64_t after)
{
	p->messages++;
	if (after >= before)
		return;
	p->backwards++;
	p->worst_ticks = ticks_larger(p->worst_ticks, ticks_minus(before, after));
}

static void note_answer(struct warp_pair *p, int64_t asked, int64_t answered, int64_t back)
{
	note_step(p, asked, answered);
	note_step(p, answered, back);
	p->most_ticks = ticks_smaller(p->most_ticks, ticks_minus(answered, asked));
	p->least_ticks = ticks_larger(p->least_ticks, ticks_minus(answered, back));
}

/* ---- The two threads ----------------------------------------------------------------------------------- */

static int64_t read_counter(const struct warp_counter *c)
{
	return c->read(c->ctx);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static bool is_over(struct meeting *m)
{
	return atomic_load_explicit(&m->over, memory_order_relaxed) || warp_clock_ns() >= m->end_ns;
}

/* False: time is up, or the other thread has ended. */
static bool wait_for(struct meeting *m, const struct mailbox *box, uint64_t number)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };

	for (uint32_t spins = 1; atomic_load_explicit(&box->number, memory_order_acquire) != number; spins++) {
		relax();
		if (spins % SPINS_A_PAUSE)
			continue;
		if (is_over(m))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static void post(struct mailbox *box, uint64_t number, int64_t time)
{
	box->time = time;
	atomic_store_explicit(&box->number, number, memory_order_release);
}

static void ask(struct meeting *m)
{
	int64_t asked, back = 0;

	for (uint64_t number = 1; number % ROUNDS_A_CHECK || !is_over(m); number++) {
		asked = read_counter(m->counter);
		if (number > 1)
			note_step(m->pair, back, asked);
		post(&m->question, number, asked);
		if (!wait_for(m, &m->answer, number))
			return;
		back = read_counter(m->counter);
		note_answer(m->pair, asked, m->answer.time, back);
	}
}

static void answer(struct meeting *m)
{
	for (uint64_t number = 1; wait_for(m, &m->question, number); number++)
		post(&m->answer, number, read_counter(m->counter));
}

/* One CPU alone: each read is a message to the next. */
static void talk_to_oneself(struct meeting *m)
{
	struct warp_pair *p = m->pair;
	int64_t last = read_counter(m->counter), now;

	for (uint64_t reads = 1; reads % ROUNDS_A_CHECK || !is_over(m); reads++) {
		now = read_counter(m->counter);
		note_step(p, last, now);
		last = now;
	}
	p->least_ticks = p->most_ticks = 0;
}

static void *attend(void *arg)
{
	struct guest *g = arg;
	struct meeting *m = g->meeting;

	g->error = cpus_move_to(g->cpu);
	if (!g->error && !atomic_load(&m->over))
		g->talk(m);
	atomic_store(&m->over, true);
	pthread_mutex_lock(&m->lock);
	g->has_ended = true;
	pthread_cond_signal(&m->one_ended);
	pthread_mutex_unlock(&m->lock);
	return NULL;
}

/* Sets ->error only if the thread does not start: a started thread writes it. */
static bool invite(struct guest *g)
{
	int r = pthread_create(&g->thread, NULL, attend, g);

	if (r) {
		g->error = -r;
		g->has_ended = true;
		atomic_store(&g->meeting->over, true);
	}
	return !r;
}

static bool is_waited_for(const struct guest *guests, int n)
{
	for (int i = 0; i < n; i++)
		if (!guests[i].has_ended)
			return true;
	return false;
}

/* Waits for all, until the end of the meeting and a while longer. */
static void await(struct meeting *m, const struct guest *guests, int n)
{
	int64_t until_ns = ticks_larger(m->end_ns, warp_clock_ns()) + PATIENCE_NS;
	struct timespec until = { (time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000) };

	pthread_mutex_lock(&m->lock);
	while (is_waited_for(guests, n) && !pthread_cond_timedwait(&m->one_ended, &m->lock, &until))
		;
	pthread_mutex_unlock(&m->lock);
}

/* Ends a thread that never came to run on its CPU: on the others it does. Returns true if it was one. */
static bool fetch_back(struct meeting *m, struct guest *g, const struct cpus *allowed)
{
	bool has_ended;

	pthread_mutex_lock(&m->lock);
	has_ended = g->has_ended;
	pthread_mutex_unlock(&m->lock);
	if (!has_ended)
		cpus_bind(g->thread, allowed);
	return !has_ended;
}

/* Returns -errno of the first of n threads that failed; -ETIMEDOUT: it never came to run. */
static int meet(struct meeting *m, struct guest *guests, int n, int *ret_cpu)
{
	bool came[2] = { false, false }, is_late[2] = { false, false };
	struct cpus allowed;
	int r = cpus_of_thread(&allowed);

	*ret_cpu = guests[0].cpu;
	if (r)
		return r;
	for (int i = 0; i < n; i++)
		came[i] = invite(&guests[i]);
	await(m, guests, n);
	atomic_store(&m->over, true);
	for (int i = 0; i < n; i++)
		is_late[i] = came[i] && fetch_back(m, &guests[i], &allowed);
	for (int i = 0; i < n; i++)
		if (came[i])
			pthread_join(guests[i].thread, NULL);
	for (int i = 0; i < n; i++) {
		*ret_cpu = guests[i].cpu;
		if (guests[i].error || is_late[i])
			return guests[i].error ? guests[i].error : -ETIMEDOUT;
	}
	return 0;
}

int warp_compare(const struct warp_counter *counter, int64_t end_ns, struct warp_pair *pair, int *ret_cpu)
{
	struct meeting m = { .counter = counter, .end_ns = end_ns, .pair = pair, .lock = PTHREAD_MUTEX_INITIALIZER };
	bool alone = pair->cpu_a == pair->cpu_b;
	struct guest guests[2] = {
		{ .meeting = &m, .cpu = pair->cpu_a, .talk = alone ? talk_to_oneself : ask },
		{ .meeting = &m, .cpu = pair->cpu_b, .talk = answer },
	};
	pthread_condattr_t attr;
	int r;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* that of end_ns */
	pthread_cond_init(&m.one_ended, &attr);
	r = meet(&m, guests, alone ? 1 : 2, ret_cpu);
	pthread_cond_destroy(&m.one_ended);
	pthread_condattr_destroy(&attr);
	return r;
}

/* ---- The order of pairs ---------------------------------------------------------------------------- */

struct warp_plan warp_plan_new(uint32_t n)
{
	return (struct warp_plan){ .n = n };
}

bool warp_plan_next(struct warp_plan *p, uint32_t *ret_a, uint32_t *ret_b)
{
	uint32_t distance = p->b - p->a;

	if (p->a == 0 && p->b + 1 < p->n) { /* the first with each */
		p->b++;
	} else if (p->a == 0) {
		p->a = 1;
		p->b = 2;
	} else if (p->b + 1 < p->n) {       /* the next of this distance */
		p->a++;
		p->b++;
	} else {
		p->a = 1;
		p->b = distance + 2;
	}
	*ret_a = p->a;
	*ret_b = p->b;
	return p->b < p->n;
}
