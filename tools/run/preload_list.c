// SPDX-License-Identifier: MIT
/* Composes the value of LD_PRELOAD: tools/run/preload_list.h. */
#include "run/preload_list.h"

#include <stddef.h>
#include <string.h>

#include "cli/util.h"

/* As ld.so splits its value. */
#define SEPARATORS " :"

bool preload_list_can_have(const char *path)
{
	return *path && !strpbrk(path, SEPARATORS);
}

static bool has(const char *list, const char *path)
{
	size_t n = strlen(path);

	while (*list) {
		size_t len = strcspn(list, SEPARATORS);

		if (len == n && !memcmp(list, path, n))
			return true;
		list += len + (list[len] != '\0');
	}
	return false;
}

char *preload_list_new(const char *existing, const char *path)
{
	existing = existing ? existing : "";
	path = has(existing, path) ? "" : path;
	return xasprintf("%s%s%s", existing, *existing && *path ? ":" : "", path);
}
