/* SPDX-License-Identifier: MIT */
/* Which ELF files can be loaded together. */
#ifndef HPT_TOOLS_ELF_KIND_H
#define HPT_TOOLS_ELF_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* Programs and objects of the same kind can be loaded together. */
struct elf_kind {
	uint8_t  class, data;   /* ELFCLASS, ELFDATA */
	uint16_t machine;       /* EM_ */
};

/* This program's own. */
struct elf_kind elf_kind_own(void);

bool elf_kind_is_same(struct elf_kind a, struct elf_kind b);

#endif
