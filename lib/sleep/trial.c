// SPDX-License-Identifier: MIT
/* Which sleeps are trials of a shorter margin: lib/sleep/trial.h. */
#include "sleep/trial.h"

#include "sleep/wait_margins.h"

/*
 * One sleep is a trial in as many of them as there are samples, at least TRY_LEAST. After each TRY_SERIES trials that
 * changed nothing they are half as frequent, down to one in TRY_LEAST << TRY_DOUBLINGS.
 */
#define TRY_LEAST     32u
#define TRY_SERIES    8u
#define TRY_DOUBLINGS 4u

/* Sleeps up to this, half the first guess, are never trials. */
#define TRY_ABOVE_NS (HPT_WAIT_MARGINS_GUESS_NS / 2)

static uint32_t trial_interval(const struct hpt_habits *h)
{
	uint32_t doublings = h->trials / TRY_SERIES, samples = hpt_margin_samples(&h->after_brief);
	uint32_t least = TRY_LEAST << (doublings < TRY_DOUBLINGS ? doublings : TRY_DOUBLINGS);

	return samples > least ? samples : least;
}

/* If there are more than enough samples, half of them are forgotten. */
static void begin_trial(struct hpt_habits *h)
{
	h->spun = 0;
	if (h->trials < TRY_SERIES * TRY_DOUBLINGS)
		h->trials++;
	if (hpt_margin_samples(&h->after_brief) > HPT_MARGIN_ENOUGH)
		hpt_margin_forget(&h->after_brief);
}

bool hpt_trial_is_due(struct hpt_habits *h, int64_t left_ns)
{
	if (left_ns <= TRY_ABOVE_NS)
		return false;
	h->spun++;
	if (h->spun < trial_interval(h))
		return false;
	begin_trial(h);
	return true;
}

void hpt_trial_end(struct hpt_habits *h)
{
	h->trials = 0;
}
