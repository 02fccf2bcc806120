// SPDX-License-Identifier: MIT
/* Starts threads, lets them take turns, and ends them: tools/bench/crew.h. */
#include "bench/crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/util.h"

struct member {
	struct crew *crew;
	unsigned number;
	pthread_t thread;
};

struct crew {
	pthread_mutex_t mutex;    /* of the next four */
	pthread_cond_t begins, ends;
	unsigned turn;            /* its number */
	unsigned working;         /* members that have not ended it */
	bool is_over;
	void (*work)(void *data, unsigned number);
	void *data;
	unsigned n;
	struct member members[];
};

/* False: there is no further turn. */
static bool await_turn(struct crew *c, unsigned turn)
{
	bool is_over;

	pthread_mutex_lock(&c->mutex);
	while (c->turn != turn && !c->is_over)
		pthread_cond_wait(&c->begins, &c->mutex);
	is_over = c->is_over;
	pthread_mutex_unlock(&c->mutex);
	return !is_over;
}

static void end_turn(struct crew *c)
{
	pthread_mutex_lock(&c->mutex);
	if (!--c->working)
		pthread_cond_signal(&c->ends);
	pthread_mutex_unlock(&c->mutex);
}

static void *take_turns(void *arg)
{
	const struct member *m = arg;

	for (unsigned turn = 1; await_turn(m->crew, turn); turn++) {
		m->crew->work(m->crew->data, m->number);
		end_turn(m->crew);
	}
	return NULL;
}

int crew_start(unsigned n, void (*work)(void *data, unsigned number), void *data, struct crew **ret)
{
	struct crew *c = xcalloc(1, sizeof(*c) + n * sizeof(c->members[0]));
	int r = 0;

	*c = (struct crew){
		.mutex = PTHREAD_MUTEX_INITIALIZER, .begins = PTHREAD_COND_INITIALIZER,
		.ends = PTHREAD_COND_INITIALIZER, .work = work, .data = data,
	};
	while (c->n < n && !r) {
		struct member *m = &c->members[c->n];

		*m = (struct member){ .crew = c, .number = c->n + 1 };
		r = -pthread_create(&m->thread, NULL, take_turns, m);
		if (!r)
			c->n++;
	}
	if (r)
		crew_stop(c);
	else
		*ret = c;
	return r;
}

void crew_begin(struct crew *c)
{
	pthread_mutex_lock(&c->mutex);
	c->turn++;
	c->working = c->n;
	pthread_cond_broadcast(&c->begins);
	pthread_mutex_unlock(&c->mutex);
}

void crew_await(struct crew *c)
{
	pthread_mutex_lock(&c->mutex);
	while (c->working)
		pthread_cond_wait(&c->ends, &c->mutex);
	pthread_mutex_unlock(&c->mutex);
}

void crew_stop(struct crew *c)
{
	pthread_mutex_lock(&c->mutex);
	c->is_over = true;
	pthread_cond_broadcast(&c->begins);
	pthread_mutex_unlock(&c->mutex);
	for (unsigned i = 0; i < c->n; i++)
		pthread_join(c->members[i].thread, NULL);
	free(c);
}
