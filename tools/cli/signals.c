// SPDX-License-Identifier: MIT
/* Notes the signals that end a measurement: tools/cli/signals.h. */
#include "cli/signals.h"

#include <stddef.h>

const int signals_all[SIGNALS_COUNT] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t caught;
static void (*stop_it)(void);

static void on_signal(int signal)
{
	caught = signal;
	if (stop_it)
		stop_it();
}

void signals_catch(void (*stop)(void), struct signals *ret)
{
	struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	caught = 0;
	stop_it = stop;
	for (size_t i = 0; i < SIGNALS_COUNT; i++)
		if (!sigaction(signals_all[i], NULL, &ret->before[i]) && ret->before[i].sa_handler != SIG_IGN)
			sigaction(signals_all[i], &ours, NULL);
}

void signals_release(const struct signals *s)
{
	for (size_t i = 0; i < SIGNALS_COUNT; i++)
		sigaction(signals_all[i], &s->before[i], NULL);
}

int signals_caught(void)
{
	return caught;
}
