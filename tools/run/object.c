// SPDX-License-Identifier: MIT
/* Finds libhpt-preload.so: tools/run/object.h. */
#include "run/object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/util.h"
#include "run/preload_list.h"

#define LIB "$LIB"

/*
 * Asks this process's own dynamic linker, which replaces $LIB, opens the file and looks at its header, but does not
 * load it: then it returns NULL without an error.
 */
static bool is_loadable(const char *path)
{
	void *object;

	dlerror();
	object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!object)
		return !dlerror();
	dlclose(object); /* the command itself runs under "hpt run" */
	return true;
}

static bool is_of_kind(const char *path, struct elf_kind kind)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct elf_facts facts;
	bool is_same = fd >= 0 && elf_facts_read(fd, &facts) && elf_kind_is_same(facts.kind, kind);

	if (fd >= 0)
		close(fd);
	return is_same;
}

/* @lib: the place of $LIB in the path. */
static bool has_kind_in(const char *path, const char *lib, const char *folder, struct elf_kind kind)
{
	char *whole = xasprintf("%.*s%s%s", (int)(lib - path), path, folder, lib + strlen(LIB));
	bool has = is_of_kind(whole, kind);

	free(whole);
	return has;
}

/* Another architecture's dynamic linker knows what it puts in place of $LIB: one of these in today's systems. */
static bool is_there_for(const char *path, struct elf_kind kind)
{
	static const char *const folders[] = {
		"lib", "lib32", "lib64", "libx32", "lib/i386-linux-gnu", "lib/x86_64-linux-gnu",
		"lib/x86_64-linux-gnux32", "lib/arm-linux-gnueabihf", "lib/aarch64-linux-gnu",
	};
	const char *lib = strstr(path, LIB);

	for (size_t i = 0; lib && i < sizeof(folders) / sizeof(folders[0]); i++)
		if (has_kind_in(path, lib, folders[i], kind))
			return true;
	return false;
}

/* With $LIB, by which programs of other kinds find theirs, unless the object is where $LIB does not lead to. */
static const char *plain_path(void)
{
	const char *chosen = secure_getenv("HPT_PRELOAD");

	if (chosen && *chosen)
		return chosen;
	return is_loadable(HPT_RUN_OBJECT_LIB) ? HPT_RUN_OBJECT_LIB : HPT_RUN_OBJECT;
}

/* The one with the hook of clocks is in the same folder. */
static char *path_of(bool has_fine_coarse)
{
	const char *plain = plain_path(), *slash = strrchr(plain, '/');

	if (!has_fine_coarse)
		return xasprintf("%s", plain);
	return xasprintf("%.*s%s", slash ? (int)(slash + 1 - plain) : 0, plain, "libhpt-preload-coarse.so");
}

struct object object_find(struct elf_kind kind, bool has_fine_coarse)
{
	char *path = path_of(has_fine_coarse);

	if (!preload_list_can_have(path))
		return (struct object){ OBJECT_UNWRITABLE, path };
	if (!elf_kind_is_same(kind, elf_kind_own()))
		return (struct object){ is_there_for(path, kind) ? OBJECT_FOUND : OBJECT_OTHER, path };
	return (struct object){ is_loadable(path) ? OBJECT_FOUND : OBJECT_MISSING, path };
}
