// SPDX-License-Identifier: MIT
/* Reading ELF files: this program, and files that were made from it by changing bytes. */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"

#include "run/elf_facts.h"

/* Enough for the headers and the dynamic section's strings of small programs. */
static char *whole;
static size_t size;

static int read_this_program(void **state)
{
	FILE *f = fopen("/proc/self/exe", "rb");
	long n;

	(void)state;
	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) <= 0 || fseek(f, 0, SEEK_SET))
		return 1;
	size = (size_t)n;
	whole = malloc(size);
	if (!whole || fread(whole, 1, size, f) != size)
		return 1;
	return fclose(f);
}

static int forget(void **state)
{
	(void)state;
	free(whole);
	return 0;
}

static bool read_bytes(const char *bytes, size_t n, struct elf_facts *ret)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	bool is_read;

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, n, 0), n);
	is_read = elf_facts_read(fd, ret);
	close(fd);
	return is_read;
}

static ElfW(Ehdr) *header_of(char *bytes)
{
	return (ElfW(Ehdr) *)(void *)bytes;
}

/* NULL: it has none. */
static ElfW(Phdr) *find(char *bytes, uint32_t type)
{
	ElfW(Phdr) *ph = (ElfW(Phdr) *)(void *)(bytes + header_of(bytes)->e_phoff);

	for (int i = 0; i < header_of(bytes)->e_phnum; i++)
		if (ph[i].p_type == type)
			return &ph[i];
	return NULL;
}

static char *copy(void)
{
	char *bytes = malloc(size);

	assert_non_null(bytes);
	memcpy(bytes, whole, size);
	return bytes;
}

static void a_program_says_how_it_is_loaded(void **state)
{
	struct elf_facts facts;
	ElfW(Phdr) *interp = find(whole, PT_INTERP);

	(void)state;
	assert_true(read_bytes(whole, size, &facts));
	assert_true(elf_kind_is_same(facts.kind, elf_kind_own()));
	assert_int_equal(facts.kind.machine, header_of(whole)->e_machine);
	assert_false(facts.has_soname);
	assert_int_equal(facts.has_interpreter, interp != NULL);
	if (interp)
		assert_string_equal(facts.interpreter, whole + interp->p_offset);
	else
		assert_string_equal(facts.interpreter, "");
}

static void kinds_differ_by_each_member(void **state)
{
	struct elf_kind kind = elf_kind_own(), other = kind;

	(void)state;
	assert_true(elf_kind_is_same(kind, other));
	other.class = (uint8_t)(ELFCLASS32 + ELFCLASS64 - kind.class);
	assert_false(elf_kind_is_same(kind, other));
	other = kind;
	other.data = (uint8_t)(ELFDATA2LSB + ELFDATA2MSB - kind.data);
	assert_false(elf_kind_is_same(kind, other));
	other = kind;
	other.machine++;
	assert_false(elf_kind_is_same(kind, other));
}

/* The name of one needed object, replaced in the strings of the dynamic section. */
static void check_needed(const char *name, const char *asan)
{
	char *bytes = copy(), *at = memmem(bytes, size, "\0libc.so.", 9);
	struct elf_facts facts;

	assert_non_null(at);
	/* The strings that follow are overwritten, which matters only if the program runs. */
	memcpy(at + 1, name, strlen(name) + 1);
	assert_true(read_bytes(bytes, size, &facts));
	assert_string_equal(facts.asan, asan);
	free(bytes);
}

static void the_runtime_of_asan_is_found(void **state)
{
	struct elf_facts facts;
	char is_long[100];

	(void)state;
	assert_true(read_bytes(whole, size, &facts));
	/* A build with a sanitizer may need it itself. */
	if (*facts.asan || !find(whole, PT_DYNAMIC) || !memmem(whole, size, "\0libc.so.", 9))
		return;
	check_needed("libasan.so.8", "libasan.so.8");
	check_needed("libclang_rt.asan-x86_64.so", "libclang_rt.asan-x86_64.so");
	check_needed("libc.so.6", "");
	check_needed("libasan.txt", "");
	check_needed("xlibasan.so.8", "");
	memset(is_long, 'x', sizeof(is_long));
	memcpy(is_long, "libasan.so.", 11);
	is_long[sizeof(is_long) - 1] = '\0';
	check_needed(is_long, "");
}

/* Finds an entry of the dynamic section. NULL: not there. */
static ElfW(Dyn) *entry(char *bytes, ElfW(Sxword) tag)
{
	ElfW(Phdr) *ph = find(bytes, PT_DYNAMIC);
	ElfW(Dyn) *dyn = ph ? (ElfW(Dyn) *)(void *)(bytes + ph->p_offset) : NULL;

	while (dyn && dyn->d_tag != DT_NULL && dyn->d_tag != tag)
		dyn++;
	return dyn && dyn->d_tag == tag ? dyn : NULL;
}

static bool has_name(const char *bytes, const char *name)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	bool has_it;

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, size, 0), size);
	has_it = elf_facts_has_name(fd, name);
	close(fd);
	return has_it;
}

static void names_are_whole(void **state)
{
	char *bytes = copy();
	ElfW(Dyn) *length = entry(bytes, DT_STRSZ);

	(void)state;
	if (length && memmem(whole, size, "\0libc.so.6", 11)) {
		assert_true(has_name(bytes, "libc.so.6"));
		assert_false(has_name(bytes, "libc.so"));
		assert_false(has_name(bytes, "ibc.so.6"));
		assert_false(has_name(bytes, "no such name"));
		length->d_un.d_val = 4;
		assert_false(has_name(bytes, "libc.so.6"));
		length->d_un.d_val = (ElfW(Xword))-1;
		assert_true(has_name(bytes, "libc.so.6"));
		find(bytes, PT_DYNAMIC)->p_type = PT_NOTE;
		assert_false(has_name(bytes, "libc.so.6"));
	}
	memset(bytes, 0, 4);
	assert_false(has_name(bytes, "libc.so.6"));
	free(bytes);
}

/* Two entries are made others: their texts are the name of a needed library, and the same without its first letter. */
static void check_folders(ElfW(Sxword) first, ElfW(Sxword) second, const char *wanted)
{
	char *bytes = copy();
	ElfW(Dyn) *one = entry(bytes, DT_INIT), *two = entry(bytes, DT_FINI), *needed = entry(bytes, DT_NEEDED);
	struct elf_facts facts;

	if (one && two && needed) {
		one->d_tag = first;
		one->d_un.d_val = needed->d_un.d_val;
		two->d_tag = second;
		two->d_un.d_val = needed->d_un.d_val + 1;
		assert_true(read_bytes(bytes, size, &facts));
		assert_string_equal(facts.folders, wanted);
	}
	free(bytes);
}

/* Of the first segment, which has the strings and is the same in the file. */
static uintptr_t first_address(void)
{
	return find(whole, PT_LOAD)->p_vaddr;
}

static void folders_of_libraries_are_found(void **state)
{
	struct elf_facts facts;
	ElfW(Dyn) *needed = entry(whole, DT_NEEDED), *strings = entry(whole, DT_STRTAB);
	const char *name;

	(void)state;
	assert_true(read_bytes(whole, size, &facts));
	if (!needed || !strings || entry(whole, DT_RUNPATH) || entry(whole, DT_RPATH))
		return;
	assert_string_equal(facts.folders, "");
	name = whole + strings->d_un.d_ptr - first_address() + needed->d_un.d_val;
	check_folders(DT_RUNPATH, DT_DEBUG, name);
	check_folders(DT_RPATH, DT_DEBUG, name);
	check_folders(DT_RUNPATH, DT_RPATH, name);
	check_folders(DT_RPATH, DT_RUNPATH, name + 1);
}

static void other_files_are_refused(void **state)
{
	struct elf_facts facts;
	char *bytes = copy();
	ElfW(Phdr) *interp = find(bytes, PT_INTERP);

	(void)state;
	assert_false(read_bytes("", 0, &facts));
	assert_false(read_bytes("#!/bin/sh\n", 10, &facts));
	assert_false(read_bytes("!<arch>\n", 8, &facts));
	for (size_t n = 0; n < sizeof(ElfW(Ehdr)) + sizeof(ElfW(Phdr)); n++)
		assert_false(read_bytes(whole, n, &facts));
	header_of(bytes)->e_type = ET_REL;
	assert_false(read_bytes(bytes, size, &facts));
	header_of(bytes)->e_type = ET_DYN;
	header_of(bytes)->e_phnum = 0;
	assert_false(read_bytes(bytes, size, &facts));
	header_of(bytes)->e_phnum = header_of(whole)->e_phnum;
	assert_true(read_bytes(bytes, size, &facts));
	if (interp) {
		ElfW(Phdr) as_it_is = *interp;

		interp->p_filesz = 1;
		assert_false(read_bytes(bytes, size, &facts));
		interp->p_filesz = 4097;
		assert_false(read_bytes(bytes, size, &facts));
		*interp = as_it_is;
		interp->p_filesz--; /* the byte that ends it */
		assert_false(read_bytes(bytes, size, &facts));
		*interp = as_it_is;
		bytes[interp->p_offset] = '\0';
		assert_false(read_bytes(bytes, size, &facts));
		interp->p_offset = (ElfW(Off))-1;
		assert_false(read_bytes(bytes, size, &facts));
	}
	free(bytes);
}

/* A sanitizer sees accesses beyond what was read. */
static void nothing_goes_wrong_in_damaged_files(void **state)
{
	size_t headers = sizeof(ElfW(Ehdr)) + header_of(whole)->e_phnum * sizeof(ElfW(Phdr));
	ElfW(Phdr) *dynamic = find(whole, PT_DYNAMIC);

	(void)state;
	srand(1);
	for (int i = 0; i < rounds(3000); i++) {
		char *bytes = copy();
		struct elf_facts facts;

		for (int k = rand() % 4; k >= 0; k--) {
			if (dynamic && rand() % 2)
				bytes[dynamic->p_offset + (size_t)rand() % dynamic->p_filesz] = (char)rand();
			else
				bytes[4 + (size_t)rand() % (headers - 4)] = (char)(rand() % 3 ? rand() : 0xff);
		}
		if (read_bytes(bytes, rand() % 4 ? size : (size_t)rand() % size, &facts)) {
			assert_true(strlen(facts.interpreter) < sizeof(facts.interpreter));
			assert_true(strlen(facts.asan) < sizeof(facts.asan));
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_says_how_it_is_loaded),
		cmocka_unit_test(kinds_differ_by_each_member),
		cmocka_unit_test(the_runtime_of_asan_is_found),
		cmocka_unit_test(names_are_whole),
		cmocka_unit_test(folders_of_libraries_are_found),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(nothing_goes_wrong_in_damaged_files),
	};

	return cmocka_run_group_tests(tests, read_this_program, forget);
}
