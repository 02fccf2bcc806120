// SPDX-License-Identifier: MIT
/* A binary heap of files by their next events: tools/trace/earliest.h. */
#include "trace/earliest.h"

#include <stdlib.h>

#include "cli/util.h"

static bool is_before(const struct merge_input *a, const struct merge_input *b)
{
	int64_t x = merge_input_next(a)->ns, y = merge_input_next(b)->ns;

	return x != y ? x < y : a->source->process < b->source->process;
}

static size_t earlier(const struct earliest *e, size_t a, size_t b)
{
	return b < e->n && is_before(e->inputs[b], e->inputs[a]) ? b : a;
}

static void sift_down(struct earliest *e, size_t at)
{
	for (;;) {
		size_t least = earlier(e, earlier(e, at, 2 * at + 1), 2 * at + 2);
		struct merge_input *moved = e->inputs[at];

		if (least == at)
			return;
		e->inputs[at] = e->inputs[least];
		e->inputs[least] = moved;
		at = least;
	}
}

void earliest_init(struct earliest *e, struct merge_input *inputs, size_t n)
{
	e->inputs = xcalloc(n, sizeof(struct merge_input *));
	e->n = 0;
	for (size_t i = 0; i < n; i++)
		if (merge_input_next(&inputs[i]))
			e->inputs[e->n++] = &inputs[i];
	for (size_t i = e->n / 2; i > 0; i--)
		sift_down(e, i - 1);
}

void earliest_free(struct earliest *e)
{
	free(e->inputs);
	*e = (struct earliest){ 0 };
}

void earliest_moved(struct earliest *e)
{
	if (!merge_input_next(e->inputs[0]))
		e->inputs[0] = e->inputs[--e->n];
	if (e->n)
		sift_down(e, 0);
}
