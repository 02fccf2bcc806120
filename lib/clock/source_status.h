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

/* Records what an open found, but keeps a frequency that is known already. Concurrent writers: one of them wins. */
void hpt_source_status_set(uint32_t source, const struct hpt_source_status *status);
void hpt_source_status_set_frequency(uint32_t source, uint64_t frequency_uhz);
/* What was recorded last; before that, what load found. */
void hpt_source_status_get(uint32_t source, struct hpt_source_status *ret);

#endif
