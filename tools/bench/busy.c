// SPDX-License-Identifier: MIT
/* Starts and ends busy threads: tools/bench/busy.h. */
#include "bench/busy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/cpus.h"
#include "cli/util.h"

struct busy {
	_Atomic bool is_stopped;
	unsigned n;
	pthread_t threads[];
};

/* No PAUSE: a hypervisor may take the CPU from a guest that executes many of them, and the work of programs has few. */
static void *compete(void *arg)
{
	struct busy *b = arg;

	while (!atomic_load_explicit(&b->is_stopped, memory_order_relaxed))
		;
	return NULL;
}

/* A new thread would inherit the affinity of the measuring thread, which may be bound to one CPU. */
static int start_all(struct busy *b, unsigned n, const pthread_attr_t *attr)
{
	int r = 0;

	while (b->n < n && !r) {
		r = -pthread_create(&b->threads[b->n], attr, compete, b);
		if (!r)
			b->n++;
	}
	return r;
}

int busy_start(unsigned n, const struct cpus *allowed, struct busy **ret)
{
	struct busy *b = xcalloc(1, sizeof(*b) + n * sizeof(b->threads[0]));
	pthread_attr_t attr;
	int r = -pthread_attr_init(&attr);

	if (!r) {
		r = -pthread_attr_setaffinity_np(&attr, sizeof(allowed->set), allowed->set);
		if (!r)
			r = start_all(b, n, &attr);
		pthread_attr_destroy(&attr);
	}
	if (r)
		busy_stop(b);
	else
		*ret = b;
	return r;
}

void busy_stop(struct busy *b)
{
	atomic_store_explicit(&b->is_stopped, true, memory_order_relaxed);
	for (unsigned i = 0; i < b->n; i++)
		pthread_join(b->threads[i], NULL);
	free(b);
}
