// SPDX-License-Identifier: MIT
/* Which ELF files can be loaded together: tools/run/elf_kind.h. */
#include "run/elf_kind.h"

#include <link.h>
#include <stddef.h>

/* The first object is the program, and its first bytes, which are its header, are in memory. */
static int take_kind(struct dl_phdr_info *info, size_t size, void *ret)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const ElfW(Ehdr) *eh = (const ElfW(Ehdr) *)(info->dlpi_addr + ph->p_vaddr);

		if (ph->p_type == PT_LOAD && !ph->p_offset)
			*(struct elf_kind *)ret =
				(struct elf_kind){ eh->e_ident[EI_CLASS], eh->e_ident[EI_DATA], eh->e_machine };
	}
	return 1;
}

struct elf_kind elf_kind_own(void)
{
	struct elf_kind kind = { 0 };

	dl_iterate_phdr(take_kind, &kind);
	return kind;
}

bool elf_kind_is_same(struct elf_kind a, struct elf_kind b)
{
	return a.class == b.class && a.data == b.data && a.machine == b.machine;
}
