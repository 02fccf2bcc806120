/* SPDX-License-Identifier: MIT */
/* A look through a wall as JSON, as tables, and as a line of a list. */
#ifndef HPT_TOOLS_WALL_REPORT_H
#define HPT_TOOLS_WALL_REPORT_H

#include <stdio.h>

#include "cli/out.h"
#include "wall/wall_view.h"

/* @counter: HPT_SOURCE_. @max_width_ns: as the user gave it; 0: none. */
json_t *wall_report_json(const struct wall_view *v, uint32_t counter, int64_t max_width_ns);
void wall_report_tables(const struct wall_view *v, uint32_t counter, int64_t max_width_ns, FILE *to);

/* The list's heading, and its lines. */
void wall_report_heading(FILE *to);
void wall_report_line(const struct wall_view *v, int64_t max_width_ns, FILE *to);

#endif
