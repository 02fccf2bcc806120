/* SPDX-License-Identifier: MIT */
/*
 * commit_wait.c - a timestamp, and no answer before it is surely past on every machine that has a bound.
 *
 *	cc -o commit_wait commit_wait.c $(pkg-config --cflags --libs libhpt)
 *	./commit_wait [ERROR_US]
 *
 * ERROR_US: how far the system's clock may be off UTC, as the caller knows.
 */
#include <stdio.h>
#include <stdlib.h>

#include <hpt/wall.h>
#include <hpt/timebase.h>

static int feed(hpt_wall *wall, int64_t error_ns)
{
	struct hpt_wall_sample sample = { .source = HPT_WALL_SOURCE_FEED };
	struct hpt_sample now;

	if (hpt_clock_sample(NULL, &now, sizeof(now)) < 0)
		return -1;
	sample.before = sample.after = now.tick;
	sample.earliest_ns = now.unix_ns - now.width_ns - error_ns;
	sample.latest_ns = now.unix_ns + now.width_ns + error_ns;
	return hpt_wall_feed(wall, &sample, sizeof(sample));
}

int main(int argc, char **argv)
{
	struct hpt_wall_time now;
	hpt_wall *wall;

	if (hpt_wall_open(NULL, NULL, 0, 0, &wall) < 0 || (argc > 1 && feed(wall, atoll(argv[1]) * 1000) < 0))
		return 1;
	if (argc == 1)
		hpt_wall_update(wall); /* about once a second, in a thread of its own */
	if (hpt_wall_now(wall, &now) < 0 || hpt_wall_wait_after(wall, now.latest_ns, 1000000000) < 0)
		return fprintf(stderr, "no bound, or one as wide as a second: hpt wall says why\n"), 1;
	printf("committed at %lld\n", (long long)now.latest_ns); /* and now the answer */
	hpt_wall_close(wall);
	return 0;
}
