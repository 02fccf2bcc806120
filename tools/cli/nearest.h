/* SPDX-License-Identifier: MIT */
/* The name that a misspelt one was probably meant to be. */
#ifndef HPT_TOOLS_NEAREST_H
#define HPT_TOOLS_NEAREST_H

struct nearest {
	const char *text;       /* the misspelt name */
	const char *name;       /* the nearest of the names offered; NULL: no one is near */
	unsigned distance;
};

/* Offers a name: keeps it if it is near, and nearer than those before. Begin with { .text = ... }. */
void nearest_offer(struct nearest *n, const char *name);

/* A hint for a message: ", perhaps 'info'", or "". */
struct hint { char s[64]; };
struct hint nearest_hint(const struct nearest *n, const char *dashes);

#endif
