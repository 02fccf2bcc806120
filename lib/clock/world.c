// SPDX-License-Identifier: MIT
/* The world of the library, which is the machine and all sources: lib/clock/world.h. */
#include "clock/world.h"

#include "machine/live.h"

const struct hpt_world hpt_world = { .env = &hpt_env_live, .choose = hpt_choose };
