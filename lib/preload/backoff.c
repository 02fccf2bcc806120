// SPDX-License-Identifier: MIT
/* Times without spins after spins that were of no use: lib/preload/backoff.h. */
#include "preload/backoff.h"

/* A spin of use takes off this part of the time, so that the time grows where more than 4 of 100 are of none. */
#define FADE 32

bool hpt_backoff_is_on(struct hpt_backoff *b, uint32_t process, int64_t now_ns)
{
	if (b->process != process)
		*b = (struct hpt_backoff){ .process = process };
	/* An end that is too far away is of a clock that was set back, as in a restored checkpoint. */
	return now_ns < b->until_ns && b->until_ns <= now_ns + HPT_BACKOFF_MOST_NS;
}

void hpt_backoff_learn(struct hpt_backoff *b, int64_t now_ns, int64_t late_ns)
{
	if (late_ns < HPT_BACKOFF_LATE_NS) {
		b->length_ns -= b->length_ns / FADE;
		return;
	}
	if (b->length_ns < HPT_BACKOFF_LEAST_NS / 2)
		b->length_ns = HPT_BACKOFF_LEAST_NS / 2;
	b->length_ns = b->length_ns < HPT_BACKOFF_MOST_NS / 2 ? 2 * b->length_ns : HPT_BACKOFF_MOST_NS;
	b->until_ns = now_ns + b->length_ns;
}
