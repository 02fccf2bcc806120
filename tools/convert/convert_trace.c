// SPDX-License-Identifier: MIT
/* Reads, places and encodes the events of standard input: tools/convert/convert_trace.h. */
#include "convert/convert_trace.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"
#include "trace/output.h"
#include "trace/trace_source.h"
#include "trace/trace_bar.h"

static void set_about(const struct placer *p, struct about *ret)
{
	static const char *const names[] = { "hpt" };

	*ret = (struct about){
		.clock = p->clock, .has_unix = p->has_unix, .has_stamp = p->stamps == EVENT_TICKS,
		.n_processes = 1, .processes = names,
	};
	if (!p->bases)
		return;
	ret->first_ns = p->bases->fields[0].lines[HPT_TIMEBASE_NS].ns;
	ret->first_unix_ns = p->bases->fields[0].lines[HPT_TIMEBASE_UNIX].ns;
}

static void pump(const char *what, struct source *s, struct output *o)
{
	struct watch w;

	watch_start(&w, what, s->size);
	while (!output_is_lost(o) && source_fill(s)) {
		output_put(o, s->batch.events, s->batch.n);
		watch_show(&w, s->lines.bytes_read);
	}
	watch_end(&w);
}

static int convert(const char *what, const struct convert_trace *job, struct placer *p)
{
	struct source *s = source_new(STDIN_FILENO, job->from, p, 0);
	struct output *o = xcalloc(1, sizeof(*o));
	struct about about;
	bool is_good;

	s->takes_whole = job->is_clock_named || !job->from->whole_needs_clock;
	set_about(p, &about);
	is_good = output_begin(o, job->to, &about, what, job->output);
	if (is_good) {
		pump(what, s, o);
		is_good = output_end(o);
		is_good &= source_report(s, what, "standard input", job->timebase ? job->timebase : "");
	}
	free(o);
	free(s);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int convert_trace(const char *what, const struct convert_trace *job)
{
	struct timebases bases = { 0 };
	struct placer p;
	int status = EXIT_FAILURE;

	if (job->timebase && !timebases_read(what, job->timebase, &bases))
		return EXIT_FAILURE;
	if (!placer_init(&p, job->clock, job->timebase ? &bases : NULL)) {
		err_print("%s: %s: has no times of CLOCK_%s", what, job->timebase, encoder_clock_name(job->clock));
	} else {
		status = convert(what, job, &p);
		if (bases.is_cut)
			status = EXIT_FAILURE;
		placer_free(&p);
	}
	timebases_free(&bases);
	return status;
}
