/* SPDX-License-Identifier: MIT */
/*
 * The status of each source, usable or not: recorded at load and by each open. Any thread and any signal handler may
 * call these functions.
 */
#ifndef HPT_SOURCE_STATUS_H
#define HPT_SOURCE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/seqlatch.h"
#include "source/read_cost.h"

/* Whole words, as seqlatch copies them. */
struct hpt_source_status {
	_Alignas(hpt_word)
	uint64_t usable, stage, reason, error; /* 0 or 1, HPT_STAGE_, HPT_REASON_, a positive errno or 0 */
	uint64_t frequency_uhz;                /* 0: not known yet */
	struct hpt_read_cost cost;
};

/*
 * at_load is an array of HPT_SOURCE_IDS, the same in each call: the status that load found, valid until another one is
 * recorded.
 */

/* Records what an open found; keeps a known frequency if status has none. Of concurrent writers one wins. */
void hpt_source_status_set(const struct hpt_source_status *at_load, uint32_t source,
			   const struct hpt_source_status *status);
void hpt_source_status_set_frequency(const struct hpt_source_status *at_load, uint32_t source, uint64_t frequency_uhz);
/* Copies the latest status. */
void hpt_source_status_get(const struct hpt_source_status *at_load, uint32_t source, struct hpt_source_status *ret);

#endif
