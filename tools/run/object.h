/* SPDX-License-Identifier: MIT */
/* Where libhpt-preload.so is, as LD_PRELOAD names it. */
#ifndef HPT_TOOLS_OBJECT_H
#define HPT_TOOLS_OBJECT_H

#include <stdbool.h>

#include "run/elf_facts.h"

enum object_state {
	OBJECT_FOUND,
	OBJECT_MISSING,
	OBJECT_OTHER,       /* it is not installed for programs of this kind */
	OBJECT_UNWRITABLE,  /* its path has a blank or a colon, at which LD_PRELOAD is split */
};

struct object {
	enum object_state state;
	char *path;             /* to be freed; may begin with a folder and a literal $LIB, which ld.so replaces */
};

/*
 * The object that HPT_PRELOAD names, or the installed one, for programs of this kind. has_fine_coarse: the one beside
 * it, of which the coarse clocks are the fine ones.
 */
struct object object_find(struct elf_kind kind, bool has_fine_coarse);

#endif
