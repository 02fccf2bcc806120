// SPDX-License-Identifier: MIT
/* A binary heap of events: queue.h. */
#include "queue.h"

#include <stdlib.h>

static bool is_before(const struct event *a, const struct event *b)
{
	return a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->order < b->order);
}

static void make_room(struct queue *q)
{
	if (q->n < q->room)
		return;
	q->room = q->room ? 2 * q->room : 1024;
	q->events = realloc(q->events, q->room * sizeof(*q->events));
	if (!q->events)
		abort();
}

void queue_put(struct queue *q, struct event e)
{
	size_t i, up;

	make_room(q);
	e.order = q->order++;
	for (i = q->n++; i; i = up) {
		up = (i - 1) / 2;
		if (!is_before(&e, &q->events[up]))
			break;
		q->events[i] = q->events[up];
	}
	q->events[i] = e;
}

/* The earlier one of two children; n: there are none. */
static size_t child_of(const struct queue *q, size_t i)
{
	size_t left = 2 * i + 1;

	if (left + 1 < q->n && is_before(&q->events[left + 1], &q->events[left]))
		return left + 1;
	return left < q->n ? left : q->n;
}

bool queue_take(struct queue *q, struct event *ret)
{
	struct event last;
	size_t i = 0, down;

	if (!q->n)
		return false;
	*ret = q->events[0];
	last = q->events[--q->n];
	for (down = child_of(q, 0); down < q->n && is_before(&q->events[down], &last); down = child_of(q, i)) {
		q->events[i] = q->events[down];
		i = down;
	}
	q->events[i] = last;
	return true;
}

void queue_free(struct queue *q)
{
	free(q->events);
	*q = (struct queue){ .n = 0 };
}
