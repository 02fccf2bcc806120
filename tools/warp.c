// SPDX-License-Identifier: MIT
/* The kernel's boot-time warp test (arch/x86/kernel/tsc_sync.c) with messages instead of a lock: they also tell the offset. */
#include "warp.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* Turns of a waiting loop until the clock that ends it is asked again. */
#define SPINS_A_CHECK 1024

/* One direction, written by one side only. */
struct mailbox {
	_Alignas(64) _Atomic uint64_t number;
	int64_t time;
};

/* Everything two threads share. */
struct meeting {
	struct mailbox question, answer;
	const struct hpt_warp_counter *counter;
	int64_t end_ns;
	_Alignas(64) _Atomic bool over;
	struct hpt_warp_pair *result;       /* both directions, written by the asker */
};

int64_t hpt_warp_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int64_t read_counter(const struct hpt_warp_counter *c)
{
	return c->read(c->ctx);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

/* False: time is up, or the other side says so. */
static bool wait_for(struct meeting *m, const struct mailbox *box, uint64_t number)
{
	for (uint32_t spins = 1; atomic_load_explicit(&box->number, memory_order_acquire) != number; spins++) {
		if (atomic_load_explicit(&m->over, memory_order_relaxed))
			return false;
		if (spins % SPINS_A_CHECK == 0 && hpt_warp_clock_ns() >= m->end_ns)
			return false;
		relax();
	}
	return true;
}

static void post(struct mailbox *box, uint64_t number, int64_t time)
{
	box->time = time;
	atomic_store_explicit(&box->number, number, memory_order_release);
}

static void note_step(struct hpt_warp_pair *p, int64_t before, int64_t after)
{
	if (after >= before)
		return;
	p->backwards++;
	if (before - after > p->worst_ticks)
		p->worst_ticks = before - after;
}

static void note_answer(struct hpt_warp_pair *p, int64_t asked, int64_t answered, int64_t back)
{
	p->messages += 2;
	note_step(p, asked, answered);
	note_step(p, answered, back);
	if (answered - asked < p->most_ticks)
		p->most_ticks = answered - asked;
	if (answered - back > p->least_ticks)
		p->least_ticks = answered - back;
}

static void *ask(void *arg)
{
	struct meeting *m = arg;
	int64_t asked, back = INT64_MIN;

	for (uint64_t number = 1; number % 64 || hpt_warp_clock_ns() < m->end_ns; number++) {
		asked = read_counter(m->counter);
		note_step(m->result, back, asked);
		post(&m->question, number, asked);
		if (!wait_for(m, &m->answer, number))
			break;
		back = read_counter(m->counter);
		note_answer(m->result, asked, m->answer.time, back);
	}
	atomic_store(&m->over, true);
	return NULL;
}

static void *answer(void *arg)
{
	struct meeting *m = arg;

	for (uint64_t number = 1; wait_for(m, &m->question, number); number++)
		post(&m->answer, number, read_counter(m->counter));
	atomic_store(&m->over, true);
	return NULL;
}

/* One CPU alone: each read is a message to the next. */
static void *talk_to_oneself(void *arg)
{
	struct meeting *m = arg;
	struct hpt_warp_pair *p = m->result;
	int64_t last = read_counter(m->counter), now;

	while (++p->messages % 64 || hpt_warp_clock_ns() < m->end_ns) {
		now = read_counter(m->counter);
		note_step(p, last, now);
		last = now;
	}
	p->least_ticks = p->most_ticks = 0;
	return NULL;
}

/* -errno if the thread cannot be had or not there. */
static int start(pthread_t *ret, void *(*body)(void *), struct meeting *m, int cpu)
{
	pthread_attr_t attr;
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
	size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	int r;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	pthread_attr_init(&attr);
	r = pthread_attr_setaffinity_np(&attr, size, set);
	if (!r)
		r = pthread_create(ret, &attr, body, m);
	pthread_attr_destroy(&attr);
	CPU_FREE(set);
	return -r;
}

static int meet(struct meeting *m, int cpu_a, int cpu_b)
{
	pthread_t a, b;
	int r = start(&a, cpu_a == cpu_b ? talk_to_oneself : ask, m, cpu_a);

	if (r)
		return r;
	if (cpu_a != cpu_b) {
		r = start(&b, answer, m, cpu_b);
		atomic_store(&m->over, r != 0);
		if (!r)
			pthread_join(b, NULL);
	}
	pthread_join(a, NULL);
	return r;
}

int hpt_warp_compare(const struct hpt_warp_counter *counter, int cpu_a, int cpu_b, int64_t end_ns,
		     struct hpt_warp_pair *ret)
{
	struct meeting m = { .counter = counter, .end_ns = end_ns, .result = ret };

	*ret = (struct hpt_warp_pair){
		.cpu_a = cpu_a, .cpu_b = cpu_b, .least_ticks = INT64_MIN, .most_ticks = INT64_MAX,
	};
	return meet(&m, cpu_a, cpu_b);
}

/* ---- Who meets whom, and when ---------------------------------------------------------------------- */

struct hpt_warp_plan hpt_warp_plan_new(uint32_t n)
{
	return (struct hpt_warp_plan){ .n = n };
}

bool hpt_warp_plan_next(struct hpt_warp_plan *p, uint32_t *ret_a, uint32_t *ret_b)
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
