/* SPDX-License-Identifier: MIT */
/* State that libhpt-preload.so takes while it is loaded: afterwards it opens no file and asks the kernel nothing. */
#ifndef HPT_LOAD_H
#define HPT_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "preload/settings.h"
#include "preload/tally.h"
#include "sleep/spin_terms.h"

extern struct hpt_loaded {
	_Atomic bool is_ready;         /* the other members are set, and sleeps can be served */
	struct hpt_settings settings;
	int64_t slack_ns;              /* the threads' timer slack */
	int64_t slice_ns;              /* their time slice; 0: not known */
	int64_t slack_added_ns;        /* to brief sleeps: the slack that there was, less slack_ns */
	int64_t grid_ns;               /* of sleeps that share a wake; 0: there was no slack that allows it */
	struct hpt_spin_terms terms;
	struct hpt_tally *tally;       /* NULL: nobody asked */
} hpt_loaded HIDDEN;

static inline bool hpt_is_loaded(void)
{
	return likely(atomic_load_explicit(&hpt_loaded.is_ready, memory_order_acquire));
}

#endif
