// SPDX-License-Identifier: MIT
/*
 * The Common Trace Format 1.8, https://diamon.org/ctf/v1.8.3: a folder of a file metadata and streams of packets.
 * A clock of CTF has a rate of whole hertz, one for the whole trace: half a hertz of 2 GHz is 0.25 ns a second, so that
 * ticks alone would be off by a nanosecond after some seconds. The clock counts nanoseconds, and each event has its
 * ticks as a field. Times of a stream may not go back: a packet is sorted, and one that begins before the end of the
 * last goes to another stream. There are as many as that takes, of which one is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/ctf_metadata.h"
#include "trace/encoder.h"
#include "cli/util.h"

#define PACKET_EVENTS 4096u

/* How much a packet may have, but for one event's name. */
#define PACKET_BYTES (1u << 18)

struct stream {
	int64_t end_ns;                 /* of its last packet */
};

struct kept {
	struct event event;
	size_t name;                    /* its place among the names */
	size_t order;                   /* so that equal times keep theirs */
};

struct ctf {
	const struct about *about;
	struct sink *shown;             /* no byte goes there: its error says that all is lost */
	int folder, error;
	struct stream *streams;
	size_t n_streams, room;
	bool is_open;
	size_t open;                    /* the number of the stream that sink writes to */
	struct sink sink;
	struct kept kept[PACKET_EVENTS];
	size_t n;
	char *names;
	size_t names_used, names_room;
};

/* ---- Numbers, little-endian as the metadata has them ------------------------------------------------------- */

static void put_number(struct sink *s, uint64_t value, int bytes)
{
	uint8_t le[8];

	for (int i = 0; i < bytes; i++)
		le[i] = (uint8_t)(value >> 8 * i);
	sink_bytes(s, le, (size_t)bytes);
}

/* ---- Packets ------------------------------------------------------------------------------------------------ */

static size_t event_bytes(const struct event *e)
{
	return CTF_EVENT_BYTES + e->name_length + 1;
}

static void write_head(struct ctf *c)
{
	struct sink *s = &c->sink;
	uint64_t bytes = CTF_PACKET_HEAD_BYTES;

	for (size_t i = 0; i < c->n; i++)
		bytes += event_bytes(&c->kept[i].event);
	put_number(s, CTF_MAGIC, 4);
	sink_bytes(s, c->about->id, sizeof(c->about->id));
	put_number(s, (uint64_t)c->kept[0].event.ns, 8);
	put_number(s, (uint64_t)c->kept[c->n - 1].event.ns, 8);
	put_number(s, bytes * 8, 8);
	put_number(s, bytes * 8, 8);
}

static void write_event(struct ctf *c, const struct kept *k)
{
	struct sink *s = &c->sink;
	const struct event *e = &k->event;

	put_number(s, e->kind, 1);
	put_number(s, (uint64_t)e->ns, 8);
	put_number(s, (uint64_t)(e->error_ns == EVENT_ERROR_UNKNOWN ? -1 : e->error_ns), 8);
	put_number(s, (uint64_t)(c->about->has_stamp ? e->stamp : -1), 8);
	put_number(s, e->process, 4);
	put_number(s, e->track, 4);
	sink_bytes(s, c->names + k->name, e->name_length);
	put_number(s, 0, 1);
}

/* ---- Streams ------------------------------------------------------------------------------------------------ */

static int close_stream(struct ctf *c)
{
	int error;

	if (!c->is_open)
		return 0;
	c->is_open = false;
	error = sink_close(&c->sink);
	return close(c->sink.fd) && !error ? errno : error;
}

/* The sink goes on with this stream: a new one, or at the end of one that was closed. */
static int open_stream(struct ctf *c, size_t number, int how)
{
	char name[32];
	int fd, error = close_stream(c);

	if (error)
		return error;
	snprintf(name, sizeof(name), "stream_%02zu", number);
	fd = openat(c->folder, name, O_WRONLY | how | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		return errno;
	sink_open(&c->sink, fd);
	c->is_open = true;
	c->open = number;
	return 0;
}

static int add_stream(struct ctf *c)
{
	if (c->n_streams == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->streams = xneed(realloc(c->streams, c->room * sizeof(*c->streams)));
	}
	return open_stream(c, c->n_streams++, O_CREAT | O_EXCL);
}

/* The one with the latest end that is not after the packet's first event, or else a new one. NULL: c->error has why. */
static struct stream *stream_for(struct ctf *c, int64_t ns)
{
	struct stream *best = NULL;

	for (size_t i = 0; i < c->n_streams; i++)
		if (c->streams[i].end_ns <= ns && (!best || c->streams[i].end_ns > best->end_ns))
			best = &c->streams[i];
	if (!best)
		c->error = add_stream(c);
	else if (best != &c->streams[c->open])
		c->error = open_stream(c, (size_t)(best - c->streams), O_APPEND | O_NOFOLLOW);
	return c->error ? NULL : &c->streams[c->open];
}

static int compare(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->event.ns != y->event.ns)
		return x->event.ns < y->event.ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_sorted(const struct ctf *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (c->kept[i].event.ns < c->kept[i - 1].event.ns)
			return false;
	return true;
}

static void write_packet(struct ctf *c)
{
	struct stream *s;

	if (!c->n || c->error)
		return;
	if (!is_sorted(c))
		qsort(c->kept, c->n, sizeof(c->kept[0]), compare);
	s = stream_for(c, c->kept[0].event.ns);
	if (!s)
		return;
	write_head(c);
	for (size_t i = 0; i < c->n; i++)
		write_event(c, &c->kept[i]);
	s->end_ns = c->kept[c->n - 1].event.ns;
	c->error = c->sink.error;
	c->n = 0;
	c->names_used = 0;
}

static void keep(struct ctf *c, const struct event *e)
{
	/* Also for an empty name that is the first: memcpy() takes no NULL. */
	if (c->names_used + e->name_length >= c->names_room) {
		c->names_room = c->names_used + e->name_length + PACKET_BYTES;
		c->names = xneed(realloc(c->names, c->names_room));
	}
	c->kept[c->n] = (struct kept){ .event = *e, .name = c->names_used, .order = c->n };
	memcpy(c->names + c->names_used, e->name, e->name_length);
	c->names_used += e->name_length;
	if (++c->n == PACKET_EVENTS || c->names_used >= PACKET_BYTES)
		write_packet(c);
}

/* ---- The encoder -------------------------------------------------------------------------------------------- */

static void *begin(const struct about *about, struct sink *sink, int folder)
{
	struct ctf *c = xcalloc(1, sizeof(*c));

	c->about = about;
	c->shown = sink;
	c->folder = folder;
	c->error = ctf_metadata_write(about, folder);
	if (!c->error)
		return c;
	errno = c->error;
	free(c);
	return NULL;
}

static void put(void *state, const struct event *events, size_t n)
{
	struct ctf *c = state;

	for (size_t i = 0; i < n && !c->error; i++)
		keep(c, &events[i]);
	c->shown->error = c->error;
}

static int end(void *state)
{
	struct ctf *c = state;
	int error, closed;

	write_packet(c);
	closed = close_stream(c);
	error = c->error ? c->error : closed;
	free(c->streams);
	free(c->names);
	free(c);
	return error;
}

const struct encoder encoder_ctf = {
	.name = "ctf", .needs_folder = true, .begin = begin, .put = put, .end = end,
};
