// SPDX-License-Identifier: MIT
/* Reads ELF files by libelf, whatever is in them: tools/run/elf_facts.h. */
#include "run/elf_facts.h"

#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel refuses more program headers, and longer names of program interpreters: fs/binfmt_elf.c. */
#define HEADERS_MAX_BYTES 65536
#define INTERPRETER_MAX   PATH_MAX

/* Of a large program it is some hundred entries of 16 bytes. */
#define DYNAMIC_MAX_BYTES 65536

/* glibc's are 30 KB. */
#define NAMES_MAX_BYTES 1048576

/* An ELF file that is being read. */
struct reading {
	int fd;
	Elf *elf;
	size_t n; /* of its program headers */
};

/* Reads a text that ends within the buffer. False: it does not. */
static bool read_text(int fd, uint64_t at, char *ret, size_t size)
{
	ssize_t n = at <= INT64_MAX ? pread(fd, ret, size, (off_t)at) : -1;

	return n > 0 && memchr(ret, '\0', (size_t)n);
}

static bool read_interpreter(const struct reading *r, const GElf_Phdr *ph, struct elf_facts *ret)
{
	char path[INTERPRETER_MAX];

	if (ph->p_filesz > sizeof(path) ||
	    !read_text(r->fd, ph->p_offset, path, (size_t)ph->p_filesz))
		return false;
	ret->has_interpreter = true;
	if (strlen(path) < sizeof(ret->interpreter))
		memcpy(ret->interpreter, path, strlen(path));
	return *path;
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

static void take_needed(const struct reading *r, uint64_t name_at, struct elf_facts *ret)
{
	char name[sizeof(ret->asan)];

	if (read_text(r->fd, name_at, name, sizeof(name)) && is_asan(name))
		memcpy(ret->asan, name, sizeof(name));
}

static void take_folders(const struct reading *r, uint64_t text_at, struct elf_facts *ret)
{
	char text[sizeof(ret->folders)];

	*ret->folders = '\0';
	if (read_text(r->fd, text_at, text, sizeof(text)))
		memcpy(ret->folders, text, strlen(text) + 1);
}

/* The dynamic section, and where in the file its strings are. NULL: it has none. */
static Elf_Data *dynamic_of(const struct reading *r, const GElf_Phdr *ph, uint64_t *ret_names_at, uint64_t *ret_bytes)
{
	size_t size = ph->p_filesz < DYNAMIC_MAX_BYTES ? (size_t)ph->p_filesz : DYNAMIC_MAX_BYTES;
	Elf_Data *data = elf_getdata_rawchunk(r->elf, (int64_t)ph->p_offset, size, ELF_T_DYN);
	bool is_found = false;
	GElf_Dyn dyn;

	*ret_bytes = 0;
	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		if (dyn.d_tag == DT_STRTAB)
			is_found = find_address(r, dyn.d_un.d_ptr, ret_names_at);
		if (dyn.d_tag == DT_STRSZ)
			*ret_bytes = dyn.d_un.d_val;
	}
	return is_found ? data : NULL;
}

static void read_dynamic(const struct reading *r, const GElf_Phdr *ph, struct elf_facts *ret)
{
	uint64_t names_at, bytes;
	Elf_Data *data = dynamic_of(r, ph, &names_at, &bytes);
	bool has_runpath = false;
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		uint64_t name_at = names_at + dyn.d_un.d_val;

		ret->has_soname |= dyn.d_tag == DT_SONAME;
		if (dyn.d_tag == DT_NEEDED)
			take_needed(r, name_at, ret);
		/* With RUNPATH the dynamic linker ignores RPATH. */
		if (dyn.d_tag == DT_RUNPATH || (dyn.d_tag == DT_RPATH && !has_runpath))
			take_folders(r, name_at, ret);
		has_runpath |= dyn.d_tag == DT_RUNPATH;
	}
}

/* False: it is no file that the kernel would run. */
static bool start_reading(struct reading *r, GElf_Ehdr *eh)
{
	if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, eh) ||
	    (eh->e_type != ET_EXEC && eh->e_type != ET_DYN) || !eh->e_phnum ||
	    (size_t)eh->e_phnum * eh->e_phentsize > HEADERS_MAX_BYTES)
		return false;
	r->n = eh->e_phnum;
	return true;
}

static bool read_headers(struct reading *r, struct elf_facts *ret)
{
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (!start_reading(r, &eh))
		return false;
	ret->kind = (struct elf_kind){ eh.e_ident[EI_CLASS], eh.e_ident[EI_DATA], eh.e_machine };
	for (size_t i = 0; i < r->n; i++) {
		if (!gelf_getphdr(r->elf, (int)i, &ph))
			return false;
		if (ph.p_type == PT_INTERP && !ret->has_interpreter && !read_interpreter(r, &ph, ret))
			return false;
		if (ph.p_type == PT_DYNAMIC)
			read_dynamic(r, &ph, ret);
	}
	return true;
}

bool elf_facts_can_read(void)
{
	return true;
}

/* Not mapped: another process may cut the file off meanwhile. False: it is not read. */
static bool open_reading(int fd, struct reading *ret)
{
	*ret = (struct reading){ .fd = fd };
	return elf_version(EV_CURRENT) != EV_NONE && (ret->elf = elf_begin(fd, ELF_C_READ, NULL));
}

bool elf_facts_read(int fd, struct elf_facts *ret)
{
	struct reading r;
	bool is_read;

	*ret = (struct elf_facts){ 0 };
	if (!open_reading(fd, &r))
		return false;
	is_read = read_headers(&r, ret);
	elf_end(r.elf);
	return is_read;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Names follow each other, each after a NUL. */
static bool has_name_among(int fd, uint64_t at, uint64_t bytes, const char *name)
{
	size_t size = bytes < NAMES_MAX_BYTES ? (size_t)bytes : NAMES_MAX_BYTES, n = strlen(name) + 2;
	char *names = malloc(size + 1), wanted[NAME_MAX] = "";
	ssize_t got = names && at <= INT64_MAX ? pread(fd, names, size, (off_t)at) : -1;
	bool has_it;

	memcpy(wanted + 1, name, strlen(name) + 1);
	has_it = got > 0 && memmem(names, (size_t)got, wanted, n);
	free(names);
	return has_it;
}

static bool has_name(struct reading *r, const char *name)
{
	uint64_t at, bytes;
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (!start_reading(r, &eh))
		return false;
	for (size_t i = 0; i < r->n && gelf_getphdr(r->elf, (int)i, &ph); i++)
		if (ph.p_type == PT_DYNAMIC)
			return dynamic_of(r, &ph, &at, &bytes) && has_name_among(r->fd, at, bytes, name);
	return false;
}

bool elf_facts_has_name(int fd, const char *name)
{
	struct reading r;
	bool has_it;

	if (!open_reading(fd, &r))
		return false;
	has_it = has_name(&r, name);
	elf_end(r.elf);
	return has_it;
}
