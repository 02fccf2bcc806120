/* SPDX-License-Identifier: MIT */
/* A format of the test's own: it keeps what it is given, and writes the names into the sink. */
#ifndef HPT_TEST_FAKE_ENCODER_H
#define HPT_TEST_FAKE_ENCODER_H

#include <errno.h>
#include <string.h>

#include "unit.h"

#include "trace/encoder.h"

#define FAKE_EVENTS 20000
#define FAKE_TRACES 8

/* Events of all traces in the order in which they were put. Names are copied when they are. */
static struct {
	struct about about[FAKE_TRACES];
	int folders[FAKE_TRACES];       /* what each trace was begun with */
	size_t begun, ended, puts;
	struct event events[FAKE_EVENTS];
	char names[FAKE_EVENTS][16];
	size_t trace_of[FAKE_EVENTS];
	size_t n;
	int begin_error, end_error;     /* to fail with */
	size_t lost_at;                 /* of events, after which the sink's write fails; 0: it does not */
	bool is_silent;                 /* writes nothing */
} fake;

struct fake_trace { size_t number; struct sink *sink; };

static inline void *fake_begin(const struct about *about, struct sink *sink, int folder)
{
	static struct fake_trace traces[FAKE_TRACES];
	struct fake_trace *it = &traces[fake.begun];

	errno = fake.begin_error;
	if (fake.begin_error)
		return NULL;
	assert_true(fake.begun < FAKE_TRACES);
	fake.about[fake.begun] = *about;
	fake.folders[fake.begun] = folder;
	*it = (struct fake_trace){ fake.begun++, sink };
	return it;
}

static inline void fake_put(void *state, const struct event *events, size_t n)
{
	struct fake_trace *it = state;

	fake.puts++;
	for (size_t i = 0; i < n; i++) {
		size_t length = events[i].name_length < 15 ? events[i].name_length : 15;

		assert_true(fake.n < FAKE_EVENTS);
		fake.events[fake.n] = events[i];
		memcpy(fake.names[fake.n], events[i].name, length);
		fake.names[fake.n][length] = '\0';
		fake.trace_of[fake.n++] = it->number;
		if (!fake.is_silent)
			sink_bytes(it->sink, events[i].name, events[i].name_length);
		if (fake.lost_at && fake.n >= fake.lost_at)
			it->sink->error = EIO;
	}
}

static inline int fake_end(void *state)
{
	(void)state;
	fake.ended++;
	return fake.end_error;
}

static const struct encoder fake_stream = { .name = "fake", .begin = fake_begin, .put = fake_put, .end = fake_end };
static const struct encoder fake_folder = {
	.name = "fake-folder", .needs_folder = true, .begin = fake_begin, .put = fake_put, .end = fake_end,
};

#endif
