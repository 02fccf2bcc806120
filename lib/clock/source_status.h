/* SPDX-License-Identifier: MIT */
/* What is known of each source, usable or not: recorded at load and by each open. */
#ifndef HPT_SOURCE_STATUS_H
#define HPT_SOURCE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/seqlatch.h"
#include "source/read_cost.h"

struct hpt_source_status {
	_Alignas(hpt_word)
	uint64_t usable, stage, reason, error;
	uint64_t frequency_uhz;
	struct hpt_read_cost cost;
};

/*
 * at_load: what load found of each source, true until something else is recorded; an array of HPT_SOURCE_IDS, the same in
 * each call.
 */

/* Records what an open found, but keeps a frequency that is already known. Of concurrent writers one wins. */
void hpt_source_status_set(const struct hpt_source_status *at_load, uint32_t source,
			   const struct hpt_source_status *status);
void hpt_source_status_set_frequency(const struct hpt_source_status *at_load, uint32_t source, uint64_t frequency_uhz);
/* Copies what was recorded last. */
void hpt_source_status_get(const struct hpt_source_status *at_load, uint32_t source, struct hpt_source_status *ret);

#endif
