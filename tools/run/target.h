/* SPDX-License-Identifier: MIT */
/* The program that a command line runs, and what speaks against loading an object into it. */
#ifndef HPT_TOOLS_TARGET_H
#define HPT_TOOLS_TARGET_H

#include <stdbool.h>

#include "run/elf_facts.h"

enum hpt_target_state {
	HPT_TARGET_GOOD,        /* its dynamic linker takes LD_PRELOAD */
	HPT_TARGET_UNKNOWN,     /* unreadable, or no program: execvp() decides */
	HPT_TARGET_STATIC,
	HPT_TARGET_MUSL,
	HPT_TARGET_NO_GLIBC,    /* its dynamic linker is another one */
	HPT_TARGET_OLD_GLIBC,   /* it is loaded with one that is older than 2.28 */
	HPT_TARGET_PRIVILEGED,  /* exec changes its IDs or capabilities, and then ld.so ignores LD_PRELOAD */
};

struct hpt_target {
	enum hpt_target_state state;
	char *path;     /* of the program; of a script its interpreter; NULL: not found */
	struct hpt_elf_facts elf; /* unless UNKNOWN */
};

/* Looks for the program as execvp() does, and follows scripts as the kernel does. Never waits for a file. */
void hpt_target_find(const char *name, struct hpt_target *ret);

/* Whether execvp() finds a file of that name that it may run. */
bool hpt_target_is_there(const char *name);

void hpt_target_clear(struct hpt_target *t);

/* "is statically linked": what speaks against loading an object. NULL: nothing. */
const char *hpt_target_hindrance(enum hpt_target_state state);

#endif
