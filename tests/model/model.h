/* SPDX-License-Identifier: MIT */
/*
 * A model checker: runs all executions of a few threads under a weak memory model, which memory.c describes. A test
 * includes atomics.h first, then the source under test, whose atomics thereby become calls of model_run_op().
 *
 * A thread is a function that is run again and again, each time with the results that its operations have had so far.
 * It depends on nothing but these, and loops a bounded number of times. What threads share are the registered words.
 */
#ifndef HPT_MODEL_H
#define HPT_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_THREADS 4

enum model_kind {
	MODEL_LOAD, MODEL_STORE, MODEL_ADD, MODEL_SUB, MODEL_OR, MODEL_AND, MODEL_CAS, MODEL_FENCE,
	MODEL_FUTEX_WAIT, /* blocks while the word is the expected value */
	MODEL_FUTEX_WAKE, /* ends the blocking of all threads that wait on the word, which is not accessed */
	MODEL_FREE,       /* nothing may access the word afterwards */
};

struct model_op {
	const char *file;
	int line;
	enum model_kind kind;
	memory_order order;
	const volatile void *at;
	size_t size;
	uint64_t value, expected;
};

struct model {
	uint64_t (*threads[MODEL_THREADS])(void);      /* those after the last are NULL */
	const char *(*check)(const uint64_t *results); /* of what the threads returned: returns a failure, or NULL */
};

/* Forgets all shared words. */
void model_reset(void);

void model_share(const volatile void *at, size_t size, uint64_t value);

/* Runs all executions until one fails. Returns the failure, or NULL. */
const char *model_check(const struct model *m);

/* What the last check explored: different states, and the executions that lead through them. */
struct model_counts {
	unsigned long states;
	double executions;
};
extern struct model_counts model_counts;

/* Called by a thread or a check: this execution fails. */
void model_fail(const char *failure);

/* An operation of the running thread. Returns the word's value before it. */
uint64_t model_run_op(struct model_op op);

#endif
