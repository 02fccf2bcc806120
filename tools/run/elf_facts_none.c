// SPDX-License-Identifier: MIT
/* Reads no ELF file, in builds without libelf: tools/run/elf_facts.h. */
#include "run/elf_facts.h"

bool elf_facts_can_read(void)
{
	return false;
}

bool elf_facts_read(int fd, struct elf_facts *ret)
{
	(void)fd;
	*ret = (struct elf_facts){ 0 };
	return false;
}

bool elf_facts_has_name(int fd, const char *name)
{
	(void)fd, (void)name;
	return false;
}
