// SPDX-License-Identifier: MIT
/*
 * Chrome's JSON, of its Trace Event Format. Times are microseconds with three decimal places: the text is exact to the
 * nanosecond, but a reader's double has 53 bits, which at Unix time are a quarter of a microsecond.
 */
#include <stdlib.h>

#include "trace/encoder.h"
#include "trace/tracks.h"

struct chrome {
	const struct about *about;
	struct sink *sink;
	bool has_event;
	struct tracks tracks;           /* whose names were written */
};

static void next_object(struct chrome *c)
{
	sink_text(c->sink, c->has_event ? ",\n" : "\n");
	c->has_event = true;
}

static void name_processes(struct chrome *c)
{
	for (size_t i = 0; i < c->about->n_processes; i++) {
		next_object(c);
		sink_text(c->sink, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":");
		sink_decimal(c->sink, (int64_t)i + 1);
		sink_text(c->sink, ",\"args\":{\"name\":\"");
		sink_json(c->sink, c->about->processes[i], strlen(c->about->processes[i]));
		sink_text(c->sink, "\"}}");
	}
}

static void name_thread(struct chrome *c, const struct event *e)
{
	if (!e->thread || !tracks_is_new(&c->tracks, e))
		return;
	next_object(c);
	sink_text(c->sink, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":");
	sink_decimal(c->sink, (int64_t)e->process + 1);
	sink_text(c->sink, ",\"tid\":");
	sink_decimal(c->sink, e->track);
	sink_text(c->sink, ",\"args\":{\"name\":\"");
	sink_json(c->sink, e->thread, e->thread_length);
	sink_text(c->sink, "\"}}");
}

static void *begin(const struct about *about, struct sink *sink, int folder)
{
	struct chrome *c = calloc(1, sizeof(*c));

	(void)folder;
	if (!c)
		return NULL;
	c->about = about;
	c->sink = sink;
	sink_text(sink, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"");
	sink_text(sink, encoder_clock_name(about->clock));
	if (about->has_unix) {
		sink_text(sink, "\",\"first_ns\":\"");
		sink_decimal(sink, about->first_ns);
		sink_text(sink, "\",\"first_unix_ns\":\"");
		sink_decimal(sink, about->first_unix_ns);
	}
	sink_text(sink, "\"},\"traceEvents\":[");
	name_processes(c);
	return c;
}

static void write_args(struct chrome *c, const struct event *e)
{
	bool has_error = e->error_ns != EVENT_ERROR_UNKNOWN;

	sink_text(c->sink, ",\"args\":{");
	if (has_error) {
		sink_text(c->sink, "\"error_ns\":");
		sink_decimal(c->sink, e->error_ns);
	}
	/* As text, because a double does not have every tick. */
	if (c->about->has_stamp) {
		sink_text(c->sink, has_error ? ",\"ticks\":\"" : "\"ticks\":\"");
		sink_decimal(c->sink, e->stamp);
		sink_text(c->sink, "\"");
	}
	sink_text(c->sink, "}}");
}

static void write_event(struct chrome *c, const struct event *e)
{
	static const char *const phases[] = {
		[EVENT_INSTANT] = "\",\"ph\":\"i\",\"s\":\"t\",\"ts\":", [EVENT_BEGIN] = "\",\"ph\":\"B\",\"ts\":",
		[EVENT_END] = "\",\"ph\":\"E\",\"ts\":",
	};

	next_object(c);
	sink_text(c->sink, "{\"name\":\"");
	sink_json(c->sink, e->name, e->name_length);
	sink_text(c->sink, phases[e->kind]);
	sink_us(c->sink, e->ns);
	sink_text(c->sink, ",\"pid\":");
	sink_decimal(c->sink, (int64_t)e->process + 1);
	sink_text(c->sink, ",\"tid\":");
	sink_decimal(c->sink, e->track);
	write_args(c, e);
}

static void put(void *state, const struct event *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		name_thread(state, &events[i]);
		write_event(state, &events[i]);
	}
}

static int end(void *state)
{
	struct chrome *c = state;

	sink_text(c->sink, "\n]}\n");
	free(c);
	return 0;
}

const struct encoder encoder_chrome = { .name = "chrome", .begin = begin, .put = put, .end = end };
