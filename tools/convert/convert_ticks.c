// SPDX-License-Identifier: MIT
/* Converts the ticks of a trace by its time bases: tools/convert/convert_ticks.h. */
#include "convert/convert_ticks.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"

#include "math/civil.h"
#include "cli/err.h"
#include "cli/out.h"
#include "cli/parse.h"
#include "cli/timebases.h"

#define SHOWN      40   /* bytes of a wrong line that a message has */
#define LINE_BYTES 4096 /* of the longest line; /dev/zero has no line end */

struct job {
	const char *what, *path;
	int form;
	struct timebases bases;
	uintmax_t lines, stale, first_stale; /* read; of no generation; the number of the first such line */
};

static int64_t convert(const struct timebases_pair *p, int line, int64_t tick)
{
	int64_t ns = 0;
	int r = line == HPT_TIMEBASE_NS ? hpt_timebase_to_ns(p->first, p->last, &tick, &ns, 1) :
					  hpt_timebase_to_unix_ns(p->first, p->last, &tick, &ns, 1);

	assert(!r); /* timebases_find() gives time bases that belong together */
	(void)r;
	return ns;
}

static void add_line(json_t *o, const struct timebases_pair *p, int line, int64_t tick, const char *key,
		     const char *error_key)
{
	out_json_sint(o, key, convert(p, line, tick));
	out_json_sint(o, error_key, hpt_timebase_error_ns(p->first_fields, p->last_fields, line, tick));
}

/* pair NULL: the tick is of no generation. */
static void print_json(int64_t tick, const struct timebases_pair *pair)
{
	static const char *const keys[] = { "ns", "error_ns", "unix_ns", "unix_error_ns", "utc", "generation" };
	char text[HPT_TIME_FORMAT_SIZE];
	json_t *o = out_json_new();

	out_json_sint(o, "ticks", tick);
	for (size_t i = 0; !pair && i < sizeof(keys) / sizeof(keys[0]); i++)
		out_json_add(o, keys[i], json_null());
	if (pair) {
		add_line(o, pair, HPT_TIMEBASE_NS, tick, keys[0], keys[1]);
		add_line(o, pair, HPT_TIMEBASE_UNIX, tick, keys[2], keys[3]);
		hpt_civil_format(convert(pair, HPT_TIMEBASE_UNIX, tick), text);
		out_json_text(o, keys[4], text);
		out_json_int(o, keys[5], pair->first_fields->generation);
	}
	out_json_print(o);
}

static void print_text(int form, int64_t tick, const struct timebases_pair *pair)
{
	char text[HPT_TIME_FORMAT_SIZE];

	if (!pair) {
		puts("-");
		return;
	}
	if (form != CONVERT_UTC) {
		printf("%" PRId64 "\n",
		       convert(pair, form == CONVERT_NS ? HPT_TIMEBASE_NS : HPT_TIMEBASE_UNIX, tick));
		return;
	}
	hpt_civil_format(convert(pair, HPT_TIMEBASE_UNIX, tick), text);
	puts(text);
}

/* text has length bytes, with the line end if there is one. */
static bool convert_line(struct job *job, char *text, size_t length)
{
	struct timebases_pair pair;
	bool is_known, is_whole = length < LINE_BYTES;
	int64_t tick;

	job->lines++;
	if (text[length - 1] == '\n')
		text[--length] = '\0';
	if (!is_whole || strlen(text) != length || parse_number(text, 0, "", &tick)) {
		err_print("%s: line %ju: '%.*s'%s is no number of ticks", job->what, job->lines, SHOWN, text,
			length > SHOWN ? "..." : "");
		return false;
	}
	is_known = timebases_find(&job->bases, tick, &pair);
	if (!is_known && !job->stale++)
		job->first_stale = job->lines;
	if (job->form == CONVERT_JSON)
		print_json(tick, is_known ? &pair : NULL);
	else
		print_text(job->form, tick, is_known ? &pair : NULL);
	return true;
}

/* Returns the number of bytes, with the line end: 0 at the end of the input. */
static size_t read_line(char *text)
{
	size_t n = 0;
	int c = 0;

	while (n < LINE_BYTES && c != '\n' && (c = getc_unlocked(stdin)) != EOF)
		text[n++] = (char)c;
	text[n] = '\0';
	return n;
}

static int convert_all(struct job *job)
{
	static char text[LINE_BYTES + 1];
	bool is_good = true;
	size_t n;

	while (is_good && !ferror(stdout) && (n = read_line(text)) > 0)
		is_good = convert_line(job, text, n);
	if (is_good && ferror(stdin)) {
		err_print("%s: standard input: %s", job->what, strerror(errno));
		is_good = false;
	}
	if (is_good && job->stale)
		err_print("%s: %ju of %ju ticks, the first on line %ju, are in no generation of %s, or in two",
			job->what, job->stale, job->lines, job->first_stale, job->path);
	return is_good && !job->stale ? EXIT_SUCCESS : EXIT_FAILURE;
}

int convert_ticks(const char *what, const char *path, int form)
{
	struct job job = { .what = what, .path = path, .form = form };
	int status;

	if (!timebases_read(what, path, &job.bases))
		return EXIT_FAILURE;
	status = convert_all(&job);
	if (job.bases.is_cut)
		status = EXIT_FAILURE;
	timebases_free(&job.bases);
	return status;
}
