// SPDX-License-Identifier: MIT
/*
 * A model checker by exhaustive search: tests/model/model.h.
 *
 * The memory model is RC11 (Lahav et al., PLDI 2017), run as a machine with views (Kang et al., POPL 2017). A word is a
 * list of messages in modification order. A view says, for each word, which message is the oldest that may still be
 * read; any later one may be read too. A message carries the view that its writer released, and acquiring it joins that
 * view to the reader's. A read-modify-write reads the last message, and passes on its view. Threads take turns in every
 * order, and every choice of a message is tried.
 *
 * A store that does not happen after all earlier writes to its word is a failure. So modification order is the order of
 * execution, and a word that several threads write without owning it in turn is only read-modify-written.
 *
 * seq_cst: a fence exchanges the thread's view with a common view. A write leaves its message in the common view, and
 * no seq_cst load reads an older one. RC11 allows more only where a word is accessed by seq_cst and other operations
 * (its example Z6.U). A release sequence has no later stores of the same thread, as in C++20, which allows more than
 * C11. No load reads a store that comes later in program order, as in RC11.
 *
 * The kernel's FUTEX_WAIT and FUTEX_WAKE are each one step. A wait sees the word as a wake before it saw it. They order
 * nothing else.
 *
 * A thread continues by being run again from its start, with recorded results, up to its first new operation. So the
 * state is one struct that can be copied. A state is explored once; states are compared by 64-bit hashes.
 */
#include "model.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"

#define WORDS    20
#define MESSAGES 16
#define OPS      61
#define TABLE    (1u << 22)

/* After the words a view has a clock for each thread: how many of its operations happened before. */
struct view {
	uint8_t at[WORDS + MODEL_THREADS];
};

struct message {
	uint64_t value;
	struct view view;
};

struct thread {
	struct view cur, acquired, released; /* cur after an acquire fence now, and at the last release fence */
	uint64_t n_ops, is_done, waits_on;   /* waits_on: word + 1 */
	uint64_t result, results[OPS];       /* of its function, and of its operations */
};

struct world {
	struct view common, woken;           /* of seq_cst; of the last wake of each word */
	uint64_t counts[WORDS];              /* of messages; 0: freed */
	uint64_t used[WORDS][MODEL_THREADS]; /* each thread's clock at its last access */
	struct thread threads[MODEL_THREADS];
	struct message messages[WORDS][MESSAGES];
};

struct model_counts model_counts;
static struct { const volatile char *at; size_t size; } words[WORDS];
static size_t n_words;
static struct world start;
static struct seen { uint64_t hash; double executions; } seen[TABLE];
static uint64_t n_seen, n_checks;
static const struct model *model;
static const char *failure;
static jmp_buf failed, stop;

/* The step that is being run: which thread, which of its choices, how many operations it has repeated. */
static struct world *w;
static size_t self, choice, choices, repeated;
static bool has_acted;

void model_fail(const char *text)
{
	failure = text;
	longjmp(failed, 1);
}

/* The model is too large: no finding. */
static void limit(const char *text)
{
	fprintf(stderr, "%s for this model\n", text);
	abort();
}

void model_reset(void)
{
	memset(&start, 0, sizeof(start));
	n_words = 0;
}

void model_share(const volatile void *at, size_t size, uint64_t value)
{
	if (n_words == WORDS)
		limit("too many words");
	words[n_words].at = at;
	words[n_words].size = size;
	start.messages[n_words][0].value = value;
	start.counts[n_words++] = 1;
}

static size_t word_at(const volatile char *at)
{
	for (size_t i = 0; i < n_words; i++)
		if (at >= words[i].at && at < words[i].at + words[i].size)
			return i;
	model_fail("an operation on a word that is not shared");
	return 0;
}

/* ---- Operations ---------------------------------------------------------------------------------- */

static bool acquires(memory_order o)
{
	return o == memory_order_acquire || o == memory_order_acq_rel || o == memory_order_seq_cst;
}

static bool releases(memory_order o)
{
	return o == memory_order_release || o == memory_order_acq_rel || o == memory_order_seq_cst;
}

static void join(struct view *v, const struct view *other, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v->at[i] < other->at[i])
			v->at[i] = other->at[i];
}

static void fence(struct thread *t, memory_order o)
{
	if (acquires(o))
		t->cur = t->acquired;
	if (o == memory_order_seq_cst) { /* without the clocks: alone it makes nothing happen before */
		join(&t->cur, &w->common, WORDS);
		w->common = t->cur;
		join(&t->acquired, &t->cur, WORDS);
	}
	if (releases(o))
		t->released = t->cur;
}

static bool writes(const struct model_op *op, uint64_t old)
{
	return op->kind == MODEL_CAS ? old == op->expected : op->kind >= MODEL_STORE && op->kind <= MODEL_AND;
}

/* The message to read, by the number of the choice: any of those from `first` on that does not lead to a write. */
static size_t choose(size_t word, const struct model_op *op, size_t first)
{
	size_t last = w->counts[word] - 1, chosen = last;

	choices = 0;
	for (size_t i = first; i <= last; i++)
		if ((i == last || !writes(op, w->messages[word][i].value)) && choices++ == choice)
			chosen = i;
	return chosen;
}

static uint64_t new_value(const struct model_op *op, uint64_t old)
{
	uint64_t values[] = {
		[MODEL_STORE] = op->value, [MODEL_ADD] = old + op->value, [MODEL_SUB] = old - op->value,
		[MODEL_OR] = old | op->value, [MODEL_AND] = old & op->value, [MODEL_CAS] = op->value,
	};

	return values[op->kind];
}

static void write_message(struct thread *t, size_t word, const struct model_op *op, memory_order o)
{
	size_t n = w->counts[word]++;
	struct message *m = &w->messages[word][n];

	if (n == MESSAGES)
		limit("too many writes");
	if (op->kind == MODEL_STORE && t->cur.at[word] + 1u != n)
		model_fail("a store to a word that another thread writes");
	t->cur.at[word] = t->acquired.at[word] = (uint8_t)n;
	m->value = new_value(op, m[-1].value) & UINT64_MAX >> (64 - 8 * words[word].size);
	m->view = releases(o) ? t->cur : t->released;
	m->view.at[word] = (uint8_t)n;
	if (op->kind != MODEL_STORE)
		join(&m->view, &m[-1].view, WORDS + MODEL_THREADS);
	if (o == memory_order_seq_cst)
		w->common.at[word] = (uint8_t)n;
}

/* The part of a word's value that an access at this address sees. */
static uint64_t part(size_t word, const struct model_op *op, uint64_t value)
{
	uint32_t half;

	if (op->size == words[word].size)
		return value;
	memcpy(&half, (const char *)&value + ((const volatile char *)op->at - words[word].at), sizeof(half));
	return half;
}

static uint64_t access_word(struct thread *t, size_t word, const struct model_op *op, memory_order o)
{
	const struct message *m;

	if (!w->counts[word])
		model_fail("an access to a word that is freed");
	if (o == memory_order_seq_cst && t->cur.at[word] < w->common.at[word])
		t->cur.at[word] = w->common.at[word];
	m = &w->messages[word][choose(word, op, t->cur.at[word])];
	if (op->kind != MODEL_STORE) {
		t->cur.at[word] = (uint8_t)(m - w->messages[word]);
		if (acquires(o) && (op->kind != MODEL_CAS || writes(op, m->value))) /* a failed one is relaxed */
			join(&t->cur, &m->view, WORDS + MODEL_THREADS);
		join(&t->acquired, &m->view, WORDS + MODEL_THREADS);
		join(&t->acquired, &t->cur, WORDS + MODEL_THREADS);
	}
	if (writes(op, m->value))
		write_message(t, word, op, o);
	w->used[word][self] = t->n_ops + 1;
	return m->value;
}

static void free_word(const struct thread *t, size_t word)
{
	for (size_t i = 0; i < MODEL_THREADS; i++)
		if (t->cur.at[WORDS + i] < w->used[word][i])
			model_fail("a word is freed before its last access");
	w->counts[word] = 0;
}

/* The two run under a lock of the kernel's: what a wake comes after, a later wait sees. */
static uint64_t futex_wait(struct thread *t, size_t word, const struct model_op *op)
{
	uint64_t old;

	if (t->cur.at[word] < w->woken.at[word])
		t->cur.at[word] = w->woken.at[word];
	old = access_word(t, word, op, memory_order_relaxed);
	t->waits_on = part(word, op, old) == op->expected ? word + 1 : 0;
	return old;
}

static void futex_wake(const struct thread *t, size_t word)
{
	if (w->woken.at[word] < t->cur.at[word])
		w->woken.at[word] = t->cur.at[word];
	for (size_t i = 0; i < MODEL_THREADS; i++)
		if (w->threads[i].waits_on == word + 1)
			w->threads[i].waits_on = 0;
}

static uint64_t act(struct thread *t, const struct model_op *op)
{
	size_t word = op->at ? word_at(op->at) : 0;
	uint64_t old = 0;

	t->cur.at[WORDS + self] = t->acquired.at[WORDS + self] = (uint8_t)(t->n_ops + 1);
	switch (op->kind) {
	case MODEL_FENCE:
		fence(t, model_order(op));
		break;
	case MODEL_FUTEX_WAIT:
		old = futex_wait(t, word, op);
		break;
	case MODEL_FUTEX_WAKE:
		futex_wake(t, word);
		break;
	case MODEL_FREE:
		free_word(t, word);
		break;
	default:
		old = access_word(t, word, op, model_order(op));
	}
	return old;
}

uint64_t model_run_op(struct model_op op)
{
	struct thread *t = &w->threads[self];

	if (repeated < t->n_ops)
		return t->results[repeated++];
	if (has_acted || t->waits_on)
		longjmp(stop, 1);
	if (t->n_ops == OPS)
		limit("too many operations");
	has_acted = true;
	t->results[t->n_ops] = act(t, &op);
	repeated = ++t->n_ops;
	return t->results[t->n_ops - 1];
}

/* ---- Search -------------------------------------------------------------------------------------- */

/* Runs a thread's next operation, and what follows it up to the one after. */
static void step(struct world *world, size_t thread, size_t number)
{
	w = world;
	self = thread;
	choice = number;
	choices = 1;
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

	for (size_t k = 0; k < n_words; k++)
		h = hash(h, world->messages[k], world->counts[k] * sizeof(struct message));
	for (const struct thread *t = world->threads; t < world->threads + MODEL_THREADS; t++)
		h = hash(h, t, offsetof(struct thread, results) + t->n_ops * sizeof(t->results[0]));
	for (i = h % TABLE; seen[i].hash && seen[i].hash != h; i = (i + 1) % TABLE)
		;
	if (!seen[i].hash && n_seen++ == TABLE / 2)
		limit("too many states");
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
			n = choices;
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
