// SPDX-License-Identifier: MIT
/* Streams of CTF, read by the fixed layout of their packets: borders, order, names, and disks that are full. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "own_folder.h"
#include "trace_world.h"

#include "trace/ctf_metadata.h"

/* Of the encoder: events of a packet, and bytes of its names. */
#define PACKET_EVENTS 4096
#define PACKET_BYTES  262144

/* The most that a test has: more than the encoder makes room for at first, and than two digits number. */
#define STREAMS       101

#define EVENTS_MOST (5 * PACKET_EVENTS)

static const struct about plain = { .clock = EVENT_RAW, .id = { 1, 2, 3, [15] = 16 } };

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static struct sink shown;
static int folder;

static void *begin(const struct about *about)
{
	void *encoder;

	folder = open(".", O_RDONLY | O_DIRECTORY);
	assert_true(folder >= 0);
	sink_open(&shown, -1);
	encoder = encoder_ctf.begin(about, &shown, folder);
	assert_non_null(encoder);
	return encoder;
}

static int end(void *encoder)
{
	int error = encoder_ctf.end(encoder);

	close(folder);
	return error;
}

static int write_all(const struct about *about, const struct event *events, size_t n)
{
	void *encoder = begin(about);

	encoder_ctf.put(encoder, events, n);
	return end(encoder);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

struct packet { uint64_t first, last; size_t n; };

/* What was read, in the order of the streams and of the bytes in each. */
static struct {
	struct event events[EVENTS_MOST];
	size_t n;
	struct packet packets[STREAMS + 1];
	size_t n_packets;
	struct written streams[STREAMS]; /* which have the names */
	size_t n_streams;
	size_t in_stream[STREAMS];      /* packets of each */
} got;

static uint64_t number(const char **at, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)(uint8_t)(*at)[i] << 8 * i;
	*at += bytes;
	return value;
}

static void read_event(const char **at)
{
	struct event *e = &got.events[got.n++];

	assert_true(got.n <= EVENTS_MOST);
	e->kind = (enum event_kind)number(at, 1);
	e->ns = (int64_t)number(at, 8);
	e->error_ns = (int64_t)number(at, 8);
	e->stamp = (int64_t)number(at, 8);
	e->process = (uint32_t)number(at, 4);
	e->track = (uint32_t)number(at, 4);
	e->name = *at;
	e->name_length = strlen(*at);
	*at += e->name_length + 1;
}

/* Returns where the packet ends. Its borders are those of its events, which are in the order of time. */
static const char *read_packet(const char *from, const char *end, const struct about *about)
{
	struct packet *p = &got.packets[got.n_packets++];
	const char *at = from;
	size_t first = got.n;
	uint64_t bits;

	assert_true(got.n_packets <= COUNT(got.packets) && (size_t)(end - at) >= CTF_PACKET_HEAD_BYTES);
	assert_int_equal(number(&at, 4), 0xc1fc1fc1);
	assert_memory_equal(at, about->id, 16);
	at += 16;
	p->first = number(&at, 8);
	p->last = number(&at, 8);
	bits = number(&at, 8);
	assert_int_equal(number(&at, 8), bits);
	assert_true(bits % 8 == 0 && bits / 8 <= (uint64_t)(end - from));
	while (at < from + bits / 8)
		read_event(&at);
	assert_ptr_equal(at, from + bits / 8);
	p->n = got.n - first;
	assert_true(p->n > 0);
	assert_int_equal(p->first, got.events[first].ns);
	assert_int_equal(p->last, got.events[got.n - 1].ns);
	for (size_t i = first + 1; i < got.n; i++)
		assert_true(got.events[i].ns >= got.events[i - 1].ns);
	return at;
}

static void read_stream(int fd, const struct about *about)
{
	struct written *w = &got.streams[got.n_streams];
	size_t first = got.n_packets;
	const char *at, *end;

	*w = read_back(fd);
	close(fd);
	end = w->bytes + w->n;
	for (at = w->bytes; at < end;) {
		at = read_packet(at, end, about);
		/* Times of a stream do not go back. */
		if (got.n_packets > first + 1)
			assert_true(got.packets[got.n_packets - 1].first >= got.packets[got.n_packets - 2].last);
	}
	got.in_stream[got.n_streams++] = got.n_packets - first;
}

static void read_streams(const struct about *about)
{
	for (int i = 0; i < STREAMS; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "stream_%02d", i);
		fd = open(name, O_RDONLY);
		if (fd < 0)
			break;
		read_stream(fd, about);
	}
	assert_int_equal(entries("."), got.n_streams + 1); /* and the metadata */
}

static int leave(void **state)
{
	for (size_t i = 0; i < got.n_streams; i++)
		free(got.streams[i].bytes);
	memset(&got, 0, sizeof(got));
	return leave_own_folder(state);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static struct event events[EVENTS_MOST];

/* n events from the first's time on, a nanosecond apart, whose stamps say where they came. */
static void set_events(size_t from, size_t n, int64_t first_ns)
{
	for (size_t i = from; i < from + n; i++) {
		events[i] = event_of(EVENT_INSTANT, first_ns + (int64_t)(i - from), "x");
		events[i].stamp = (int64_t)i;
	}
}

static void no_event_is_a_folder_of_metadata(void **state)
{
	(void)state;
	assert_int_equal(write_all(&plain, NULL, 0), 0);
	assert_int_equal(entries("."), 1);
	assert_int_equal(access("metadata", R_OK), 0);
}

static void each_field_is_at_its_place(void **state)
{
	struct about about = plain;

	(void)state;
	about.has_stamp = true;
	events[0] = event_of(EVENT_BEGIN, 0, "");
	events[0].stamp = INT64_MIN;
	events[0].error_ns = 77;
	events[0].process = 0x01020304;
	events[0].track = UINT32_MAX;
	events[1] = event_of(EVENT_INSTANT, INT64_C(1795171679123456789), "a b");
	events[1].stamp = INT64_C(0x0102030405060708);
	events[1].error_ns = INT64_MAX - 1;
	events[2] = event_of(EVENT_END, INT64_MAX, "e");
	assert_int_equal(write_all(&about, events, 3), 0);
	read_streams(&about);
	assert_int_equal(got.n, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct event *is = &got.events[i], *was = &events[i];

		assert_int_equal(is->kind, was->kind);
		assert_true(is->ns == was->ns && is->stamp == was->stamp);
		assert_true(is->error_ns == (i == 2 ? -1 : was->error_ns)); /* -1: unknown */
		assert_true(is->process == was->process && is->track == was->track);
		assert_named(was, is->name, is->name_length);
	}
}

static void without_ticks_they_are_written_as_missing(void **state)
{
	(void)state;
	set_events(0, 1, 5);
	events[0].stamp = 99;
	assert_int_equal(write_all(&plain, events, 1), 0);
	read_streams(&plain);
	assert_int_equal(got.events[0].stamp, -1);
}

static void packets_end_where_they_are_full(void **state)
{
	static const size_t sizes[] = { 1, PACKET_EVENTS - 1, PACKET_EVENTS, PACKET_EVENTS + 1, 3 * PACKET_EVENTS + 5 };
	struct about about = plain;

	(void)state;
	about.has_stamp = true;
	for (size_t k = 0; k < COUNT(sizes); k++) {
		void *own;

		assert_int_equal(enter_own_folder(&own), 0);
		set_events(0, sizes[k], 1000);
		assert_int_equal(write_all(&about, events, sizes[k]), 0);
		read_streams(&about);
		assert_int_equal(got.n, sizes[k]);
		assert_int_equal(got.n_streams, 1);
		assert_int_equal(got.n_packets, (sizes[k] + PACKET_EVENTS - 1) / PACKET_EVENTS);
		for (size_t i = 0; i + 1 < got.n_packets; i++)
			assert_int_equal(got.packets[i].n, PACKET_EVENTS);
		for (size_t i = 0; i < got.n; i++)
			assert_int_equal(got.events[i].stamp, i);
		leave(&own);
	}
}

/* One that begins as the last ended is of the same stream. */
static void equal_times_across_a_border(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * PACKET_EVENTS; i++)
		events[i] = event_of(EVENT_INSTANT, 7, "x");
	assert_int_equal(write_all(&plain, events, 2 * PACKET_EVENTS), 0);
	read_streams(&plain);
	assert_int_equal(got.n_streams, 1);
	assert_int_equal(got.n_packets, 2);
}

static void names_fill_packets_too(void **state)
{
	static struct event odd[ODD_NAMES];
	size_t length;
	const char *name = odd_name(ODD_NAMES - 1, &length);

	(void)state;
	set_events(0, 7, 0);
	for (size_t i = 0; i < 7; i++) {
		events[i].name = name + i; /* each is another name */
		events[i].name_length = length - i;
	}
	assert_int_equal(write_all(&plain, events, 7), 0);
	read_streams(&plain);
	for (size_t i = 0; i < 7; i++)
		assert_named(&events[i], got.events[i].name, got.events[i].name_length);
	/* Three are more than a packet has. */
	assert_int_equal(got.n_packets, 3);
	assert_true(got.packets[0].n == 3 && got.packets[1].n == 3);
	leave(state);
	assert_int_equal(enter_own_folder(state), 0);
	set_odd_names(odd);
	assert_int_equal(write_all(&plain, odd, ODD_NAMES), 0);
	read_streams(&plain);
	assert_int_equal(got.n, ODD_NAMES);
	for (size_t i = 0; i < ODD_NAMES; i++)
		assert_named(&odd[i], got.events[i].name, got.events[i].name_length);
}

static void a_packet_is_sorted_and_equal_times_keep_their_order(void **state)
{
	struct about about = plain;

	(void)state;
	about.has_stamp = true;
	for (size_t i = 0; i < PACKET_EVENTS; i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)random_below(100), "x");
		events[i].stamp = (int64_t)i;
	}
	assert_int_equal(write_all(&about, events, PACKET_EVENTS), 0);
	read_streams(&about);
	assert_int_equal(got.n, PACKET_EVENTS);
	for (size_t i = 0; i < got.n; i++) {
		assert_int_equal(got.events[i].ns, events[got.events[i].stamp].ns);
		if (i && got.events[i].ns == got.events[i - 1].ns)
			assert_true(got.events[i].stamp > got.events[i - 1].stamp);
	}
}

/* Backwards by more than a packet: of the streams that end early enough the one with the latest end goes on. */
static void other_streams_take_what_comes_late(void **state)
{
	static const int64_t first_ns[] = { 1000000, 0, 500000, 10000, 2000000 };

	(void)state;
	for (size_t k = 0; k < COUNT(first_ns); k++)
		set_events(k * PACKET_EVENTS, PACKET_EVENTS, first_ns[k]);
	/* The last packet is not full. */
	assert_int_equal(write_all(&plain, events, 5 * PACKET_EVENTS - 1), 0);
	read_streams(&plain);
	assert_int_equal(got.n, 5 * PACKET_EVENTS - 1);
	/* 1000000 and 2000000; 0 and 500000; 10000 */
	assert_int_equal(got.n_streams, 3);
	assert_int_equal(got.in_stream[0], 2);
	assert_int_equal(got.in_stream[1], 2);
	assert_int_equal(got.packets[1].first, 2000000);
	assert_int_equal(got.packets[3].first, 500000);
	assert_int_equal(got.packets[4].first, 10000);
}

/* One that begins before the end of the last, though after its begin, goes to another stream. */
static void packets_that_overlap(void **state)
{
	(void)state;
	set_events(0, PACKET_EVENTS, 0);
	set_events(PACKET_EVENTS, PACKET_EVENTS, PACKET_EVENTS - 2);
	assert_int_equal(write_all(&plain, events, 2 * PACKET_EVENTS), 0);
	read_streams(&plain);
	assert_int_equal(got.n_streams, 2);
}

/* Each long enough for a packet of its own. */
static void set_backwards(size_t n)
{
	static char name[PACKET_BYTES];

	memset(name, 'x', sizeof(name));
	for (size_t i = 0; i < n; i++) {
		events[i] = event_of(EVENT_INSTANT, (int64_t)(n - i), "");
		events[i].name = name;
		events[i].name_length = sizeof(name);
	}
}

/* As many as it takes. The last ends first, so that those of a second time go to all of them. */
static void as_many_streams_as_it_takes(void **state)
{
	unsigned before = entries("/proc/self/fd");
	void *encoder;

	(void)state;
	set_backwards(STREAMS);
	encoder = begin(&plain);
	encoder_ctf.put(encoder, events, STREAMS);
	assert_int_equal(shown.error, 0);
	assert_int_equal(entries("/proc/self/fd"), before + 2); /* the folder and one stream */
	assert_int_equal(end(encoder), 0);
	read_streams(&plain);
	assert_int_equal(got.n_streams, STREAMS);
	assert_int_equal(got.n, STREAMS);
}

/* Two streams, and then a packet for the first, which is not open now: it was removed, or is a link. */
static void a_stream_that_is_gone(void **state)
{
	static const int errors[] = { 0, ENOENT, ELOOP };

	for (size_t i = 0; i < COUNT(errors); i++) {
		void *encoder = begin(&plain);

		set_events(0, PACKET_EVENTS, 1000000);
		set_events(PACKET_EVENTS, PACKET_EVENTS, 0);
		set_events(2 * PACKET_EVENTS, PACKET_EVENTS, 2000000);
		encoder_ctf.put(encoder, events, 2 * PACKET_EVENTS);
		assert_int_equal(shown.error, 0);
		if (i)
			assert_int_equal(rename("stream_00", "other"), 0);
		if (i == 2)
			assert_int_equal(symlink("other", "stream_00"), 0);
		encoder_ctf.put(encoder, events + 2 * PACKET_EVENTS, PACKET_EVENTS);
		assert_int_equal(shown.error, errors[i]);
		encoder_ctf.put(encoder, events, 1); /* is lost after an error */
		assert_int_equal(shown.error, errors[i]);
		assert_int_equal(end(encoder), errors[i]);
		leave(state);
		assert_int_equal(enter_own_folder(state), 0);
	}
}

static void a_folder_that_has_a_trace(void **state)
{
	(void)state;
	folder = open(".", O_RDONLY | O_DIRECTORY);
	close(open("metadata", O_WRONLY | O_CREAT, 0666));
	errno = 0;
	assert_null(encoder_ctf.begin(&plain, &shown, folder));
	assert_int_equal(errno, EEXIST);
	close(folder);
	assert_int_equal(unlink("metadata"), 0);
	close(open("stream_00", O_WRONLY | O_CREAT, 0666));
	set_events(0, 1, 0);
	assert_int_equal(write_all(&plain, events, 1), EEXIST);
}

/* Where the last bytes do not fit the end says so, where many do not a put does. */
static void a_full_disk(void **state)
{
	struct rlimit before;
	void *encoder;
	int error, end_error;

	(void)state;
	encoder = begin(&plain);
	set_events(0, 3, 0);
	before = limit_files(100);
	encoder_ctf.put(encoder, events, 3);
	error = shown.error;
	end_error = end(encoder);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(error, 0);
	assert_int_equal(end_error, EFBIG);
	leave(state);
	assert_int_equal(enter_own_folder(state), 0);
	encoder = begin(&plain);
	set_events(0, PACKET_EVENTS, 0);
	before = limit_files(100);
	encoder_ctf.put(encoder, events, PACKET_EVENTS);
	error = shown.error;
	end_error = end(encoder);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(error, EFBIG);
	assert_int_equal(end_error, EFBIG);
}

/* What is left of a packet is written as another stream becomes the open one. */
static void a_disk_that_is_full_between_streams(void **state)
{
	void *encoder = begin(&plain);
	struct rlimit before;
	int errors[3];

	(void)state;
	set_events(0, PACKET_EVENTS, 1000000);
	set_events(PACKET_EVENTS, PACKET_EVENTS, 0);
	before = limit_files(2 * SINK_BYTES);
	encoder_ctf.put(encoder, events, PACKET_EVENTS);
	errors[0] = shown.error;
	encoder_ctf.put(encoder, events + PACKET_EVENTS, PACKET_EVENTS);
	errors[1] = shown.error;
	errors[2] = end(encoder);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(errors[0], 0);
	assert_int_equal(errors[1], EFBIG);
	assert_int_equal(errors[2], EFBIG);
	assert_int_equal(entries("."), 2); /* no second stream was begun */
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter_own_folder, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(no_event_is_a_folder_of_metadata),
		test(each_field_is_at_its_place),
		test(without_ticks_they_are_written_as_missing),
		test(packets_end_where_they_are_full),
		test(equal_times_across_a_border),
		test(names_fill_packets_too),
		test(a_packet_is_sorted_and_equal_times_keep_their_order),
		test(other_streams_take_what_comes_late),
		test(packets_that_overlap),
		test(as_many_streams_as_it_takes),
		test(a_stream_that_is_gone),
		test(a_folder_that_has_a_trace),
		test(a_full_disk),
		test(a_disk_that_is_full_between_streams),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
