// SPDX-License-Identifier: MIT
/* Signals to condition variables, counted: lib/preload/cond_slots.h. */
#include "preload/cond_slots.h"

struct hpt_cond_slot hpt_cond_slots[HPT_COND_SLOTS];
