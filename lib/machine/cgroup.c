// SPDX-License-Identifier: MIT
/*
 * Finds the process's control groups: lib/machine/cgroup.h.
 *
 * /proc/self/cgroup has a line "ID:CONTROLLERS:PATH" for each hierarchy; no controllers: version 2.
 * /proc/self/mountinfo (Linux's Documentation/filesystems/proc.rst, section 3.5) says which part of a hierarchy is
 * mounted where. Both paths are as the process's namespace shows them: a group outside of it has a path that begins
 * with "/..".
 */
#include "machine/cgroup.h"

#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "machine/lines.h"

/* ---- Text ------------------------------------------------------------------------------------------------- */

/* Cuts the text at the first `c`. The part after it; NULL: there is no `c`. */
static COLD char *cut(char *text, char c)
{
	char *at = text ? strchr(text, c) : NULL;

	if (!at)
		return NULL;
	*at = '\0';
	return at + 1;
}

/* True if a list with commas has the word. */
static COLD bool has_word(char *list, const char *word)
{
	while (list) {
		char *rest = cut(list, ',');

		if (!strcmp(list, word))
			return true;
		list = rest;
	}
	return false;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* In place: mountinfo writes blanks, newlines and backslashes as \ and three digits. */
static COLD void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && is_octal(text[1]) && is_octal(text[2]) && is_octal(text[3])) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* ---- Groups ------------------------------------------------------------------------------------------------ */

COLD bool hpt_cgroup_read(struct hpt_cgroups *g, const char *name, char *ret, size_t size)
{
	ssize_t n = -1;

	if (g->looks < HPT_CGROUP_LOOKS) {
		g->looks++;
		memcpy(g->folder + g->length, name, strlen(name) + 1);
		n = hpt_file_read(g->env, g->folder, ret, size);
		g->folder[g->length] = '\0';
	}
	if (n < 0 || (size_t)n >= size)
		return false;
	ret[n] = '\0';
	return true;
}

/* Looks at the group and at those above it, up to the mount point. `below`: its path from there, "" or "/...". */
static COLD void look_along(struct hpt_cgroups *g, int version, const char *mount_point, const char *below)
{
	size_t top = strlen(mount_point), length = top + strlen(below);

	if (length + HPT_CGROUP_NAME_SIZE > sizeof(g->folder))
		return;
	memcpy(g->folder, mount_point, top);
	memcpy(g->folder + top, below, length - top + 1);
	for (;;) {
		g->length = length;
		g->look(g, version);
		if (length <= top)
			return;
		while (length > top && g->folder[--length] != '/')
			;
		g->folder[length] = '\0';
	}
}

/* ---- Where the group is ----------------------------------------------------------------------------------- */

/* Moves after the "/.." with which a path begins. Returns their number. */
static COLD uint32_t take_ups(const char **path)
{
	uint32_t n = 0;

	while (!strncmp(*path, "/..", 3) && ((*path)[3] == '/' || !(*path)[3])) {
		*path += 3;
		n++;
	}
	return n;
}

/*
 * The way from a mounted group, the root of the mount, down to the process's: "" or "/...". NULL: that one is
 * elsewhere. Where the mounted one is above the namespace, the names between are not known, and it alone can be looked
 * at.
 */
static COLD const char *way_down(const char *root, const char *path)
{
	uint32_t root_ups = take_ups(&root), path_ups = take_ups(&path);
	size_t n;

	if (!strcmp(root, "/"))
		root++;
	if (!strcmp(path, "/"))
		path++;
	if (root_ups != path_ups)
		return root_ups > path_ups && !*root ? "" : NULL;
	n = strlen(root);
	return !strncmp(root, path, n) && (path[n] == '/' || !path[n]) ? path + n : NULL;
}

/* A line of /proc/self/cgroup. */
static COLD void take_group(struct hpt_cgroups *g, char *line)
{
	char *controllers = cut(line, ':'), *path = cut(controllers, ':');
	int version;

	if (!path || *path != '/' || strlen(path) >= HPT_CGROUP_PATH_SIZE)
		return;
	version = !*controllers ? 2 : has_word(controllers, g->controller) ? 1 : 0;
	if (version)
		memcpy(g->path[version - 1], path, strlen(path) + 1);
}

/* A line of /proc/self/mountinfo: "ID PARENT DEVICE ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS". */
static COLD void take_mount(struct hpt_cgroups *g, char *line)
{
	char *root = cut(cut(cut(line, ' '), ' '), ' '), *point = cut(root, ' '), *tag = cut(point, ' ');
	char *type, *options;
	const char *below;
	int version;

	while (tag && strncmp(tag, "- ", 2))
		tag = cut(tag, ' ');
	type = cut(tag, ' ');
	options = cut(cut(type, ' '), ' ');
	if (!options)
		return;
	version = !strcmp(type, "cgroup2") ? 2 : !strcmp(type, "cgroup") && has_word(options, g->controller) ? 1 : 0;
	if (!version || !g->path[version - 1][0])
		return;
	unescape(root);
	unescape(point);
	below = way_down(root, g->path[version - 1]);
	if (below)
		look_along(g, version, point, below);
}

static COLD void take_lines(struct hpt_cgroups *g, const char *path, void (*take)(struct hpt_cgroups *g, char *line))
{
	struct hpt_lines lines;
	char *line;

	hpt_lines_open(&lines, g->env, path, g->line, sizeof(g->line));
	while ((line = hpt_lines_next(&lines)))
		take(g, line);
	hpt_lines_close(&lines);
}

COLD void hpt_cgroup_each(struct hpt_cgroups *g)
{
	take_lines(g, "/proc/self/cgroup", take_group);
	take_lines(g, "/proc/self/mountinfo", take_mount);
}
