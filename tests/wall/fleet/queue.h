/* SPDX-License-Identifier: MIT */
/* What will happen in a fleet, in order of true time; what was put first comes first of the same moment. */
#ifndef HPT_FLEET_QUEUE_H
#define HPT_FLEET_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
	int64_t  at_ns;
	uint64_t order;         /* set by the queue */
	uint32_t kind, machine;
	uint32_t life;          /* the machine's: what was meant for an earlier one is void */
	uint32_t chain;
};

/* A heap. All zeros is an empty one. */
struct queue {
	struct event *events;
	size_t n, room;
	uint64_t order;
};

void queue_put(struct queue *q, struct event e);

/* Takes the next event. False: the queue is empty. */
bool queue_take(struct queue *q, struct event *ret);

void queue_free(struct queue *q);

#endif
