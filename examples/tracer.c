/* SPDX-License-Identifier: MIT */
/*
 * tracer.c - a trace costs little while it is taken: it stores ticks, and converts them to times afterwards.
 *
 *	cc -o tracer tracer.c $(pkg-config --cflags --libs libhpt)
 *	./tracer record FILE [EVENTS]
 *	./tracer convert FILE
 *
 * The file is a row of chunks. Each has a time base from its start, one from its end, and the ticks between the two. A
 * new generation of the clock, after a suspend for example, costs one chunk its precision. "record" traces a loop, and
 * prints the cost of an event by hpt_now(), hpt_now_unordered() and clock_gettime(): the chunks take turns, and the
 * fastest of each kind counts. The ticks of the first two are written. "convert" prints a line for each event: its Unix
 * time, the value that was traced, and the nanoseconds since the event before. It can do so on another machine of the
 * same byte order. Exit 1 means that the file is no whole trace, or that its times go backwards.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <hpt/hpt.h>

#define CHUNK 1000

enum { ORDERED, UNORDERED, SYSTEM, KINDS };

struct chunk {
	char                magic[8];   /* "tracer 1" */
	uint32_t            kind;       /* ORDERED or UNORDERED */
	uint32_t            events;     /* how many of the ticks are filled in */
	struct hpt_timebase start, end;
	int64_t             ticks[CHUNK];
	uint32_t            values[CHUNK];
};

static struct chunk chunk;

static int failed(const char *what, const char *why)
{
	fprintf(stderr, "tracer: %s: %s\n", what, why);
	return 1;
}

/* ---- Record ------------------------------------------------------------------------------------------------- */

/* The traced program: a generator of random numbers. */
static uint32_t work(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

static int64_t system_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* A chunk of events. Each kind has its own loop, so that an event is a read and two stores. Returns the ns of all. */
static int64_t trace(uint32_t kind, uint32_t events, uint32_t *x)
{
	hpt_time_t began = hpt_now(NULL);

	for (uint32_t i = 0; kind == ORDERED && i < events; i++) {
		chunk.ticks[i] = hpt_now(NULL);
		chunk.values[i] = *x = work(*x);
	}
	for (uint32_t i = 0; kind == UNORDERED && i < events; i++) {
		chunk.ticks[i] = hpt_now_unordered(NULL);
		chunk.values[i] = *x = work(*x);
	}
	for (uint32_t i = 0; kind == SYSTEM && i < events; i++) {
		chunk.ticks[i] = system_now();
		chunk.values[i] = *x = work(*x);
	}
	return hpt_ticks_to_ns(NULL, hpt_now(NULL) - began);
}

static int record(const char *name, long events)
{
	static const char *const names[] = { "hpt_now", "hpt_now_unordered", "clock_gettime" };
	int64_t least_ns[KINDS] = { INT64_MAX, INT64_MAX, INT64_MAX }, ns;
	FILE *f = fopen(name, "wb");
	uint32_t kind, x = 1;

	if (!f)
		return failed(name, strerror(errno));
	memcpy(chunk.magic, "tracer 1", sizeof(chunk.magic));
	for (long done = 0, n = 0; done < events; n++) {
		chunk.kind = kind = (uint32_t)(n % KINDS);
		chunk.events = events - done < CHUNK ? (uint32_t)(events - done) : CHUNK;
		if (hpt_clock_get_timebase(NULL, &chunk.start, sizeof(chunk.start)) < 0)
			return failed("time base", "this clock has none");
		ns = trace(kind, chunk.events, &x);
		if (chunk.events == CHUNK && ns < least_ns[kind])
			least_ns[kind] = ns;
		if (kind == SYSTEM)
			continue;
		done += chunk.events;
		if (hpt_clock_get_timebase(NULL, &chunk.end, sizeof(chunk.end)) < 0 ||
		    fwrite(&chunk, sizeof(chunk), 1, f) != 1)
			return failed(name, "cannot be written");
	}
	if (fclose(f))
		return failed(name, strerror(errno));
	printf("%ld events recorded\n", events);
	for (kind = 0; kind < KINDS; kind++)
		if (least_ns[kind] != INT64_MAX)
			printf("%s: %.1f ns an event\n", names[kind], (double)least_ns[kind] / CHUNK);
	return 0;
}

/* ---- Convert ------------------------------------------------------------------------------------------------ */

/* The chunk's ticks become Unix times. Of two generations the first one's time base alone is used. */
static int to_unix(int64_t *unix_ns, long number)
{
	int r = hpt_timebase_to_unix_ns(&chunk.start, &chunk.end, chunk.ticks, unix_ns, chunk.events);

	if (r == -ESTALE) {
		fprintf(stderr, "tracer: the clock began a new generation during chunk %ld\n", number);
		r = hpt_timebase_to_unix_ns(&chunk.start, NULL, chunk.ticks, unix_ns, chunk.events);
	}
	return r;
}

static int convert(const char *name)
{
	static int64_t unix_ns[CHUNK];
	FILE *f = fopen(name, "rb");
	int64_t before = 0, took = 0;
	long chunks = 0, events = 0;
	size_t size;

	if (!f)
		return failed(name, strerror(errno));
	while ((size = fread(&chunk, 1, sizeof(chunk), f)) == sizeof(chunk)) {
		hpt_time_t began = hpt_now(NULL);

		if (memcmp(chunk.magic, "tracer 1", sizeof(chunk.magic)) || chunk.kind > UNORDERED ||
		    chunk.events - 1 >= CHUNK)
			return failed(name, "is no trace, or one of another byte order");
		if (to_unix(unix_ns, ++chunks) < 0)
			return failed(name, "a time base is damaged");
		took += hpt_now(NULL) - began;
		for (uint32_t i = 0; i < chunk.events; before = unix_ns[i++]) {
			printf("%" PRId64 ".%09" PRId64 " %08" PRIx32 " +%" PRId64 "\n", unix_ns[i] / 1000000000,
			       unix_ns[i] % 1000000000, chunk.values[i], events + i ? unix_ns[i] - before : 0);
			/* The system's clock may be set between two chunks. Within one, ordered reads are in order. */
			if (i && chunk.kind == ORDERED && unix_ns[i] < before)
				return failed(name, "the time goes backwards");
		}
		events += chunk.events;
	}
	if (ferror(f) || size || !chunks)
		return failed(name, ferror(f) ? strerror(errno) : "ends within a chunk");
	fprintf(stderr, "%ld events in %ld chunks converted, %.1f ns an event\n", events, chunks,
		(double)hpt_ticks_to_ns(NULL, took) / (double)events);
	return fclose(f) || fflush(stdout) ? failed("standard output", "cannot be written") : 0;
}

int main(int argc, char **argv)
{
	char none[] = "", *rest = none;
	unsigned long long events = argc > 3 ? strtoull(argv[3], &rest, 10) : 20000;

	if (argc == 3 && !strcmp(argv[1], "convert"))
		return convert(argv[2]);
	if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "record") && !*rest && events - 1 < 1000000000)
		return record(argv[2], (long)events);
	fprintf(stderr, "usage: tracer record FILE [EVENTS]\n       tracer convert FILE\n"
			"EVENTS is a number from 1 to 1000000000.\n");
	return 2;
}
