/* SPDX-License-Identifier: MIT */
/*
 * commit_wait.c - a timestamp, and no answer before it is surely past on every machine that has a bound.
 *
 *	cc -o commit_wait commit_wait.c $(pkg-config --cflags --libs libhpt)
 *	./commit_wait [ERROR_US]
 *
 * ERROR_US: how far the system's clock may be off UTC, in microseconds, as the caller knows. Without it the bound is
 * that of chronyd, ClockBound, the hypervisor or a network card.
 */
#include <stdio.h>
#include <stdlib.h>

#include <hpt/wall.h>
#include <hpt/timebase.h>

static int feed(hpt_wall *wall, int64_t error_us)
{
	struct hpt_wall_sample sample = { .source = HPT_WALL_SOURCE_FEED };
	struct hpt_sample now;

	if (hpt_clock_sample(NULL, &now, sizeof(now)) < 0)
		return -1;
	sample.before = sample.after = now.tick;
	sample.earliest_ns = now.unix_ns - now.width_ns - error_us * 1000;
	sample.latest_ns = now.unix_ns + now.width_ns + error_us * 1000;
	return hpt_wall_feed(wall, &sample, sizeof(sample));
}

int main(int argc, char **argv)
{
	char *end = NULL;
	int64_t error_us = argc == 2 ? strtoll(argv[1], &end, 10) : 0;
	struct hpt_wall_time now;
	hpt_wall *wall;

	if (argc > 2 || (end && (end == argv[1] || *end || error_us < 0 || error_us > 1000000000)))
		return fprintf(stderr, "usage: commit_wait [ERROR_US], whole microseconds up to 1000000000\n"), 2;
	/* Without an argument: hpt_wall_update, which a server calls about once a second, in a thread of its own. */
	if (hpt_wall_open(NULL, NULL, 0, 0, &wall) < 0 || (end ? feed(wall, error_us) : hpt_wall_update(wall)) < 0 ||
	    hpt_wall_now(wall, &now) < 0 || hpt_wall_wait_after(wall, now.latest_ns, 1000000000) < 0)
		return fprintf(stderr, "no bound, or one as wide as a second: hpt wall says why\n"), 1;
	printf("committed at %lld\n", (long long)now.latest_ns); /* and now the answer */
	hpt_wall_close(wall);
	return 0;
}
