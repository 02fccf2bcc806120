/* SPDX-License-Identifier: MIT */
/* The name that a misspelt one was probably meant to be. */
#ifndef HPT_TOOLS_NEAREST_H
#define HPT_TOOLS_NEAREST_H

struct hpt_nearest {
	const char *text;       /* the misspelt name */
	const char *name;       /* the nearest of the names offered; NULL: no one is near */
	unsigned distance;
};

/* Offers a name: keeps it if it is near, and nearer than those before. Begin with { .text = ... }. */
void hpt_nearest_offer(struct hpt_nearest *n, const char *name);

/* A hint for a message: ", perhaps 'info'", or "". */
struct hpt_hint { char s[64]; };
struct hpt_hint hpt_nearest_hint(const struct hpt_nearest *n, const char *dashes);

#endif
