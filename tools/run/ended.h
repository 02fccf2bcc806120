/* SPDX-License-Identifier: MIT */
/* Prints how a program ended, after how long, and its CPU time. */
#ifndef HPT_TOOLS_ENDED_H
#define HPT_TOOLS_ENDED_H

#include "cli/out.h"
#include "run/watch.h"

void ended_fact(struct libscols_table *tb, const struct watched *w);
void ended_json(json_t *o, const struct watched *w);

#endif
