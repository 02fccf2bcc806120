// SPDX-License-Identifier: MIT
/*
 * Shared memory under a weak memory model: tests/model/memory.h.
 *
 * The memory model is RC11 (Lahav et al., PLDI 2017), run as a machine with views (Kang et al., POPL 2017). A word is a
 * list of messages in modification order. A view says, for each word, which message is the oldest that may still be
 * read; any later one may be read too. A message carries the view that its writer released, and acquiring it joins that
 * view to the reader's. A read-modify-write reads the last message, and passes on its view.
 *
 * A store that does not happen after all earlier writes to its word is a failure. So modification order is the order of
 * execution, and a word that several threads write without owning it in turn is only read-modify-written.
 *
 * seq_cst: a fence exchanges the thread's view with a common view. A write leaves its message in the common view, and
 * no seq_cst load reads an older one. RC11 allows more only where a word is accessed by seq_cst and other operations
 * (its example Z6.U). A release sequence has no later stores of the same thread, as in C++20, which allows more than
 * C11. No load reads a store that comes later in program order, as in RC11.
 *
 * FUTEX_WAIT and FUTEX_WAKE are each one step. A wait that comes after a wake of the same word reads no older
 * message than the waking thread could. They order nothing else.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"

static struct { const volatile char *at; size_t size; } words[MEMORY_WORDS];
static size_t n_words;

/* The operation that is being run. */
static struct world *w;
static size_t self;
static struct choice *choice;

void memory_limit(const char *text)
{
	fprintf(stderr, "%s for this model\n", text);
	abort();
}

void memory_reset(void)
{
	n_words = 0;
}

void memory_share(struct world *world, const volatile void *at, size_t size, uint64_t value)
{
	if (n_words == MEMORY_WORDS)
		memory_limit("too many words");
	words[n_words].at = at;
	words[n_words].size = size;
	world->messages[n_words][0].value = value;
	world->counts[n_words++] = 1;
}

size_t memory_words(void)
{
	return n_words;
}

static size_t word_at(const volatile char *at)
{
	for (size_t i = 0; i < n_words; i++)
		if (at >= words[i].at && at < words[i].at + words[i].size)
			return i;
	model_fail("an operation on a word that is not shared");
	return 0;
}

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
		join(&t->cur, &w->common, MEMORY_WORDS);
		w->common = t->cur;
		join(&t->acquired, &t->cur, MEMORY_WORDS);
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

	choice->count = 0;
	for (size_t i = first; i <= last; i++)
		if ((i == last || !writes(op, w->messages[word][i].value)) && choice->count++ == choice->number)
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

	if (n == MEMORY_MESSAGES)
		memory_limit("too many writes");
	if (op->kind == MODEL_STORE && t->cur.at[word] + 1u != n)
		model_fail("a store to a word that another thread writes");
	t->cur.at[word] = t->acquired.at[word] = (uint8_t)n;
	m->value = new_value(op, m[-1].value) & UINT64_MAX >> (64 - 8 * words[word].size);
	m->view = releases(o) ? t->cur : t->released;
	m->view.at[word] = (uint8_t)n;
	if (op->kind != MODEL_STORE)
		join(&m->view, &m[-1].view, MEMORY_WORDS + MODEL_THREADS);
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
			join(&t->cur, &m->view, MEMORY_WORDS + MODEL_THREADS);
		join(&t->acquired, &m->view, MEMORY_WORDS + MODEL_THREADS);
		join(&t->acquired, &t->cur, MEMORY_WORDS + MODEL_THREADS);
	}
	if (writes(op, m->value))
		write_message(t, word, op, o);
	w->used[word][self] = t->n_ops + 1;
	return m->value;
}

static void free_word(const struct thread *t, size_t word)
{
	for (size_t i = 0; i < MODEL_THREADS; i++)
		if (t->cur.at[MEMORY_WORDS + i] < w->used[word][i])
			model_fail("a word is freed before its last access");
	w->counts[word] = 0;
}

/* The kernel has a lock or full barriers in both. */
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

uint64_t memory_act(struct world *world, size_t thread, const struct model_op *op, struct choice *ch)
{
	struct thread *t = &world->threads[thread];
	size_t word = op->at ? word_at(op->at) : 0;
	uint64_t old = 0;

	w = world;
	self = thread;
	choice = ch;
	t->cur.at[MEMORY_WORDS + self] = t->acquired.at[MEMORY_WORDS + self] = (uint8_t)(t->n_ops + 1);
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
