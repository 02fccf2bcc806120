/* SPDX-License-Identifier: MIT */
/* Reads from an ELF file how it is loaded. */
#ifndef HPT_TOOLS_ELF_FACTS_H
#define HPT_TOOLS_ELF_FACTS_H

#include <stdbool.h>

#include "run/elf_kind.h"

struct elf_facts {
	struct elf_kind kind;
	char interpreter[1024]; /* the path of its program interpreter; "": it has none, or a longer one */
	char folders[1024];     /* where it has libraries looked for, separated by colons: RUNPATH, or else RPATH */
	char asan[64];          /* the soname of the AddressSanitizer's runtime that it needs; "": it needs none */
	bool has_interpreter, has_soname;
};

/* False: this build is without libelf, and reads no file. */
bool elf_facts_can_read(void);

/* False: it is no ELF file that the kernel would run. Reads the file without regard to its position. */
bool elf_facts_read(int fd, struct elf_facts *ret);

/* True if the name, such as a version that it defines, is among the strings by which it is linked. */
bool elf_facts_has_name(int fd, const char *name);

#endif
