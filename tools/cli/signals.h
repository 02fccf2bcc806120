/* SPDX-License-Identifier: MIT */
/* SIGINT, SIGTERM and SIGHUP end a measurement early, and its command reports what it has. */
#ifndef HPT_TOOLS_SIGNALS_H
#define HPT_TOOLS_SIGNALS_H

#include <signal.h>

#define SIGNALS_COUNT 3
extern const int signals_all[SIGNALS_COUNT];

/* The actions before signals_catch(). */
struct signals {
	struct sigaction before[SIGNALS_COUNT];
};

/*
 * From now on each of them is noted, and calls stop(), which must be async-signal-safe; NULL: nothing. One that is
 * ignored stays ignored.
 */
void signals_catch(void (*stop)(void), struct signals *ret);
void signals_release(const struct signals *s);

/* The latest since signals_catch(), or 0. */
int signals_caught(void);

#endif
