// SPDX-License-Identifier: MIT
/*
 * Perfetto's protobuf: a Trace is packets, of which each event is one. Numbers of fields and values are those of
 * protos/perfetto/trace/perfetto_trace.proto. A clock of the trace has neither ticks nor a rate: times are nanoseconds
 * of a clock of the kernel, and a snapshot has what two clocks show at one moment, each 10 ms. A trace that has neither
 * is on the viewer's own line, which is what Perfetto's manifest makes of it.
 */
#include <errno.h>
#include <stdlib.h>

#include "math/units.h"
#include "trace/encoder.h"
#include "trace/proto.h"
#include "trace/tracks.h"

#define SNAPSHOT_NS (10 * NS_PER_MS)

/* Fields. */
enum { TRACE_PACKET = 1 };
enum {
	PACKET_CLOCK_SNAPSHOT = 6, PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_TRACK_EVENT = 11,
	PACKET_CLOCK_ID = 58, PACKET_TRACK_DESCRIPTOR = 60,
};
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { EVENT_ANNOTATIONS = 4, EVENT_TYPE = 9, EVENT_TRACK_UUID = 11, EVENT_NAME = 23 };
enum { ANNOTATION_INT = 4, ANNOTATION_NAME = 10 };
enum { TRACK_UUID = 1, TRACK_PROCESS = 3, TRACK_THREAD = 4 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

/* TrackEvent.Type by the kind of event. */
static const uint64_t types[] = { [EVENT_BEGIN] = 1, [EVENT_END] = 2, [EVENT_INSTANT] = 3 };

/* BuiltinClock, which has no TAI. */
static const uint64_t clock_ids[] = {
	[EVENT_REALTIME] = 1, [EVENT_MONOTONIC] = 3, [EVENT_RAW] = 5, [EVENT_BOOTTIME] = 6,
};

/* Bytes of a name: a longer one, which no line of a trace has, is cut, so that the messages around it stay whole. */
#define NAME_MOST (UTF8_GROWTH * LINES_MOST)

struct perfetto {
	const struct about *about;
	struct sink *sink;
	int64_t snapshot_ns;            /* of the last snapshot */
	bool has_snapshot;
	struct tracks tracks;           /* that were described */
	struct proto packet, part, inner;
};

static struct proto *cleared(struct proto *p)
{
	p->n = 0;
	return p;
}

static void write_packet(struct perfetto *p)
{
	uint8_t head[PROTO_HEAD_BYTES];

	sink_bytes(p->sink, head, proto_head(TRACE_PACKET, p->packet.n, head));
	sink_bytes(p->sink, p->packet.bytes, p->packet.n);
}

static void add_name(struct proto *to, uint32_t field, const char *name, size_t n)
{
	if (n > NAME_MOST)
		for (n = NAME_MOST; ((unsigned char)name[n] & 0xc0) == 0x80;) /* within a character */
			n--;
	proto_bytes(to, field, name, n);
}

static void add_clock(struct perfetto *p, enum event_clock clock, int64_t ns)
{
	struct proto *inner = cleared(&p->inner);

	proto_varint(inner, CLOCK_ID, clock_ids[clock]);
	proto_varint(inner, CLOCK_TIMESTAMP, (uint64_t)ns);
	proto_message(&p->part, SNAPSHOT_CLOCKS, inner);
}

static void write_snapshot(struct perfetto *p, int64_t ns, int64_t unix_ns)
{
	cleared(&p->part);
	add_clock(p, p->about->clock, ns);
	if (p->about->has_unix && p->about->clock != EVENT_REALTIME)
		add_clock(p, EVENT_REALTIME, unix_ns);
	proto_varint(&p->part, SNAPSHOT_PRIMARY, clock_ids[p->about->clock]);
	cleared(&p->packet);
	proto_varint(&p->packet, PACKET_SEQUENCE, 1);
	proto_message(&p->packet, PACKET_CLOCK_SNAPSHOT, &p->part);
	write_packet(p);
}

/* Perfetto takes a process number of 0 for the kernel's idle one: ours begin with 1. */
static void describe(struct perfetto *p, const struct event *e)
{
	const char *name = e->process < p->about->n_processes ? p->about->processes[e->process] : "";

	cleared(&p->packet);
	cleared(&p->part);
	proto_varint(&p->part, TRACK_UUID, tracks_id(e));
	cleared(&p->inner);
	proto_varint(&p->inner, THREAD_PID, e->process + UINT64_C(1));
	proto_varint(&p->inner, THREAD_TID, e->track);
	if (e->thread)
		add_name(&p->inner, THREAD_NAME, e->thread, e->thread_length);
	proto_message(&p->part, TRACK_THREAD, &p->inner);
	cleared(&p->inner);
	proto_varint(&p->inner, PROCESS_PID, e->process + UINT64_C(1));
	add_name(&p->inner, PROCESS_NAME, name, strlen(name));
	proto_message(&p->part, TRACK_PROCESS, &p->inner);
	proto_varint(&p->packet, PACKET_SEQUENCE, 1);
	proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
	write_packet(p);
}

static void annotate(struct perfetto *p, const char *name, int64_t value)
{
	cleared(&p->inner);
	proto_varint(&p->inner, ANNOTATION_INT, (uint64_t)value);
	proto_bytes(&p->inner, ANNOTATION_NAME, name, strlen(name));
	proto_message(&p->part, EVENT_ANNOTATIONS, &p->inner);
}

static void write_event(struct perfetto *p, const struct event *e)
{
	cleared(&p->part);
	if (e->error_ns != EVENT_ERROR_UNKNOWN)
		annotate(p, "error_ns", e->error_ns);
	if (p->about->has_stamp)
		annotate(p, "ticks", e->stamp);
	proto_varint(&p->part, EVENT_TYPE, types[e->kind]);
	proto_varint(&p->part, EVENT_TRACK_UUID, tracks_id(e));
	if (e->kind != EVENT_END)
		add_name(&p->part, EVENT_NAME, e->name, e->name_length);
	cleared(&p->packet);
	proto_varint(&p->packet, PACKET_TIMESTAMP, (uint64_t)e->ns);
	proto_varint(&p->packet, PACKET_SEQUENCE, 1);
	if (!p->about->is_viewers_line)
		proto_varint(&p->packet, PACKET_CLOCK_ID, clock_ids[p->about->clock]);
	proto_message(&p->packet, PACKET_TRACK_EVENT, &p->part);
	write_packet(p);
}

/*
 * Readers refuse one that is earlier than the one before; one clock alone has nothing more to say. Several files on the
 * viewer's line have none: Perfetto 58 takes the clocks of a file with snapshots for others than those of the file
 * before it, even of one machine, and leaves out the events of clocks that nothing joins to the line (ClockTracker's
 * AddSnapshot() and BridgeToTraceTime(), which joins CLOCK_BOOTTIME alone).
 */
static bool is_snapshot_due(const struct perfetto *p, int64_t ns)
{
	bool has_two = p->about->has_unix && p->about->clock != EVENT_REALTIME;

	if (p->about->is_viewers_line)
		return false;
	return !p->has_snapshot || (has_two && ns > p->snapshot_ns && ns - p->snapshot_ns >= SNAPSHOT_NS);
}

static void *begin(const struct about *about, struct sink *sink, int folder)
{
	struct perfetto *p = calloc(1, sizeof(*p));

	(void)folder;
	if (!p)
		return NULL;
	p->about = about;
	p->sink = sink;
	return p;
}

static void put(void *state, const struct event *events, size_t n)
{
	struct perfetto *p = state;

	for (size_t i = 0; i < n; i++) {
		if (is_snapshot_due(p, events[i].ns)) {
			write_snapshot(p, events[i].ns, events[i].unix_ns);
			p->snapshot_ns = events[i].ns;
			p->has_snapshot = true;
		}
		if (tracks_is_new(&p->tracks, &events[i]))
			describe(p, &events[i]);
		write_event(p, &events[i]);
	}
}

static int end(void *state)
{
	free(state);
	return 0;
}

const struct encoder encoder_perfetto = {
	.name = "perfetto", .lacks_tai = true, .begin = begin, .put = put, .end = end,
};
