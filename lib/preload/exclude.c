// SPDX-License-Identifier: MIT
/* Programs that are left alone: lib/preload/exclude.h. */
#include "preload/exclude.h"

#include <stddef.h>
#include <string.h>

bool hpt_exclude_has(const char *list, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
	size_t n = name ? strlen(name) : 0;

	while (n && list && *list) {
		size_t length = strcspn(list, ":");

		if (length == n && !strncmp(list, name, n))
			return true;
		list += length + (list[length] == ':');
	}
	return false;
}
