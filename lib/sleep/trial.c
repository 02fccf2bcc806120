// SPDX-License-Identifier: MIT
/* Which sleeps are trials of a shorter margin: lib/sleep/trial.h. */
#include "sleep/trial.h"

/*
 * One sleep is a trial in as many of them as there are samples, at least TRY_LEAST. After each TRY_SERIES trials that
 * changed nothing they are half as frequent, down to one in TRY_LEAST << TRY_DOUBLINGS.
 */
#define TRY_LEAST     32u
#define TRY_SERIES    8u
#define TRY_DOUBLINGS 4u

static uint32_t interval(const struct hpt_habits *h)
{
	uint32_t doublings = h->trials / TRY_SERIES, samples = hpt_margin_samples(&h->after_brief);
	uint32_t least = TRY_LEAST << (doublings < TRY_DOUBLINGS ? doublings : TRY_DOUBLINGS);

	return samples > least ? samples : least;
}

/* If there are more than enough samples, half of them are forgotten. */
static void begin(struct hpt_habits *h)
{
	h->spun = 0;
	if (h->trials < TRY_SERIES * TRY_DOUBLINGS)
		h->trials++;
	if (hpt_margin_samples(&h->after_brief) > HPT_MARGIN_ENOUGH)
		hpt_margin_forget(&h->after_brief);
}

bool hpt_trial_is_due(struct hpt_habits *h)
{
	h->spun++;
	if (h->spun < interval(h))
		return false;
	begin(h);
	return true;
}
