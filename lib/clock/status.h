/* SPDX-License-Identifier: MIT */
/* What is known of each source, usable or not: recorded at load and by each open. */
#ifndef HPT_STATUS_H
#define HPT_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/latch.h"
#include "source/read_cost.h"

struct hpt_status {
	_Alignas(hpt_word)
	uint64_t usable, stage, reason, error;
	uint64_t frequency_uhz;
	struct hpt_cost cost;
};

/* Records what an open found, but keeps a frequency that is known already. Concurrent writers: one of them wins. */
void hpt_status_set(uint32_t source, const struct hpt_status *status);
void hpt_status_set_frequency(uint32_t source, uint64_t frequency_uhz);
/* What was recorded last; before that, what load found. */
void hpt_status_get(uint32_t source, struct hpt_status *ret);

#endif
