// SPDX-License-Identifier: MIT
/* The step of a counter or a clock, from differences between readings: lib/rate/step.h. */
#include "rate/step.h"

#include "arch/arch.h"
#include "math/ratio.h"
#include "source/read_cost.h"

/*
 * A bracket more than this many times wider than the narrowest was disturbed, and may have ended on another CPU. The
 * steps of a TSC need not be in phase between CPUs: in 13 of 500 processes that slept between two groups of brackets
 * the groups were no multiple of 26 ticks apart (EPYC guest). The widths of two and of three steps are within the
 * limit.
 */
#define STEP_WIDTH_TIMES 3

/* Unequal steps below this look like single ticks: the widths take nearly all values. */
#define UNEQUAL_MIN 3

static void add_move(struct hpt_moves *moves, uint64_t move)
{
	if (moves->divisor != 1)
		moves->divisor = hpt_common_divisor(moves->divisor, move);
	if (!moves->least || move < moves->least) {
		moves->times = move + 1 == moves->least ? moves->times + 1 : 1;
		moves->least = move;
	} else {
		moves->times += move - moves->least <= 1;
	}
}

static void add_reading(struct hpt_moves *moves, uint64_t reading)
{
	int64_t move = (int64_t)(reading - moves->last);

	if (moves->readings++ && move)
		add_move(moves, move < 0 ? 0 - (uint64_t)move : (uint64_t)move);
	moves->last = reading;
}

COLD void hpt_moves_add(struct hpt_moves *moves, uint64_t reading)
{
	moves->repeats |= moves->readings && reading == moves->last;
	add_reading(moves, reading);
}

COLD void hpt_moves_add_bracket(struct hpt_moves *moves, const struct hpt_bracket *b)
{
	add_reading(moves, b->before);
	hpt_moves_add(moves, b->after);
}

/* Adds the widths of the undisturbed brackets. Returns how many there are now. */
static uint32_t add_widths(int64_t *widths, uint32_t have, struct hpt_group g, uint64_t limit)
{
	for (uint32_t i = 0; i < g.n; i++)
		if (hpt_bracket_width(&g.b[i]) <= limit)
			widths[have++] = (int64_t)hpt_bracket_width(&g.b[i]);
	return have;
}

/* The step by sorted widths: their divisor or, where that is 1, the distance of their clusters. 0: one cluster. */
static uint64_t step_of_sorted(const int64_t *widths, uint32_t n)
{
	uint64_t divisor = 0, step = hpt_read_cost_step(widths, n);

	for (uint32_t i = 0; i < n && divisor != 1; i++)
		divisor = hpt_common_divisor(divisor, (uint64_t)widths[i]);
	if (step && divisor > 1)
		return divisor;
	return step && step < UNEQUAL_MIN ? 1 : step;
}

/*
 * The step where no read repeats. Each width is a number of whole steps, rounded up or down. So widths lie in clusters
 * that are steps apart, and a step is no longer than the smallest distance between two clusters.
 */
static uint64_t step_of_widths(struct hpt_group old, struct hpt_group recent)
{
	uint64_t a = hpt_bracket_width(hpt_brackets_narrowest(old.b, old.n));
	uint64_t b = hpt_bracket_width(hpt_brackets_narrowest(recent.b, recent.n));
	uint64_t limit = STEP_WIDTH_TIMES * (a < b ? a : b);
	int64_t widths[HPT_STEP_BRACKETS];
	uint32_t n = add_widths(widths, 0, old, limit);

	n = add_widths(widths, n, recent, limit);
	hpt_read_cost_sort(widths, n);
	return step_of_sorted(widths, n);
}

/* Where readings repeat. Steps that are multiples of something smaller than a step are unequal. */
static COLD struct hpt_step step_of_moves(const struct hpt_moves *moves)
{
	struct hpt_step step = { .size = moves->least, .unit = moves->divisor };

	if (!hpt_moves_show_step(moves))
		return (struct hpt_step){ 0, 0 };
	if (step.unit == step.size)
		step.unit = step.size > 1 && moves->times < HPT_STEP_EQUAL_TIMES;
	return step;
}

COLD struct hpt_step hpt_step_of_counter(const struct hpt_moves *moves, struct hpt_group old, struct hpt_group recent)
{
	struct hpt_step step = step_of_moves(moves);

	if (!step.size || moves->repeats)
		return step;
	step.size = step_of_widths(old, recent);
	if (!step.size) /* the widths are all alike: steps are finer than the scatter of the reads */
		step.size = moves->divisor;
	step.unit = moves->divisor % step.size != 0;
	return step;
}

COLD struct hpt_step hpt_step_of_clock(const struct hpt_moves *moves)
{
	return moves->repeats ? step_of_moves(moves) : (struct hpt_step){ .size = 1 };
}
