// SPDX-License-Identifier: MIT
/* Reads ELF files by libelf, whatever is in them: tools/run/elf_facts.h. */
#include "run/elf_facts.h"

#include <gelf.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* The kernel refuses more program headers, and longer names of program interpreters: fs/binfmt_elf.c. */
#define HEADERS_MAX_BYTES 65536
#define INTERPRETER_MAX   PATH_MAX

/* Of a large program it is some hundred entries of 16 bytes. */
#define DYNAMIC_MAX_BYTES 65536

/* An ELF file that is being read. */
struct reading {
	int fd;
	Elf *elf;
	size_t n; /* of its program headers */
};

/* The first object is the program, and its first bytes, which are its header, are in memory. */
static int take_kind(struct dl_phdr_info *info, size_t size, void *ret)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const ElfW(Ehdr) *eh = (const ElfW(Ehdr) *)(info->dlpi_addr + ph->p_vaddr);

		if (ph->p_type == PT_LOAD && !ph->p_offset)
			*(struct hpt_elf_kind *)ret =
				(struct hpt_elf_kind){ eh->e_ident[EI_CLASS], eh->e_ident[EI_DATA], eh->e_machine };
	}
	return 1;
}

struct hpt_elf_kind hpt_elf_kind_own(void)
{
	struct hpt_elf_kind kind = { 0 };

	dl_iterate_phdr(take_kind, &kind);
	return kind;
}

bool hpt_elf_kind_is_same(struct hpt_elf_kind a, struct hpt_elf_kind b)
{
	return a.class == b.class && a.data == b.data && a.machine == b.machine;
}

/* Reads a text that ends within the buffer. False: it does not. */
static bool read_text(int fd, uint64_t at, char *ret, size_t size)
{
	ssize_t n = at <= INT64_MAX ? pread(fd, ret, size, (off_t)at) : -1;

	return n > 0 && memchr(ret, '\0', (size_t)n);
}

static bool read_interpreter(const struct reading *r, const GElf_Phdr *ph, struct hpt_elf_facts *ret)
{
	char path[INTERPRETER_MAX];
	const char *slash, *name;
	size_t n;

	if (ph->p_filesz > sizeof(path) ||
	    !read_text(r->fd, ph->p_offset, path, (size_t)ph->p_filesz))
		return false;
	slash = strrchr(path, '/');
	name = slash ? slash + 1 : path;
	n = strlen(name) < sizeof(ret->interpreter) ? strlen(name) : sizeof(ret->interpreter) - 1;
	memcpy(ret->interpreter, name, n);
	return n;
}

/* Where in the file the byte of that address in memory is. False: nowhere. */
static bool find_address(const struct reading *r, uint64_t address, uint64_t *ret)
{
	for (size_t i = 0; i < r->n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(r->elf, (int)i, &ph) && ph.p_type == PT_LOAD && address >= ph.p_vaddr &&
		    address - ph.p_vaddr < ph.p_filesz) {
			*ret = ph.p_offset + (address - ph.p_vaddr);
			return true;
		}
	}
	return false;
}

/* That of gcc, or that of clang -shared-libasan. */
static bool is_asan(const char *soname)
{
	return !strncmp(soname, "libasan.so.", 11) || !strncmp(soname, "libclang_rt.asan", 16);
}

static void take_needed(const struct reading *r, uint64_t name_at, struct hpt_elf_facts *ret)
{
	char name[sizeof(ret->asan)];

	if (read_text(r->fd, name_at, name, sizeof(name)) && is_asan(name))
		memcpy(ret->asan, name, sizeof(name));
}

static void read_dynamic(const struct reading *r, const GElf_Phdr *ph, struct hpt_elf_facts *ret)
{
	size_t size = ph->p_filesz < DYNAMIC_MAX_BYTES ? (size_t)ph->p_filesz : DYNAMIC_MAX_BYTES;
	Elf_Data *data = elf_getdata_rawchunk(r->elf, (int64_t)ph->p_offset, size, ELF_T_DYN);
	uint64_t names_at = 0;
	GElf_Dyn dyn;

	if (!data)
		return;
	for (int i = 0; gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		ret->has_soname |= dyn.d_tag == DT_SONAME;
		if (dyn.d_tag == DT_STRTAB && !find_address(r, dyn.d_un.d_ptr, &names_at))
			return;
	}
	for (int i = 0; names_at && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++)
		if (dyn.d_tag == DT_NEEDED)
			take_needed(r, names_at + dyn.d_un.d_val, ret);
}

static bool read_headers(struct reading *r, struct hpt_elf_facts *ret)
{
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &eh) ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN) || !eh.e_phnum ||
	    (size_t)eh.e_phnum * eh.e_phentsize > HEADERS_MAX_BYTES)
		return false;
	r->n = eh.e_phnum;
	ret->kind = (struct hpt_elf_kind){ eh.e_ident[EI_CLASS], eh.e_ident[EI_DATA], eh.e_machine };
	for (size_t i = 0; i < r->n; i++) {
		if (!gelf_getphdr(r->elf, (int)i, &ph))
			return false;
		if (ph.p_type == PT_INTERP && !*ret->interpreter && !read_interpreter(r, &ph, ret))
			return false;
		if (ph.p_type == PT_DYNAMIC)
			read_dynamic(r, &ph, ret);
	}
	return true;
}

bool hpt_elf_facts_read(int fd, struct hpt_elf_facts *ret)
{
	struct reading r = { .fd = fd };
	bool is_read;

	*ret = (struct hpt_elf_facts){ 0 };
	/* Not mapped: another process may cut the file off meanwhile. */
	if (elf_version(EV_CURRENT) == EV_NONE || !(r.elf = elf_begin(fd, ELF_C_READ, NULL)))
		return false;
	is_read = read_headers(&r, ret);
	elf_end(r.elf);
	return is_read;
}
