/* SPDX-License-Identifier: MIT */
/* Some of the named ways of a bench, as --only and --trace list them. */
#ifndef HPT_TOOLS_CHOICE_H
#define HPT_TOOLS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cmd.h"

/* More than any bench has: each asserts it. */
#define CHOICE_MAX 64

/* Numbers of ways in the order of the list, each once. */
struct choice {
	unsigned n;
	unsigned way[CHOICE_MAX];
};

/* The name of way number @i; NULL after the last. */
typedef const char *choice_name(unsigned i);

/*
 * Takes names with commas between. A name may have a comma itself: the longest name that fits is meant. False: @ret is
 * as it was, and *ret_wrong is where the list names no way.
 */
bool choice_parse(const char *list, choice_name *name, struct choice *ret, const char **ret_wrong);

/* The same; false: reported on stderr, with all names. */
bool choice_take(const struct cmd *cmd, const char *list, choice_name *name, struct choice *ret);

/* Is the way among the chosen ones? An empty choice has all. */
bool choice_has(const struct choice *c, unsigned way);

#endif
