/* SPDX-License-Identifier: MIT */
/* The verdict on a counter. */
#ifndef HPT_VERDICT_H
#define HPT_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* reason is an HPT_REASON_ in both cases. */
struct hpt_verdict {
	bool     trusted;
	uint32_t reason;
};

#endif
