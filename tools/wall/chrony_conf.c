// SPDX-License-Identifier: MIT
/* Reads chrony.conf as chronyd does, conf.c of its sources: tools/wall/chrony_conf.h. */
#include "wall/chrony_conf.h"

#include <arpa/inet.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/file_read.h"
#include "machine/lines.h"

#define BLANKS " \t\v\f\r\n"

#define FILES_MOST 64

/* MAX_INCLUDE_LEVEL. */
#define DEPTH_MOST 10

/* MAX_LINE_LENGTH is 2048; chronyd does not start with a longer line. */
#define LINE_MOST 4096

const char *chrony_conf_path(const char *address)
{
	static const char debian[] = "/etc/chrony/chrony.conf", others[] = "/etc/chrony.conf";

	if (*address != '/' && strncmp(address, "127.", 4) && strncmp(address, "[::1]:", 6))
		return NULL;
	return access(debian, F_OK) ? others : debian;
}

/* ---- A directive ------------------------------------------------------------------------------------------------- */

void chrony_conf_begin(struct chrony_conf *ret, const char *path)
{
	*ret = (struct chrony_conf){ .path = path, .cmdport = 323, .maxclockerror_ppb = 1000 };
}

static void take_port(const char *value, int64_t *ret)
{
	char *end;
	long port = strtol(value, &end, 10);

	if (end != value && port >= 0 && port <= 65535)
		*ret = port;
}

static void take_ppm(const char *value, int64_t *ret_ppb)
{
	char *end;
	double ppm = strtod(value, &end);

	if (end != value && ppm >= 0 && ppm < 1e6)
		*ret_ppb = (int64_t)(ppm * 1000);
}

/* One of IPv6 and the path of the socket have places of their own. */
static void take_bind(struct chrony_conf *c, const char *value)
{
	struct in_addr ip;

	if (inet_pton(AF_INET, value, &ip) == 1)
		snprintf(c->bindcmdaddress, sizeof(c->bindcmdaddress), "%s", value);
}

static void take_setting(struct chrony_conf *c, const char *name, const char *value)
{
	if (!strcasecmp(name, "cmdport"))
		take_port(value, &c->cmdport);
	else if (!strcasecmp(name, "bindcmdaddress"))
		take_bind(c, value);
	else if (!strcasecmp(name, "maxclockerror"))
		take_ppm(value, &c->maxclockerror_ppb);
	else if (!strcasecmp(name, "allow"))
		c->has_allow = true;
	else if (!strcasecmp(name, "smoothtime"))
		c->has_smoothtime = true;
	else if (!strcasecmp(name, "leapsectz") || !strcasecmp(name, "leapseclist"))
		c->has_leap_table = true;
}

/* Cuts off the next word; "": there is no more. */
static char *cut_word(char **rest)
{
	char *word = *rest + strspn(*rest, BLANKS), *end = word + strcspn(word, BLANKS);

	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* The first word of a comment is no directive. */
void chrony_conf_take(struct chrony_conf *c, char *line)
{
	char *name = cut_word(&line);

	take_setting(c, name, cut_word(&line));
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* For "%s%s": chronyd is started in the root folder, and so relative paths begin there. */
#define ROOTED(path) (*(path) == '/' ? "" : "/"), (path)

/* The words of a line, each with a "/" more at most. */
#define EARLIER_MOST (2 * LINE_MOST)

struct reading {
	struct chrony_conf *conf;
	int files_left, patterns_left;
};

static void read_file(struct reading *r, const char *path, int depth);

/* chronyd ignores a folder that is not there. One that this user may not read counts as not read. */
static int is_denied(const char *path, int error)
{
	(void)path;
	return error == EACCES;
}

/* A file of confdir's, where one of an earlier folder with the same name takes its place. */
static bool is_replaced(const char *path, const char *earlier)
{
	char words[EARLIER_MOST], other[EARLIER_MOST + LINE_MOST], *rest = words, *first;

	snprintf(words, sizeof(words), "%s", earlier);
	while (*(first = cut_word(&rest))) {
		snprintf(other, sizeof(other), "%s/%s", first, strrchr(path, '/') + 1);
		if (!access(other, F_OK))
			return true;
	}
	return false;
}

/* earlier: folders whose files take the place of those of the same name; "": none. */
static void read_matching(struct reading *r, const char *pattern, const char *earlier, int depth)
{
	glob_t found;
	int failed;

	if (!r->patterns_left) {
		r->conf->is_whole = false;
		return;
	}
	r->patterns_left--;
	failed = glob(pattern, 0, is_denied, &found);
	if (failed && failed != GLOB_NOMATCH)
		r->conf->is_whole = false;
	for (size_t i = 0; !failed && i < found.gl_pathc; i++)
		if (!is_replaced(found.gl_pathv[i], earlier))
			read_file(r, found.gl_pathv[i], depth);
	globfree(&found);
}

static void read_include(struct reading *r, const char *path, int depth)
{
	char pattern[LINE_MOST + 1];

	snprintf(pattern, sizeof(pattern), "%s%s", ROOTED(path));
	read_matching(r, pattern, "", depth);
}

static void read_folders(struct reading *r, char *folders, int depth)
{
	char pattern[LINE_MOST + 16], earlier[EARLIER_MOST] = "", *rest = folders, *folder;
	size_t length = 0;

	while (*(folder = cut_word(&rest))) {
		snprintf(pattern, sizeof(pattern), "%s%s/*.conf", ROOTED(folder));
		read_matching(r, pattern, earlier, depth);
		length += (size_t)snprintf(earlier + length, sizeof(earlier) - length, "%s%s ", ROOTED(folder));
	}
}

/* Files of sourcedir name servers alone, of which chronyd itself reports. */
static void read_line(struct reading *r, char *line, int depth)
{
	char copy[LINE_MOST], *rest = copy, *name;

	snprintf(copy, sizeof(copy), "%s", line);
	name = cut_word(&rest);
	if (!strcasecmp(name, "include"))
		read_include(r, cut_word(&rest), depth + 1);
	else if (!strcasecmp(name, "confdir"))
		read_folders(r, rest, depth + 1);
	else
		chrony_conf_take(r->conf, line);
}

/* NULL: nothing is. A folder and a FIFO say nothing. */
static const char *why_not_read(int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return strerror(errno);
	return S_ISREG(st.st_mode) ? NULL : "Not a file";
}

static void read_file(struct reading *r, const char *path, int depth)
{
	static const struct hpt_env files = { .open = hpt_path_open };
	char buf[LINE_MOST], *line;
	struct hpt_lines lines;
	const char *wrong;

	if (depth > DEPTH_MOST || !r->files_left) {
		r->conf->is_whole = false;
		return;
	}
	r->files_left--;
	r->conf->has_included |= depth > 0;
	hpt_lines_open(&lines, &files, path, buf, sizeof(buf));
	wrong = why_not_read(lines.fd);
	r->conf->is_whole &= !wrong;
	if (!depth)
		r->conf->wrong = wrong;
	while ((line = hpt_lines_next(&lines)))
		read_line(r, line, depth);
	if (!lines.left)
		r->conf->is_whole = false;
	hpt_lines_close(&lines);
}

void chrony_conf_read(struct chrony_conf *c)
{
	struct reading r = { .conf = c, .files_left = FILES_MOST, .patterns_left = FILES_MOST };

	c->is_whole = true;
	read_file(&r, c->path, 0);
}
