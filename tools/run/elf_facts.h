/* SPDX-License-Identifier: MIT */
/* Reads from an ELF file how it is loaded. */
#ifndef HPT_TOOLS_ELF_FACTS_H
#define HPT_TOOLS_ELF_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* Programs and objects of the same kind can be loaded together. */
struct hpt_elf_kind {
	uint8_t  class, data;   /* ELFCLASS, ELFDATA */
	uint16_t machine;       /* EM_ */
};

struct hpt_elf_facts {
	struct hpt_elf_kind kind;
	char interpreter[1024]; /* the path of its program interpreter; "": it has none, or a longer one */
	char folders[1024];     /* where it has libraries looked for, separated by colons: RUNPATH, or else RPATH */
	char asan[64];          /* the soname of the AddressSanitizer's runtime that it needs; "": it needs none */
	bool has_interpreter, has_soname;
};

/* False: it is no ELF file that the kernel would run. Reads the file without regard to its position. */
bool hpt_elf_facts_read(int fd, struct hpt_elf_facts *ret);

/* True if the name, such as a version that it defines, is among the strings by which it is linked. */
bool hpt_elf_facts_has_name(int fd, const char *name);

/* This program's own. */
struct hpt_elf_kind hpt_elf_kind_own(void);

bool hpt_elf_kind_is_same(struct hpt_elf_kind a, struct hpt_elf_kind b);

#endif
