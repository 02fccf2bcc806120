// SPDX-License-Identifier: MIT
/* Draws the progress bar as one line, redrawn in place: tools/cli/progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "math/units.h"

#define BAR_WIDTH 30
#define BAR_MIN   5 /* a shorter one shows nothing */

#define COLUMNS_UNKNOWN 80

bool progress_is_shown(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* The columns that may be written without a new line: all but the last. */
static int room(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS_UNKNOWN - 1;
	return size.ws_col - 1;
}

/* "" if it is not known. */
static void format_left(int64_t left_ns, char *ret, size_t size)
{
	int64_t s = (left_ns + NS_PER_S - 1) / NS_PER_S;

	*ret = '\0';
	if (left_ns < 0)
		return;
	if (s < 60)
		snprintf(ret, size, ", %d s left", (int)s);
	else
		snprintf(ret, size, ", %lld:%02d min left", (long long)(s / 60), (int)(s % 60));
}

void progress_format(const char *what, int percent, int64_t left_ns, int columns, struct progress_line *ret)
{
	static const char full[] = "##############################", empty[] = "                              ";
	int bar = BAR_WIDTH, most = (int)sizeof(ret->s) - 1, filled, over;
	char left[40];

	_Static_assert(sizeof(full) == BAR_WIDTH + 1 && sizeof(empty) == sizeof(full), "as wide as the bar");
	format_left(left_ns, left, sizeof(left));
	over = (int)strlen(what) + (int)strlen(" [] 100 %") + BAR_WIDTH + (int)strlen(left) - columns;
	if (over > 0)
		bar -= over;
	filled = bar * percent / 100;
	if (bar >= BAR_MIN)
		snprintf(ret->s, sizeof(ret->s), "%s [%.*s%.*s] %3d %%%s", what, filled, full, bar - filled, empty,
			 percent, left);
	else
		snprintf(ret->s, sizeof(ret->s), "%s %3d %%%s", what, percent, bar < -(int)strlen(" []") ? "" : left);
	if (columns < most)
		most = columns > 0 ? columns : 0;
	ret->s[most] = '\0';
}

void progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns)
{
	int percent = total > 0 && done < total ? (int)((double)done / (double)total * 100) : 100;
	struct progress_line line;

	if (!progress_is_shown())
		return;
	progress_format(what, percent, left_ns, room(), &line);
	fprintf(stderr, "\r%s\033[K", line.s); /* ECMA-48: erase the rest of a longer line */
	fflush(stderr);
}

void progress_clear(void)
{
	/* ECMA-48: erase the whole line. */
	if (progress_is_shown())
		fputs("\r\033[2K", stderr);
}
