/* SPDX-License-Identifier: MIT */
/* The first record, and the next record from a record and a round of samples. Pure functions. */
#ifndef HPT_NEXT_RECORD_H
#define HPT_NEXT_RECORD_H

#include "rate/record.h"

/* The first record. The rate was measured from baseline on; lines, Unix time and segment come from the samples. */
void hpt_record_first(struct hpt_record *ret, const struct hpt_rate *rate, const struct hpt_interval *baseline,
		      const struct hpt_samples *samples);

/* Gives a provisional record the rate that was measured once more, from baseline on. For hpt_record_next(). */
void hpt_record_settle(struct hpt_record *rec, const struct hpt_rate *rate, const struct hpt_interval *baseline);

/* The record after `old`, with its rate refined by the samples and a new generation if they show an event. */
void hpt_record_next(const struct hpt_record *old, const struct hpt_samples *samples, struct hpt_record *ret);

#endif
