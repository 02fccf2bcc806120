// SPDX-License-Identifier: MIT
/*
 * Finds the process's control groups and their quotas: lib/machine/quota.h.
 *
 * /proc/self/cgroup has a line "ID:CONTROLLERS:PATH" for each hierarchy; no controllers: version 2.
 * /proc/self/mountinfo (Linux's Documentation/filesystems/proc.rst, section 3.5) says which part of a hierarchy is
 * mounted where. Both paths are as the process's namespace shows them: a group outside of it has a path that begins
 * with "/..".
 */
#include "machine/quota.h"

#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "machine/lines.h"

#define PATH_SIZE 4096  /* PATH_MAX */
#define LINE_SIZE 16384 /* two paths of some length, in which an escaped byte takes four */

/* Files that are opened at most, so that many mounts of a deep hierarchy take no longer than some milliseconds. */
#define QUOTA_LOOKS 1000

/* The kernel's own are below: MAX_BW of its kernel/sched/sched.h. */
#define TIME_MAX_US (UINT64_C(1) << 44)

/* In memory of its own: a thread's stack, or a signal handler's, may be too small. */
struct search {
	const struct hpt_env *env;
	char path[2][PATH_SIZE]; /* the process's group in the hierarchy of version 1, 2; empty: not known */
	char folder[2 * PATH_SIZE];
	char line[LINE_SIZE];
	uint32_t least;          /* thousandths of a CPU; 0: no quota was found */
	uint32_t looks;
};

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

/* Reads digits and moves *text after them. False: no digits, or a larger number than the kernel's. */
static COLD bool take_decimal(const char **text, uint64_t *ret)
{
	const char *c = *text;
	uint64_t n = 0;

	for (; *c >= '0' && *c <= '9' && n < TIME_MAX_US; c++)
		n = n * 10 + (uint64_t)(*c - '0');
	if (c == *text || n >= TIME_MAX_US)
		return false;
	*text = c;
	*ret = n;
	return true;
}

/* True if nothing but the line's end follows. */
static bool is_end(const char *text)
{
	return !*text || !strcmp(text, "\n");
}

/* ---- A group's quota -------------------------------------------------------------------------------------- */

/* The text of a file of the group in s->folder, whose name is `length` long. False: unreadable, or too long. */
static COLD bool read_file(struct search *s, size_t length, const char *name, char *ret, size_t size)
{
	ssize_t n = -1;

	if (s->looks < QUOTA_LOOKS) {
		s->looks++;
		memcpy(s->folder + length, name, strlen(name) + 1);
		n = hpt_file_read(s->env, s->folder, ret, size);
		s->folder[length] = '\0';
	}
	if (n < 0 || (size_t)n >= size)
		return false;
	ret[n] = '\0';
	return true;
}

static COLD void note(struct search *s, uint64_t quota_us, uint64_t period_us)
{
	uint64_t millicpus;

	if (!quota_us || !period_us)
		return;
	millicpus = (quota_us * 1000 + period_us - 1) / period_us;
	if (millicpus > UINT32_MAX)
		millicpus = UINT32_MAX;
	if (!s->least || millicpus < s->least)
		s->least = (uint32_t)millicpus;
}

/* cpu.max: "QUOTA PERIOD" or "max PERIOD". */
static COLD void look_v2(struct search *s, size_t length)
{
	char text[64];
	const char *c = text;
	uint64_t quota_us, period_us;

	if (read_file(s, length, "/cpu.max", text, sizeof(text)) && take_decimal(&c, &quota_us) && *c++ == ' ' &&
	    take_decimal(&c, &period_us) && is_end(c))
		note(s, quota_us, period_us);
}

static COLD bool read_number(struct search *s, size_t length, const char *name, uint64_t *ret)
{
	char text[64];
	const char *c = text;

	return read_file(s, length, name, text, sizeof(text)) && take_decimal(&c, ret) && is_end(c);
}

/* Without a quota it reads "-1". */
static COLD void look_v1(struct search *s, size_t length)
{
	uint64_t quota_us, period_us;

	if (read_number(s, length, "/cpu.cfs_quota_us", &quota_us) &&
	    read_number(s, length, "/cpu.cfs_period_us", &period_us))
		note(s, quota_us, period_us);
}

/* Looks at the group and at those above it, up to the mount point. `below`: its path from there, "" or "/...". */
static COLD void look_along(struct search *s, int version, const char *mount_point, const char *below)
{
	size_t top = strlen(mount_point), length = top + strlen(below);

	if (length + sizeof("/cpu.cfs_period_us") > sizeof(s->folder))
		return;
	memcpy(s->folder, mount_point, top);
	memcpy(s->folder + top, below, length - top + 1);
	for (;;) {
		if (version == 2)
			look_v2(s, length);
		else
			look_v1(s, length);
		if (length <= top)
			return;
		while (length > top && s->folder[--length] != '/')
			;
		s->folder[length] = '\0';
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
static COLD void take_group(struct search *s, char *line)
{
	char *controllers = cut(line, ':'), *path = cut(controllers, ':');
	int version;

	if (!path || *path != '/' || strlen(path) >= PATH_SIZE)
		return;
	version = !*controllers ? 2 : has_word(controllers, "cpu") ? 1 : 0;
	if (version)
		memcpy(s->path[version - 1], path, strlen(path) + 1);
}

/* A line of /proc/self/mountinfo: "ID PARENT DEVICE ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS". */
static COLD void take_mount(struct search *s, char *line)
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
	version = !strcmp(type, "cgroup2") ? 2 : !strcmp(type, "cgroup") && has_word(options, "cpu") ? 1 : 0;
	if (!version || !s->path[version - 1][0])
		return;
	unescape(root);
	unescape(point);
	below = way_down(root, s->path[version - 1]);
	if (below)
		look_along(s, version, point, below);
}

static COLD void take_lines(struct search *s, const char *path, void (*take)(struct search *s, char *line))
{
	struct hpt_lines lines;
	char *line;

	hpt_lines_open(&lines, s->env, path, s->line, sizeof(s->line));
	while ((line = hpt_lines_next(&lines)))
		take(s, line);
	hpt_lines_close(&lines);
}

COLD uint32_t hpt_quota_millicpus(const struct hpt_env *env)
{
	struct search *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t least;

	if (s == MAP_FAILED)
		return 0;
	s->env = env;
	take_lines(s, "/proc/self/cgroup", take_group);
	take_lines(s, "/proc/self/mountinfo", take_mount);
	least = s->least;
	munmap(s, sizeof(*s));
	return least;
}
