// SPDX-License-Identifier: MIT
/* Parses lists of names of ways: tools/bench/choice.h. */
#include "bench/choice.h"

#include <stdlib.h>
#include <string.h>

#include "cli/err.h"
#include "cli/nearest.h"
#include "cli/util.h"

#define NONE CHOICE_MAX

/* The way with the longest name that the list begins with, before a comma or the end; NONE: no such way. */
static unsigned first_of(const char *list, choice_name *name, size_t *ret_length)
{
	unsigned found = NONE;

	*ret_length = 0;
	for (unsigned i = 0; i < CHOICE_MAX && name(i); i++) {
		size_t n = strlen(name(i));

		if (n > *ret_length && !strncmp(list, name(i), n) && (list[n] == ',' || !list[n])) {
			found = i;
			*ret_length = n;
		}
	}
	return found;
}

static void add(struct choice *c, unsigned way)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->way[i] == way)
			return;
	c->way[c->n++] = way;
}

bool choice_parse(const char *list, choice_name *name, struct choice *ret, const char **ret_wrong)
{
	struct choice c = { 0 };

	for (;;) {
		size_t length;
		unsigned way = first_of(list, name, &length);

		if (way == NONE) {
			*ret_wrong = list;
			return false;
		}
		add(&c, way);
		if (!list[length])
			break;
		list += length + 1;
	}
	*ret = c;
	return true;
}

/* All names, with semicolons between, as some have commas; free() it. */
static char *all_names(choice_name *name)
{
	char *list = xasprintf("%s", name(0));

	for (unsigned i = 1; i < CHOICE_MAX && name(i); i++) {
		char *longer = xasprintf("%s; %s", list, name(i));

		free(list);
		list = longer;
	}
	return list;
}

bool choice_take(const struct cmd *cmd, const char *list, choice_name *name, struct choice *ret)
{
	const char *rest;
	struct nearest near = { 0 };
	char *names, *wrong;

	if (choice_parse(list, name, ret, &rest))
		return true;
	wrong = xasprintf("%.*s", (int)strcspn(rest, ","), rest);
	near.text = wrong;
	for (unsigned i = 0; i < CHOICE_MAX && name(i); i++)
		nearest_offer(&near, name(i));
	names = all_names(name);
	err_print("%s: '%s' is not one of the ways%s; they are %s", cmd->name, wrong, nearest_hint(&near, "").s, names);
	free(names);
	free(wrong);
	return false;
}

bool choice_has(const struct choice *c, unsigned way)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->way[i] == way)
			return true;
	return !c->n;
}
