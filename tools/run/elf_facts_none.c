// SPDX-License-Identifier: MIT
/* Reads no ELF file, in builds without libelf: tools/run/elf_facts.h. */
#include "run/elf_facts.h"

bool hpt_elf_facts_can_read(void)
{
	return false;
}

bool hpt_elf_facts_read(int fd, struct hpt_elf_facts *ret)
{
	(void)fd;
	*ret = (struct hpt_elf_facts){ 0 };
	return false;
}

bool hpt_elf_facts_has_name(int fd, const char *name)
{
	(void)fd, (void)name;
	return false;
}
