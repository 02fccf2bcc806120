// SPDX-License-Identifier: MIT
/* Finds the nearest name by the number of letters to insert, delete, replace or swap: tools/cli/nearest.h. */
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

/* The names of hpt are shorter. */
#define LETTERS 24

/* More changes than these make another word. */
#define SHORT_LETTERS  5
#define SHORT_DISTANCE 1
#define LONG_DISTANCE  2

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The optimal string alignment distance. */
static unsigned distance(const char *a, const char *b)
{
	unsigned d[LETTERS + 1][LETTERS + 1];
	size_t n = strlen(a), m = strlen(b);

	for (unsigned i = 0; i <= n; i++)
		d[i][0] = i;
	for (unsigned j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1,
					  d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

void nearest_offer(struct nearest *n, const char *name)
{
	size_t length = strlen(n->text);
	unsigned far, most = length > SHORT_LETTERS ? LONG_DISTANCE : SHORT_DISTANCE;

	if (length > LETTERS || strlen(name) > LETTERS)
		return;
	far = distance(n->text, name);
	/* Of a single letter a change leaves nothing. */
	if (far > most || far >= length || (n->name && far >= n->distance))
		return;
	n->name = name;
	n->distance = far;
}

struct hint nearest_hint(const struct nearest *n, const char *dashes)
{
	struct hint h = { "" };

	if (n->name)
		snprintf(h.s, sizeof(h.s), ", perhaps '%s%s'", dashes, n->name);
	return h;
}
