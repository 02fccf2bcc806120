// SPDX-License-Identifier: MIT
/* Draws the progress bar as one line, redrawn in place: tools/progress.h. */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "units.h"

#define BAR_WIDTH 30

bool hpt_progress_is_shown(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static void show_left(int64_t left_ns)
{
	int64_t s = (left_ns + NS_PER_S - 1) / NS_PER_S;

	if (left_ns < 0)
		return;
	if (s < 60)
		fprintf(stderr, ", %d s left ", (int)s);
	else
		fprintf(stderr, ", %lld:%02d min left ", (long long)(s / 60), (int)(s % 60));
}

void hpt_progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns)
{
	static const char full[] = "##############################", empty[] = "                              ";
	int filled = total > 0 && done < total ? (int)((double)done / (double)total * BAR_WIDTH) : BAR_WIDTH;

	_Static_assert(sizeof(full) == BAR_WIDTH + 1 && sizeof(empty) == sizeof(full), "as wide as the bar");
	if (!hpt_progress_is_shown())
		return;
	fprintf(stderr, "\r%s [%.*s%.*s] %3d %%", what, filled, full, BAR_WIDTH - filled, empty,
		filled * 100 / BAR_WIDTH);
	show_left(left_ns);
	fputs("\033[K", stderr); /* ECMA-48: erase the rest of a longer line */
	fflush(stderr);
}

void hpt_progress_clear(void)
{
	/* ECMA-48: erase the whole line. */
	if (hpt_progress_is_shown())
		fputs("\r\033[2K", stderr);
}
