// SPDX-License-Identifier: MIT
/* Opens a file, and reads what its wall stated before its events: tools/trace/merge_input.h. */
#include "trace/merge_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"
#include "math/units.h"

/* The last part of a path as UTF-8. */
static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *text = xcalloc(UTF8_GROWTH * strlen(name) + 1, 1);

	utf8_copy(text, name, strlen(name));
	return text;
}

/* Takes a line, if a wall stated it at a tick that has a time. */
static void take_wall(struct merge_input *in, char *text, size_t n, uintmax_t line)
{
	struct reading r = { 0 };
	struct event *e = &r.event;

	if (reader_lines.read(text, n, &r) != READER_WALL)
		return;
	placer_place(&in->placer, e, 1);
	if (e->is_placed)
		walls_add(&in->walls, &(struct walls_point){
			.generation = e->generation, .wall_generation = (uint64_t)r.wall_generation,
			.ns = e->ns, .error_ns = e->error_ns, .line = line,
			.earliest_ns = r.earliest_ns, .latest_ns = r.latest_ns });
	else if (!in->stale.n++)
		in->stale.first = line;
}

static void read_walls(struct merge_input *in)
{
	struct lines *l = xneed(malloc(sizeof(*l)));
	enum lines_state state;
	char *text;
	size_t n;

	lines_open(l, in->fd);
	while ((state = lines_next(l, &text, &n)) == LINES_WHOLE || state == LINES_LONG)
		if (state == LINES_WHOLE)
			take_wall(in, text, n, l->number);
	free(l);
}

/* Less than all of it: a clock that may stand still bounds nothing. */
static int64_t most_ppb(uint32_t rate_ppb, uint32_t source)
{
	int64_t ppb = source == HPT_SOURCE_OS ? rate_ppb + INT64_C(1) * WALLS_SLEW_OS_PPB : rate_ppb;

	return ppb < PPB ? ppb : PPB - 1;
}

/* The file is read twice, so that an event has the intervals before and after it. */
static bool settle(struct merge_input *in, const char *what, uint32_t rate_ppb)
{
	struct stat st;

	if (fstat(in->fd, &st) || !S_ISREG(st.st_mode)) {
		err_print("%s: %s: is no regular file, and merge reads each twice", what, in->path);
		return false;
	}
	in->walls.rate_ppb = most_ppb(rate_ppb, in->bases.fields[0].source);
	read_walls(in);
	walls_settle(&in->walls);
	if (!lseek(in->fd, 0, SEEK_SET))
		return true;
	err_print("%s: %s: %s", what, in->path, strerror(errno));
	return false;
}

bool merge_input_open(struct merge_input *in, const char *what, const char *path, uint32_t number, uint32_t rate_ppb)
{
	*in = (struct merge_input){ .path = path, .fd = open_input(path) };
	in->name = name_of(path);
	in->bases_path = xasprintf("%s.timebase", path);
	if (in->fd < 0)
		err_print("%s: %s: %s", what, path, strerror(errno));
	else if (timebases_read(what, in->bases_path, &in->bases) &&
		 placer_init(&in->placer, EVENT_TICKS, &in->bases) && settle(in, what, rate_ppb)) {
		in->source = source_new(in->fd, &reader_lines, &in->placer, number);
		in->source->walls = &in->walls;
		in->source->stale = in->stale;
		in->source->torn = (struct source_fault){ in->walls.n_contradictions, in->walls.first_contradiction };
		return true;
	}
	merge_input_close(in);
	return false;
}

void merge_input_close(struct merge_input *in)
{
	free(in->source);
	walls_free(&in->walls);
	timebases_free(&in->bases);
	free(in->name);
	free(in->bases_path);
	if (in->fd >= 0)
		close(in->fd);
}
