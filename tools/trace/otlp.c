// SPDX-License-Identifier: MIT
/*
 * OpenTelemetry's JSON, as its file exporter writes it: an object a line. Slices are spans, and moments log records;
 * an end without a begin, or a begin without an end, is a log record too. Times are Unix times alone, 64-bit numbers
 * are text, and nothing in the format has an error: it is the attribute hpt.error_ns.
 */
#include <stdlib.h>

#include "trace/encoder.h"
#include "trace/slices.h"

/* Events of a line: what a reader has to take at once. */
#define CHUNK 256u

enum list { NONE, SPANS, LOGS };

/* After the last event of a process in a chunk. */
#define NO_MORE CHUNK

struct otlp {
	const struct about *about;
	struct sink *sink;
	struct slices open;
	enum list list;                 /* that the line has, which is being written */
	bool is_orphan[CHUNK];          /* ends of the chunk that have no begin */
	uint16_t next[CHUNK];           /* the next event of the same process */
	uint16_t firsts[CHUNK];         /* the first ones of the chunk's processes */
	size_t n_firsts;
	uint16_t *seen;                 /* of each process: its last event's number and 1; 0: none so far */
};

static void write_hex(struct sink *s, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		char pair[2] = { digits[bytes[i] >> 4], digits[bytes[i] & 15] };

		sink_bytes(s, pair, 2);
	}
}

static void write_id(struct sink *s, uint64_t id)
{
	uint8_t bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(id >> 8 * (7 - i));
	write_hex(s, bytes, sizeof(bytes));
}

static void write_key(struct sink *s, const char *key, bool is_first)
{
	sink_text(s, is_first ? "{\"key\":\"" : ",{\"key\":\"");
	sink_text(s, key);
}

static void write_int(struct sink *s, const char *key, int64_t value, bool is_first)
{
	write_key(s, key, is_first);
	sink_text(s, "\",\"value\":{\"intValue\":\"");
	sink_decimal(s, value);
	sink_text(s, "\"}}");
}

/* A span has its thread's name of the event that ends it. */
static void write_thread(struct otlp *o, const struct event *e)
{
	write_int(o->sink, "thread.id", e->track, true);
	if (!e->thread)
		return;
	write_key(o->sink, "thread.name", false);
	sink_text(o->sink, "\",\"value\":{\"stringValue\":\"");
	sink_json(o->sink, e->thread, e->thread_length);
	sink_text(o->sink, "\"}}");
}

static void write_attributes(struct otlp *o, const struct event *e, const struct event *end, int64_t error_ns)
{
	sink_text(o->sink, "\"attributes\":[");
	write_thread(o, end);
	if (error_ns != EVENT_ERROR_UNKNOWN)
		write_int(o->sink, "hpt.error_ns", error_ns, false);
	if (o->about->has_stamp)
		write_int(o->sink, "hpt.ticks", e->stamp, false);
}

static void write_resource(struct otlp *o, uint32_t process)
{
	const char *name = process < o->about->n_processes ? o->about->processes[process] : "unknown";

	sink_text(o->sink, "\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"");
	sink_json(o->sink, name, strlen(name));
	sink_text(o->sink, "\"}}]},");
}

/* Before each object of a list: begins the line, or goes on with it. */
static void next_object(struct otlp *o, enum list list, uint32_t process)
{
	if (o->list == list) {
		sink_text(o->sink, ",");
		return;
	}
	o->list = list;
	sink_text(o->sink, list == SPANS ? "{\"resourceSpans\":[{" : "{\"resourceLogs\":[{");
	write_resource(o, process);
	sink_text(o->sink, list == SPANS ? "\"scopeSpans\":[{\"scope\":{\"name\":\"hpt\"},\"spans\":[" :
					   "\"scopeLogs\":[{\"scope\":{\"name\":\"hpt\"},\"logRecords\":[");
}

static void end_line(struct otlp *o)
{
	if (o->list != NONE)
		sink_text(o->sink, "]}]}]}\n");
	o->list = NONE;
}

static void write_span(struct otlp *o, const struct slice *s, const struct event *end)
{
	const struct event *b = &s->begin;

	next_object(o, SPANS, b->process);
	sink_text(o->sink, "{\"traceId\":\"");
	write_hex(o->sink, o->about->id, sizeof(o->about->id));
	sink_text(o->sink, "\",\"spanId\":\"");
	write_id(o->sink, s->id);
	if (s->parent) {
		sink_text(o->sink, "\",\"parentSpanId\":\"");
		write_id(o->sink, s->parent);
	}
	sink_text(o->sink, "\",\"name\":\"");
	sink_json(o->sink, b->name, b->name_length);
	sink_text(o->sink, "\",\"kind\":1,\"startTimeUnixNano\":\""); /* 1: SPAN_KIND_INTERNAL */
	sink_decimal(o->sink, b->unix_ns);
	sink_text(o->sink, "\",\"endTimeUnixNano\":\"");
	sink_decimal(o->sink, end->unix_ns);
	sink_text(o->sink, "\",");
	write_attributes(o, b, end, b->unix_error_ns > end->unix_error_ns ? b->unix_error_ns : end->unix_error_ns);
	if (o->about->has_stamp)
		write_int(o->sink, "hpt.end_ticks", end->stamp, false);
	sink_text(o->sink, "]}");
}

static void write_log(struct otlp *o, const struct event *e)
{
	static const char *const kinds[] = { [EVENT_BEGIN] = "begin", [EVENT_END] = "end" };

	next_object(o, LOGS, e->process);
	sink_text(o->sink, "{\"timeUnixNano\":\"");
	sink_decimal(o->sink, e->unix_ns);
	sink_text(o->sink, "\",\"body\":{\"stringValue\":\"");
	sink_json(o->sink, e->name, e->name_length);
	sink_text(o->sink, "\"},");
	write_attributes(o, e, e, e->unix_error_ns);
	if (e->kind != EVENT_INSTANT) {
		write_key(o->sink, "hpt.kind", false);
		sink_text(o->sink, "\",\"value\":{\"stringValue\":\"");
		sink_text(o->sink, kinds[e->kind]);
		sink_text(o->sink, "\"}}");
	}
	sink_text(o->sink, "]}");
}

/* A line has events of one process, and a chunk few of many processes: it is looked through once. */
static void group(struct otlp *o, const struct event *events, size_t n)
{
	o->n_firsts = 0;
	for (size_t i = 0; i < n; i++) {
		uint16_t *seen = &o->seen[events[i].process];

		if (*seen)
			o->next[*seen - 1] = (uint16_t)i;
		else
			o->firsts[o->n_firsts++] = (uint16_t)i;
		*seen = (uint16_t)(i + 1);
		o->next[i] = NO_MORE;
	}
	for (size_t i = 0; i < o->n_firsts; i++)
		o->seen[events[o->firsts[i]].process] = 0;
}

static void put_spans(struct otlp *o, const struct event *events, size_t first)
{
	for (size_t i = first; i != NO_MORE; i = o->next[i]) {
		struct slice *s;

		if (events[i].kind == EVENT_BEGIN)
			slices_begin(&o->open, &events[i]);
		if (events[i].kind != EVENT_END)
			continue;
		s = slices_end(&o->open, &events[i]);
		o->is_orphan[i] = !s;
		if (s)
			write_span(o, s, &events[i]);
		free(s);
	}
	end_line(o);
}

static void put_logs(struct otlp *o, const struct event *events, size_t first)
{
	for (size_t i = first; i != NO_MORE; i = o->next[i])
		if (events[i].kind == EVENT_INSTANT || (events[i].kind == EVENT_END && o->is_orphan[i]))
			write_log(o, &events[i]);
	end_line(o);
}

static void *begin(const struct about *about, struct sink *sink, int folder)
{
	struct otlp *o = calloc(1, sizeof(*o));

	(void)folder;
	if (!o)
		return NULL;
	o->about = about;
	o->sink = sink;
	o->seen = calloc(about->n_processes, sizeof(*o->seen));
	if (o->seen)
		return o;
	free(o);
	return NULL;
}

static void put(void *state, const struct event *events, size_t n)
{
	struct otlp *o = state;

	for (size_t from = 0; from < n; from += CHUNK) {
		group(o, events + from, n - from < CHUNK ? n - from : CHUNK);
		for (size_t i = 0; i < o->n_firsts; i++) {
			put_spans(o, events + from, o->firsts[i]);
			put_logs(o, events + from, o->firsts[i]);
		}
	}
}

static int end(void *state)
{
	struct otlp *o = state;
	struct slice *s;

	while ((s = slices_left(&o->open))) {
		write_log(o, &s->begin);
		end_line(o);
		free(s);
	}
	free(o->seen);
	free(o);
	return 0;
}

const struct encoder encoder_otlp = { .name = "otlp", .needs_unix = true, .begin = begin, .put = put, .end = end };
