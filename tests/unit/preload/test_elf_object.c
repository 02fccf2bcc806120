// SPDX-License-Identifier: MIT
/* Objects in memory: those of this process, and one that is made up of tables. */
#include <dlfcn.h>
#include <string.h>

#include "unit.h"

#include "preload/elf_object.h"

/* ---- An object of tables ---------------------------------------------------------------------------------------- */

#define HIDDEN_VERSION 0x8000
#define MOST 6

static struct image {
	ElfW(Dyn) dynamic[12];
	ElfW(Sym) symbols[MOST + 1];
	ElfW(Half) versions[MOST + 1];
	struct version {
		ElfW(Verdef) def;
		ElfW(Verdaux) aux;
	} defined[3];
	uint32_t gnu[4 + sizeof(ElfW(Addr)) / 4 + 1 + MOST];
	Elf_Symndx hash[2 + 1 + MOST + 1];
	char strings[256];
} image;

static ElfW(Phdr) headers[2];
static struct dl_phdr_info info;
static size_t symbols, entries, length;

static size_t text(const char *s)
{
	size_t at = length;

	assert_true(length + strlen(s) + 1 <= sizeof(image.strings));
	memcpy(image.strings + at, s, strlen(s) + 1);
	length += strlen(s) + 1;
	return at;
}

static uintptr_t base(void)
{
	return (uintptr_t)&image;
}

static void add_entry(ElfW(Sxword) tag, uintptr_t value)
{
	image.dynamic[entries].d_tag = tag;
	image.dynamic[entries++].d_un.d_val = value;
	image.dynamic[entries].d_tag = DT_NULL;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = (hash << 5) + hash + (unsigned char)*name++;
	return hash;
}

/* All symbols are in one bucket, in their order. */
static void link_symbols(void)
{
	uint32_t *bucket = image.gnu + 4 + sizeof(ElfW(Addr)) / 4;

	image.gnu[0] = 1;
	image.gnu[1] = 1;
	image.gnu[2] = 1;
	bucket[0] = symbols ? 1 : 0;
	image.hash[0] = 1;
	image.hash[1] = (Elf_Symndx)(symbols + 1);
	image.hash[2] = symbols ? 1 : 0;
	for (size_t i = 1; i <= symbols; i++) {
		uint32_t hash = gnu_hash(image.strings + image.symbols[i].st_name);

		bucket[i] = i < symbols ? hash & ~1u : hash | 1;
		image.hash[3 + i] = (Elf_Symndx)(i < symbols ? i + 1 : 0);
	}
}

static ElfW(Sym) *add(const char *name, uintptr_t address, unsigned version)
{
	ElfW(Sym) *s = &image.symbols[++symbols];

	assert_true(symbols <= MOST);
	s->st_name = (ElfW(Word))text(name);
	s->st_value = address - base();
	s->st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC);
	s->st_shndx = 1;
	image.versions[symbols] = (ElfW(Half))version;
	link_symbols();
	return s;
}

static void define(unsigned i, unsigned number, const char *name, bool is_last)
{
	struct version *v = &image.defined[i];

	v->def.vd_ndx = (ElfW(Half))number;
	v->def.vd_aux = offsetof(struct version, aux);
	v->def.vd_next = is_last ? 0 : sizeof(*v);
	v->aux.vda_name = (ElfW(Word))text(name);
}

/* Without a hash table. */
static void start(void)
{
	memset(&image, 0, sizeof(image));
	symbols = entries = 0;
	length = 1;
	headers[0] = (ElfW(Phdr)){ .p_type = PT_LOAD, .p_memsz = sizeof(image) };
	headers[1] = (ElfW(Phdr)){ .p_type = PT_DYNAMIC, .p_vaddr = offsetof(struct image, dynamic) };
	info = (struct dl_phdr_info){ .dlpi_addr = base(), .dlpi_phdr = headers, .dlpi_phnum = 2 };
	define(0, 1, "itself.so", false);
	define(1, 2, "GLIBC_2.99", false);
	define(2, 3, "OTHER_1.0", true);
	add_entry(DT_STRTAB, (uintptr_t)image.strings);
	add_entry(DT_SYMTAB, (uintptr_t)image.symbols);
	link_symbols();
}

static int set_up(void **state)
{
	(void)state;
	start();
	add_entry(DT_GNU_HASH, (uintptr_t)image.gnu);
	add_entry(DT_HASH, (uintptr_t)image.hash);
	add_entry(DT_VERSYM, (uintptr_t)image.versions);
	add_entry(DT_VERDEF, (uintptr_t)image.defined);
	return 0;
}

static struct hpt_elf_object taken(void)
{
	struct hpt_elf_object o;

	assert_true(hpt_elf_object_take(&info, &o));
	return o;
}

/* By each of the two tables. 0: none. */
static uintptr_t find(const char *name)
{
	struct hpt_elf_object o = taken();
	void *by_both = hpt_elf_object_find(&o, name), *by_hash;

	assert_non_null(o.gnu_hash);
	o.gnu_hash = NULL;
	by_hash = hpt_elf_object_find(&o, name);
	assert_ptr_equal(by_both, by_hash);
	return (uintptr_t)by_both;
}

/* ---- Which function --------------------------------------------------------------------------------------------- */

static void functions_are_found_by_their_names(void **state)
{
	static const char *const names[] = { "sleep", "nanosleep", "a", "poll", "a_very_long_name_of_some_function" };

	(void)state;
	assert_int_equal(find("sleep"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add(names[i], 0x1000 + i, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(find(names[i]), 0x1000 + i);
	assert_int_equal(find("slee"), 0);
	assert_int_equal(find("sleepy"), 0);
	assert_int_equal(find(""), 0);
}

static void what_an_object_needs_is_not_its_own(void **state)
{
	(void)state;
	add("sleep", 0x1000, 1)->st_shndx = SHN_UNDEF;
	add("usleep", base(), 1);
	assert_int_equal(find("sleep"), 0);
	assert_int_equal(find("usleep"), 0);
}

static void versions_of_others_are_for_others(void **state)
{
	(void)state;
	add("sleep", 0x1000, 3);
	assert_int_equal(find("sleep"), 0);
	add("sleep", 0x2000, HIDDEN_VERSION | 3);
	assert_int_equal(find("sleep"), 0);
	add("sleep", 0x3000, 2);
	assert_int_equal(find("sleep"), 0x3000);
	add("usleep", 0x4000, 1);
	assert_int_equal(find("usleep"), 0x4000);
	add("poll", 0x5000, 7); /* a number that has no name */
	assert_int_equal(find("poll"), 0x5000);
}

static void the_default_version_is_preferred(void **state)
{
	(void)state;
	add("sleep", 0x1000, HIDDEN_VERSION | 2);
	assert_int_equal(find("sleep"), 0x1000);
	add("sleep", 0x2000, 2);
	assert_int_equal(find("sleep"), 0x2000);
	add("sleep", 0x3000, HIDDEN_VERSION | 2);
	assert_int_equal(find("sleep"), 0x2000);
}

static void without_tables_of_versions_there_are_none(void **state)
{
	struct hpt_elf_object o;

	(void)state;
	add("sleep", 0x1000, 3);
	o = taken();
	o.defined = NULL;
	assert_ptr_equal(hpt_elf_object_find(&o, "sleep"), (void *)0x1000);
	o = taken();
	o.versions = NULL;
	assert_ptr_equal(hpt_elf_object_find(&o, "sleep"), (void *)0x1000);
}

static int answer(void)
{
	return 42;
}

/* By the platform's convention the resolver returns the function. */
static int (*choose(void))(void)
{
	return answer;
}

static void a_resolver_is_asked(void **state)
{
	int (*chosen)(void), (*(*resolver)(void))(void) = choose;
	uintptr_t at;

	(void)state;
	memcpy(&at, &resolver, sizeof(at));
	add("sleep", at, 1)->st_info = ELF32_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
	at = find("sleep");
	memcpy(&chosen, &at, sizeof(chosen));
	assert_int_equal(chosen(), 42);
}

/* ---- Which object ------------------------------------------------------------------------------------------------ */

static void an_object_has_a_name_or_none(void **state)
{
	(void)state;
	assert_string_equal(taken().soname, "");
	add_entry(DT_SONAME, text("libfoo.so.1"));
	assert_string_equal(taken().soname, "libfoo.so.1");
}

static void each_table_is_needed(void **state)
{
	struct hpt_elf_object o;

	(void)state;
	start();
	assert_false(hpt_elf_object_take(&info, &o));
	add_entry(DT_HASH, (uintptr_t)image.hash);
	assert_true(hpt_elf_object_take(&info, &o));
	image.dynamic[0].d_tag = DT_DEBUG;
	assert_false(hpt_elf_object_take(&info, &o));
	image.dynamic[0].d_tag = DT_STRTAB;
	image.dynamic[1].d_tag = DT_DEBUG;
	assert_false(hpt_elf_object_take(&info, &o));
	start();
	add_entry(DT_GNU_HASH, (uintptr_t)image.gnu);
	assert_true(hpt_elf_object_take(&info, &o));
	headers[1].p_type = PT_NOTE;
	assert_false(hpt_elf_object_take(&info, &o));
}

/* As they are in the file, where the dynamic linker does not write. */
static void addresses_may_be_relative(void **state)
{
	(void)state;
	add("sleep", 0x1000, HIDDEN_VERSION | 2);
	add("sleep", 0x2000, 2);
	for (size_t i = 0; i < entries; i++)
		image.dynamic[i].d_un.d_ptr -= base();
	assert_int_equal(find("sleep"), 0x2000);
}

static void addresses_elsewhere_are_refused(void **state)
{
	struct hpt_elf_object o;

	(void)state;
	image.dynamic[0].d_un.d_ptr = sizeof(image);
	assert_false(hpt_elf_object_take(&info, &o));
	image.dynamic[0].d_un.d_ptr = (uintptr_t)image.strings;
	headers[1].p_vaddr = sizeof(image);
	assert_false(hpt_elf_object_take(&info, &o));
}

static void an_object_has_its_segments(void **state)
{
	(void)state;
	headers[0].p_vaddr = 16;
	headers[0].p_memsz = 32;
	headers[1].p_memsz = 1000;
	assert_false(hpt_elf_object_has(&info, base() + 15));
	assert_true(hpt_elf_object_has(&info, base() + 16));
	assert_true(hpt_elf_object_has(&info, base() + 47));
	assert_false(hpt_elf_object_has(&info, base() + 48));
}

/* ---- This process ------------------------------------------------------------------------------------------------ */

/* The object is looked up in alone: others have functions of these names, as a sanitizer's runtime. */
static int check_object(struct dl_phdr_info *of, size_t size, void *count)
{
	static const char *const names[] = {
		"nanosleep", "clock_nanosleep", "usleep", "sleep", "select", "pselect", "poll", "ppoll", "malloc",
		"clock_gettime", "memcpy", "time", "getpid", "pthread_create", "no_such_function",
	};
	struct hpt_elf_object o;
	void *handle;

	(void)size;
	if (!hpt_elf_object_take(of, &o) || strncmp(o.soname, "libc.so.", 8))
		return 0;
	handle = dlopen(o.soname, RTLD_LAZY | RTLD_NOLOAD);
	assert_non_null(handle);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct hpt_elf_object by_hash = o;
		void *wanted = dlsym(handle, names[i]);

		assert_ptr_equal(hpt_elf_object_find(&o, names[i]), wanted);
		by_hash.gnu_hash = NULL;
		if (o.hash)
			assert_ptr_equal(hpt_elf_object_find(&by_hash, names[i]), wanted);
	}
	dlclose(handle);
	++*(int *)count;
	return 0;
}

static void functions_of_the_c_library_are_those_of_dlsym(void **state)
{
	int n = 0;

	(void)state;
	dl_iterate_phdr(check_object, &n);
#ifdef __GLIBC__
	assert_int_equal(n, 1);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(functions_are_found_by_their_names, set_up),
		cmocka_unit_test_setup(what_an_object_needs_is_not_its_own, set_up),
		cmocka_unit_test_setup(versions_of_others_are_for_others, set_up),
		cmocka_unit_test_setup(the_default_version_is_preferred, set_up),
		cmocka_unit_test_setup(without_tables_of_versions_there_are_none, set_up),
		cmocka_unit_test_setup(a_resolver_is_asked, set_up),
		cmocka_unit_test_setup(an_object_has_a_name_or_none, set_up),
		cmocka_unit_test_setup(each_table_is_needed, set_up),
		cmocka_unit_test_setup(addresses_may_be_relative, set_up),
		cmocka_unit_test_setup(addresses_elsewhere_are_refused, set_up),
		cmocka_unit_test_setup(an_object_has_its_segments, set_up),
		cmocka_unit_test(functions_of_the_c_library_are_those_of_dlsym),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
