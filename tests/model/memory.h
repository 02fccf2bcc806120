/* SPDX-License-Identifier: MIT */
/* Shared memory under a weak memory model, as plain data that the search copies. */
#ifndef HPT_MODEL_MEMORY_H
#define HPT_MODEL_MEMORY_H

#include "model.h"

#define MEMORY_WORDS    20
#define MEMORY_MESSAGES 16
#define MEMORY_OPS      61

/* After the words a view has a clock for each thread: how many of its operations happened before. */
struct view {
	uint8_t at[MEMORY_WORDS + MODEL_THREADS];
};

struct message {
	uint64_t value;
	struct view view;
};

struct thread {
	struct view cur, acquired, released; /* cur after an acquire fence now, and at the last release fence */
	uint64_t n_ops, is_done, waits_on;   /* waits_on: word + 1 */
	uint64_t result, results[MEMORY_OPS];       /* of its function, and of its operations */
};

struct world {
	struct view common, woken;           /* of seq_cst; of the last wake of each word */
	uint64_t counts[MEMORY_WORDS];              /* of messages; 0: freed */
	uint64_t used[MEMORY_WORDS][MODEL_THREADS]; /* each thread's clock at its last access */
	struct thread threads[MODEL_THREADS];
	struct message messages[MEMORY_WORDS][MEMORY_MESSAGES];
};

/* A choice that an operation has: the message that it reads. */
struct choice {
	size_t number, count;
};

/* Forgets all words. */
void memory_reset(void);

/* Registers a word, whose first message is the value. */
void memory_share(struct world *w, const volatile void *at, size_t size, uint64_t value);

/* How many words there are. */
size_t memory_words(void);

/* Runs an operation of a thread. Returns the word's value before it, and sets choice->count. */
uint64_t memory_act(struct world *w, size_t thread, const struct model_op *op, struct choice *choice);

/* The model is too large for these tables: ends the program, which is no finding. */
void memory_limit(const char *text);

#endif
