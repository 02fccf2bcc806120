// SPDX-License-Identifier: MIT
/* A plugin for copies.c: with the file, or on the shared library where SHARED is defined. */
#ifdef SHARED
#include <hpt/hpt.h>
#else
#include "hpt.h"
#endif

__attribute__((visibility("default"))) hpt_clock *plugin_clock(void)
{
	return hpt_now(NULL) > 0 ? hpt_clock_default() : NULL;
}
