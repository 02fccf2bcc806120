// SPDX-License-Identifier: MIT
/*
 * A model checker by exhaustive search: tests/model/model.h.
 *
 * Threads take turns in every order, and every message that an operation may read is tried. A thread continues by being
 * run again from its start, with recorded results, up to its first new operation. So the state is one struct that can
 * be copied. A state is explored once; states are compared by 64-bit hashes.
 */
#include "model.h"

#include <setjmp.h>
#include <string.h>

#include "memory.h"

#define TABLE (1u << 22)

struct model_counts model_counts;
static struct world start;
static struct seen { uint64_t hash; double executions; } seen[TABLE];
static uint64_t n_seen, n_checks;
static const struct model *model;
static const char *failure;
static jmp_buf failed, stop;

/* The step that is being run: how many operations it has repeated, and whether it has run a new one. */
static struct world *w;
static size_t self, repeated;
static struct choice choice;
static bool has_acted;

void model_fail(const char *text)
{
	failure = text;
	longjmp(failed, 1);
}

void model_reset(void)
{
	memset(&start, 0, sizeof(start));
	memory_reset();
}

void model_share(const volatile void *at, size_t size, uint64_t value)
{
	memory_share(&start, at, size, value);
}

uint64_t model_run_op(struct model_op op)
{
	struct thread *t = &w->threads[self];

	if (repeated < t->n_ops)
		return t->results[repeated++];
	if (has_acted || t->waits_on)
		longjmp(stop, 1);
	if (t->n_ops == MEMORY_OPS)
		memory_limit("too many operations");
	has_acted = true;
	t->results[t->n_ops] = memory_act(w, self, &op, &choice);
	repeated = ++t->n_ops;
	return t->results[t->n_ops - 1];
}

/* Runs a thread's next operation, and what follows it up to the one after. */
static void step(struct world *world, size_t thread, size_t number)
{
	w = world;
	self = thread;
	choice = (struct choice){ number, 1 };
	repeated = 0;
	has_acted = false;
	if (setjmp(stop))
		return;
	w->threads[self].result = model->threads[self]();
	w->threads[self].is_done = 1;
}

static uint64_t hash(uint64_t h, const void *at, size_t size)
{
	for (size_t i = 0; i < size / 8; i++) {
		h = (h ^ ((const uint64_t *)at)[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

static struct seen *look_up(const struct world *world)
{
	uint64_t h = hash(n_checks, world, offsetof(struct world, threads));
	size_t i;

	for (size_t k = 0; k < memory_words(); k++)
		h = hash(h, world->messages[k], world->counts[k] * sizeof(struct message));
	for (const struct thread *t = world->threads; t < world->threads + MODEL_THREADS; t++)
		h = hash(h, t, offsetof(struct thread, results) + t->n_ops * sizeof(t->results[0]));
	for (i = h % TABLE; seen[i].hash && seen[i].hash != h; i = (i + 1) % TABLE)
		;
	if (!seen[i].hash && n_seen++ == TABLE / 2)
		memory_limit("too many states");
	seen[i].hash = h;
	return &seen[i];
}

static void check_end(const struct world *world)
{
	uint64_t results[MODEL_THREADS];

	for (size_t t = 0; t < MODEL_THREADS; t++) {
		if (world->threads[t].waits_on)
			model_fail("a thread waits for ever");
		results[t] = world->threads[t].result;
	}
	if (model->check && (failure = model->check(results)))
		model_fail(failure);
}

/* Returns how many executions there are from this state on. */
static double explore(const struct world *from)
{
	struct seen *here = look_up(from);
	struct world world;

	if (here->executions != 0)
		return here->executions;
	model_counts.states++;
	for (size_t t = 0; t < MODEL_THREADS && model->threads[t]; t++) {
		if (from->threads[t].is_done || from->threads[t].waits_on)
			continue;
		for (size_t i = 0, n = 1; i < n; i++) {
			world = *from;
			step(&world, t, i);
			n = choice.count;
			here->executions += explore(&world);
		}
	}
	if (here->executions == 0) {
		check_end(from);
		here->executions = 1;
	}
	return here->executions;
}

const char *model_check(const struct model *m)
{
	model = m;
	failure = NULL;
	n_checks++;
	model_counts = (struct model_counts){ 0 };
	if (!setjmp(failed))
		model_counts.executions = explore(&start);
	return failure;
}
