// SPDX-License-Identifier: MIT
/* The truth of these tests: truth.h. */
#include "truth.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Less than any sleep that a test lets a machine have, more than a busy machine takes between two reads of a clock. */
#define SLEPT_LEAST_NS (NS_PER_S / 2)

int64_t read_clock_ns(int id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts)) {
		perror("clock_gettime");
		exit(2);
	}
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int64_t asleep_ns(void)
{
	return read_clock_ns(CLOCK_BOOTTIME) - read_clock_ns(CLOCK_MONOTONIC);
}

/* The first that notices a sleep writes it down, so that all programs go by one length of it. */
static int64_t slept_ns(struct truth *t)
{
	int64_t known = t->slept_ns, now = asleep_ns();

	if (now - known < SLEPT_LEAST_NS || asleep_ns() - known < SLEPT_LEAST_NS)
		return known;
	now += t->sleep_error_ns;
	return atomic_compare_exchange_strong(&t->slept_ns, &known, now) ? now : known;
}

static int64_t by_rate(const struct truth *t, int64_t passed_ns)
{
	int64_t rate_ppb = t->rate_ppb;

	return passed_ns + passed_ns / NS_PER_S * rate_ppb + passed_ns % NS_PER_S * rate_ppb / NS_PER_S;
}

static int64_t with_leap(const struct truth *t, int64_t unix_ns)
{
	int64_t leap = t->leap;

	return leap && unix_ns >= t->leap_at_ns - (leap < 0) * NS_PER_S ? unix_ns - leap * NS_PER_S : unix_ns;
}

static int64_t now_by_these(struct truth *t)
{
	int64_t raw_ns, slept, again;

	if (!t->tracks_sleep)
		return with_leap(t, t->unix_ns + by_rate(t, read_clock_ns(CLOCK_MONOTONIC_RAW) - t->raw_ns));
	for (again = slept_ns(t); ; ) {
		slept = again;
		raw_ns = read_clock_ns(CLOCK_MONOTONIC_RAW);
		again = slept_ns(t);
		if (slept == again)
			return with_leap(t, t->unix_ns + by_rate(t, raw_ns - t->raw_ns) + slept - t->slept_before_ns);
	}
}

int64_t truth_now(struct truth *t)
{
	for (;;) {
		uint64_t turns = t->turns;
		int64_t now_ns = now_by_these(t);

		if (!(turns & 1) && t->turns == turns)
			return now_ns;
	}
}

void truth_turn(struct truth *t, int64_t rate_ppb)
{
	int64_t raw_ns;

	t->turns++;
	raw_ns = read_clock_ns(CLOCK_MONOTONIC_RAW); /* from here on nobody goes by the old rate */
	t->unix_ns += by_rate(t, raw_ns - t->raw_ns);
	t->raw_ns = raw_ns;
	t->rate_ppb = rate_ppb;
	t->turns++;
}

void *map_shared(const char *path, int flags, size_t size)
{
	int fd = open(path, flags | O_RDWR | O_CLOEXEC, 0666);
	void *ret = MAP_FAILED;

	if (fd >= 0 && (!(flags & O_CREAT) || !ftruncate(fd, (off_t)size)))
		ret = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ret == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(fd);
	return ret;
}

struct truth *truth_open(const char *path)
{
	return map_shared(path, 0, sizeof(struct truth));
}

struct truth *truth_make(const char *path)
{
	struct truth *t = map_shared(path, O_CREAT | O_TRUNC, sizeof(*t));

	t->slept_before_ns = t->slept_ns = asleep_ns();
	t->raw_ns = read_clock_ns(CLOCK_MONOTONIC_RAW);
	t->unix_ns = read_clock_ns(CLOCK_REALTIME);
	return t;
}
