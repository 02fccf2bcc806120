/* SPDX-License-Identifier: MIT */
/* The environment of the running process. The object of "hpt run" has another one in its place. */
#ifndef HPT_LIVE_H
#define HPT_LIVE_H

#include "machine/env.h"

extern const struct hpt_env hpt_env_live;

#endif
