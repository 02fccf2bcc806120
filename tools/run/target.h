/* SPDX-License-Identifier: MIT */
/* The program that a command line runs, and what speaks against loading an object into it. */
#ifndef HPT_TOOLS_TARGET_H
#define HPT_TOOLS_TARGET_H

#include <stdbool.h>

#include "run/elf_facts.h"

enum target_state {
	TARGET_GOOD,        /* its dynamic linker takes LD_PRELOAD */
	TARGET_UNKNOWN,     /* unreadable, or no program: execvp() decides */
	TARGET_STATIC,
	TARGET_MUSL,
	TARGET_NO_GLIBC,    /* its dynamic linker is another one */
	TARGET_OLD_GLIBC,   /* it is loaded with one that is older than 2.28 */
	TARGET_PRIVILEGED,  /* exec changes its IDs or capabilities, and then ld.so ignores LD_PRELOAD */
};

struct target {
	enum target_state state;
	char *path;     /* of the program; of a script its interpreter; NULL: not found */
	struct elf_facts elf; /* unless UNKNOWN */
};

/* Looks for the program as execvp() does, and follows scripts as the kernel does. Never waits for a file. */
void target_find(const char *name, struct target *ret);

/* Whether execvp() finds a file of that name that it may run. */
bool target_is_there(const char *name);

void target_clear(struct target *t);

/* "is statically linked": what speaks against loading an object. NULL: nothing. */
const char *target_hindrance(enum target_state state);

#endif
