/* SPDX-License-Identifier: MIT */
/* The environment of the running process, which lib/clock/world.h gives to the library. */
#ifndef HPT_LIVE_H
#define HPT_LIVE_H

#include "machine/env.h"

extern const struct hpt_env hpt_env_live;

#endif
