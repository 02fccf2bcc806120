/* SPDX-License-Identifier: MIT */
/* Sources by their names. */
#ifndef HPT_NAMES_H
#define HPT_NAMES_H

/* The id (HPT_SOURCE_) of a name that HPT_SOURCE and the command accept, or -1. */
int hpt_source_by_name(const char *name);

#endif
