/* SPDX-License-Identifier: MIT */
/*
 * An object of this process, as the dynamic linker has loaded it, and the functions that it gives to others. dlsym()
 * would do, but before glibc 2.34 it is in a library of its own, and other objects replace it.
 */
#ifndef HPT_ELF_OBJECT_H
#define HPT_ELF_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct hpt_elf_object {
	const struct dl_phdr_info *info;
	const char *soname;             /* "": it has none */
	const char *strings;
	const ElfW(Sym) *symbols;
	const ElfW(Half) *versions;     /* of each symbol; NULL: it has none */
	const ElfW(Verdef) *defined;    /* their names; NULL: there are none */
	const ElfW(Verneed) *required;  /* versions of other objects that it was linked with; NULL: there are none */
	const uint32_t *gnu_hash;       /* at least one of the two is not NULL */
	const Elf_Symndx *hash;
};

/* False: no other object finds a function in it. The result is valid while *info is. */
bool hpt_elf_object_take(const struct dl_phdr_info *info, struct hpt_elf_object *ret);

/* True if the address is in one of its segments. */
bool hpt_elf_object_has(const struct dl_phdr_info *info, uintptr_t address);

/*
 * The function by which the object answers a program that calls this function of the C library: one without a version,
 * or with one of the C library's. The default version is preferred. NULL: none.
 */
void *hpt_elf_object_find(const struct hpt_elf_object *o, const char *name);

#endif
