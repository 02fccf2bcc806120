// SPDX-License-Identifier: MIT
/* One line, drawn over itself. */
#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 30

static bool is_on_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void hpt_progress_show(const char *what, int64_t done, int64_t total)
{
	static const char full[] = "##############################", empty[] = "                              ";
	int filled = total > 0 && done < total ? (int)(done * BAR_WIDTH / total) : BAR_WIDTH;

	_Static_assert(sizeof(full) == BAR_WIDTH + 1 && sizeof(empty) == sizeof(full), "as wide as the bar");
	if (!is_on_terminal())
		return;
	fprintf(stderr, "\r%s [%.*s%.*s] %3d %%", what, filled, full, BAR_WIDTH - filled, empty, filled * 100 / BAR_WIDTH);
	fflush(stderr);
}

void hpt_progress_clear(void)
{
	/* ECMA-48: erase the whole line. */
	if (is_on_terminal())
		fputs("\r\033[2K", stderr);
}
