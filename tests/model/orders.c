// SPDX-License-Identifier: MIT
/* Weakens memory orders, one at a time: tests/model/orders.h. */
#include "orders.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SITES 64

/* The operations that have been met, each line and kind once, and the one that is weakened. */
static struct model_op sites[SITES], weak;
static size_t n_sites;

static bool is_site(const struct model_op *a, const struct model_op *b)
{
	return a->file && a->line == b->line && a->kind == b->kind && !strcmp(a->file, b->file);
}

memory_order model_order(const struct model_op *op)
{
	size_t i = 0;

	while (i < n_sites && !is_site(&sites[i], op))
		i++;
	assert(i < SITES);
	if (i == n_sites)
		sites[n_sites++] = *op;
	return is_site(&weak, op) ? weak.order : op->order;
}

static const char *name(memory_order o)
{
	static const char *const names[] = {
		[memory_order_relaxed] = "relaxed", [memory_order_acquire] = "acquire",
		[memory_order_release] = "release", [memory_order_acq_rel] = "acq_rel",
		[memory_order_seq_cst] = "seq_cst",
	};

	return names[o];
}

/* The next weaker orders. Returns how many. */
static size_t weaker(const struct model_op *op, memory_order ret[2])
{
	size_t n = 0;

	if (op->order == memory_order_seq_cst && op->kind != MODEL_LOAD && op->kind != MODEL_STORE) {
		ret[n++] = memory_order_acq_rel;
	} else if (op->order == memory_order_acq_rel || op->order == memory_order_seq_cst) {
		if (op->kind != MODEL_STORE)
			ret[n++] = memory_order_acquire;
		if (op->kind != MODEL_LOAD)
			ret[n++] = memory_order_release;
	} else if (op->order != memory_order_relaxed) {
		ret[n++] = memory_order_relaxed;
	}
	return n;
}

const char *model_check_all(const struct model *models, size_t n)
{
	const char *failure = NULL;
	unsigned long states = 0;
	double executions = 0;

	for (size_t m = 0; m < n && !failure; m++) {
		failure = model_check(&models[m]);
		states += model_counts.states;
		executions += model_counts.executions;
		if (failure)
			printf("# model %zu: %s\n", m, failure);
	}
	printf("# %zu models: %lu states, %.3g executions\n", n, states, executions);
	return failure;
}

unsigned model_needless_orders(const char *file, const struct model *models, size_t n)
{
	unsigned needless = 0;

	for (size_t s = 0, all = n_sites; s < all; s++) {
		memory_order orders[2];
		size_t n_orders = strstr(sites[s].file, file) ? weaker(&sites[s], orders) : 0;

		for (size_t o = 0; o < n_orders; o++) {
			const char *found = NULL;

			weak = sites[s];
			weak.order = orders[o];
			for (size_t m = 0; m < n && !found; m++)
				found = model_check(&models[m]);
			needless += !found;
			printf("# %s:%d: %s instead of %s: %s\n", file, weak.line, name(orders[o]),
			       name(sites[s].order), found ? found : "NOT NOTICED");
		}
	}
	weak.file = NULL;
	return needless;
}
