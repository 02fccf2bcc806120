/* SPDX-License-Identifier: MIT */
/* What limits the CPU time of this thread and process, as the kernel states it. */
#ifndef HPT_TOOLS_SURROUNDINGS_H
#define HPT_TOOLS_SURROUNDINGS_H

#include "sleep/spin_terms.h"

/* What cannot be asked is no limit. May change errno. */
void surroundings_get(struct hpt_surroundings *ret);

#endif
