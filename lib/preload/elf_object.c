// SPDX-License-Identifier: MIT
/* Looks functions up in an object that is loaded: lib/preload/elf_object.h. The format is that of the gABI and LSB. */
#include "preload/elf_object.h"

#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

/* Of an entry of DT_VERSYM: the version is not the default one; and its number, of which 0 and 1 are none. */
#define VERSION_HIDDEN 0x8000
#define VERSION_NUMBER 0x7fff

bool hpt_elf_object_has(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD && address - (info->dlpi_addr + ph->p_vaddr) < ph->p_memsz)
			return true;
	}
	return false;
}

/* The dynamic linker adds the object's address to those in its dynamic section, unless that is read-only. */
static const void *at(const struct dl_phdr_info *info, uintptr_t address)
{
	if (!hpt_elf_object_has(info, address))
		address += info->dlpi_addr;
	return hpt_elf_object_has(info, address) ? (const void *)address : NULL;
}

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return at(info, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

bool hpt_elf_object_take(const struct dl_phdr_info *info, struct hpt_elf_object *ret)
{
	struct hpt_elf_object o = { .info = info, .soname = "" };
	const ElfW(Dyn) *dyn = dynamic_of(info);
	size_t soname = 0;

	for (; dyn && dyn->d_tag != DT_NULL; dyn++) {
		switch (dyn->d_tag) {
		case DT_SONAME:
			soname = dyn->d_un.d_val;
			break;
		case DT_STRTAB:
			o.strings = at(info, dyn->d_un.d_ptr);
			break;
		case DT_SYMTAB:
			o.symbols = at(info, dyn->d_un.d_ptr);
			break;
		case DT_VERSYM:
			o.versions = at(info, dyn->d_un.d_ptr);
			break;
		case DT_VERDEF:
			o.defined = at(info, dyn->d_un.d_ptr);
			break;
		case DT_VERNEED:
			o.required = at(info, dyn->d_un.d_ptr);
			break;
		case DT_GNU_HASH:
			o.gnu_hash = at(info, dyn->d_un.d_ptr);
			break;
		case DT_HASH:
			o.hash = at(info, dyn->d_un.d_ptr);
			break;
		}
	}
	if (!o.strings || !o.symbols || (!o.gnu_hash && !o.hash))
		return false;
	if (soname)
		o.soname = o.strings + soname;
	*ret = o;
	return true;
}

/* ---- Symbols ------------------------------------------------------------------------------------------------- */

/* NULL: no such version is defined. */
static const char *version_name(const struct hpt_elf_object *o, unsigned number)
{
	const ElfW(Verdef) *v = o->defined;

	while (v && (v->vd_ndx & VERSION_NUMBER) != number)
		v = v->vd_next ? (const void *)((const char *)v + v->vd_next) : NULL;
	return v ? o->strings + ((const ElfW(Verdaux) *)(const void *)((const char *)v + v->vd_aux))->vda_name : NULL;
}

struct requirement {
	const char *soname, *version;
};

static bool has_version(const struct hpt_elf_object *o, const ElfW(Verneed) *of, const char *version)
{
	const char *at = (const char *)of + of->vn_aux;

	for (size_t i = 0; i < of->vn_cnt; i++, at += ((const ElfW(Vernaux) *)(const void *)at)->vna_next)
		if (!strcmp(o->strings + ((const ElfW(Vernaux) *)(const void *)at)->vna_name, version))
			return true;
	return false;
}

/* 1: the object was linked with that version. */
static int look(struct dl_phdr_info *info, size_t size, void *requirement)
{
	const struct requirement *r = requirement;
	const ElfW(Verneed) *need;
	struct hpt_elf_object o;

	(void)size;
	for (need = hpt_elf_object_take(info, &o) ? o.required : NULL; need;
	     need = need->vn_next ? (const void *)((const char *)need + need->vn_next) : NULL)
		if ((!*r->soname || !strcmp(o.strings + need->vn_file, r->soname)) && has_version(&o, need, r->version))
			return 1;
	return 0;
}

/*
 * A program that was linked with a C library asks for one of its versions, and no other matches: do_lookup_x(). One
 * that was linked with this object first asks for this object's.
 */
static bool is_for_programs(const struct hpt_elf_object *o, size_t i)
{
	unsigned number = o->versions ? o->versions[i] & VERSION_NUMBER : 0;
	const char *version = number > 1 ? version_name(o, number) : NULL;

	return !version || !strncmp(version, "GLIBC_", 6) ||
	       dl_iterate_phdr(look, &(struct requirement){ o->soname, version });
}

/* One of several with the same name. */
static bool is_default(const struct hpt_elf_object *o, size_t i)
{
	return !o->versions || !(o->versions[i] & VERSION_HIDDEN);
}

/* Takes a symbol if it is the function, and better than what was found before. */
static void consider(const struct hpt_elf_object *o, size_t i, const char *name, size_t *found)
{
	const ElfW(Sym) *s = &o->symbols[i];

	if (s->st_shndx != SHN_UNDEF && s->st_value && !strcmp(o->strings + s->st_name, name) &&
	    is_for_programs(o, i) && (!*found || is_default(o, i)))
		*found = i;
}

static size_t find_by_gnu_hash(const struct hpt_elf_object *o, const char *name)
{
	uint32_t buckets = o->gnu_hash[0], first = o->gnu_hash[1], words = o->gnu_hash[2], hash = 5381;
	const uint32_t *bucket = o->gnu_hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = bucket + buckets;
	size_t found = 0, i;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	i = buckets ? bucket[hash % buckets] : 0;
	/* The last of a chain has the lowest bit set. */
	for (; i >= first && i; i++) {
		if ((chain[i - first] | 1) == (hash | 1))
			consider(o, i, name, &found);
		if (chain[i - first] & 1)
			break;
	}
	return found;
}

static size_t find_by_hash(const struct hpt_elf_object *o, const char *name)
{
	size_t buckets = o->hash[0], found = 0;
	uint32_t hash = 0;

	for (const char *c = name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	for (size_t i = buckets ? o->hash[2 + hash % buckets] : 0; i; i = o->hash[2 + buckets + i])
		consider(o, i, name, &found);
	return found;
}

/* What the function is depends on the processor; the object says it. */
static void *resolve(uintptr_t address)
{
	void *(*resolver)(unsigned long hwcap, const void *, const void *);

	__builtin_memcpy(&resolver, &address, sizeof(resolver));
	return resolver(getauxval(AT_HWCAP), NULL, NULL);
}

void *hpt_elf_object_find(const struct hpt_elf_object *o, const char *name)
{
	size_t i = o->gnu_hash ? find_by_gnu_hash(o, name) : find_by_hash(o, name);
	uintptr_t address = o->info->dlpi_addr + o->symbols[i].st_value;

	if (!i)
		return NULL;
	return ELF32_ST_TYPE(o->symbols[i].st_info) == STT_GNU_IFUNC ? resolve(address) : (void *)address;
}
