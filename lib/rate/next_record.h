/* SPDX-License-Identifier: MIT */
/* The first record, and the next one from a record and a round of samples. Pure functions. */
#ifndef HPT_NEXT_RECORD_H
#define HPT_NEXT_RECORD_H

#include "rate/record.h"

/* The first record: baseline is where the rate was measured from. Lines, Unix time and segment come from the samples. */
void hpt_record_first(struct hpt_record *ret, const struct hpt_rate *rate, const struct hpt_interval *baseline,
		      const struct hpt_samples *samples);

/* The next record: takes in what the samples say of the rate and of what happened to the clocks. */
void hpt_record_next(const struct hpt_record *old, const struct hpt_samples *samples, struct hpt_record *ret);

#endif
