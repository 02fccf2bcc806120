// SPDX-License-Identifier: MIT
/* Files below a folder of their own, which becomes the fake machine's sysfs. */
#include "fake_uio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_env.h"

static char root[64], paths[64][160];
static size_t n_paths;

static const char *path_of(const char *rest)
{
	char *path = paths[n_paths++];

	if (n_paths == sizeof(paths) / sizeof(paths[0]))
		abort();
	snprintf(path, sizeof(paths[0]), "%s%s", root, rest);
	return path;
}

static void make_folder(const char *rest)
{
	if (mkdir(path_of(rest), 0700))
		abort();
}

static void make_file(const char *folder, const char *name, const char *text)
{
	char rest[96];
	FILE *f;

	if (!text)
		return;
	snprintf(rest, sizeof(rest), "%s/%s", folder, name);
	f = fopen(path_of(rest), "w");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f))
		abort();
}

void fake_uio_remove(void)
{
	while (n_paths)
		remove(paths[--n_paths]);
	root[0] = '\0';
}

void fake_uio_add(uint32_t number, const char *name, const char *offset, const char *size)
{
	char folder[64];

	if (!root[0]) {
		strcpy(root, "/tmp/hpt-uio-XXXXXX");
		if (!mkdtemp(root) || atexit(fake_uio_remove))
			abort();
		path_of("");
		make_folder("/class");
		make_folder("/class/uio");
	}
	snprintf(folder, sizeof(folder), "/class/uio/uio%u", number);
	make_folder(folder);
	make_file(folder, "name", name);
	strcat(folder, "/maps");
	make_folder(folder);
	strcat(folder, "/map0");
	make_folder(folder);
	make_file(folder, "offset", offset);
	make_file(folder, "size", size);
	fake_env_place("/sys", root);
}
