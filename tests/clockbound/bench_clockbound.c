// SPDX-License-Identifier: MIT
/*
 * hpt_wall_now() compared with clockbound_now() of ClockBound's own libraries, on the same shared memory, which their
 * own writers have written: see tests/bench/rows.h.
 *
 * usage: bench_clockbound FOLDER [ROUNDS [CALLS]]
 */
#include "clockbound.h"

#include "rows.h"

static hpt_wall *wall_2, *wall_3;
static struct clockbound two, three;
static struct hpt_wall_time result;
static struct clockbound_now_result theirs;

BENCH_LOOP(realtime, bench_clock_ns(CLOCK_REALTIME))
BENCH_LOOP(now, hpt_now(NULL))
BENCH_LOOP(by_wall_2, hpt_wall_now(wall_2, &result))
BENCH_LOOP(by_wall_3, hpt_wall_now(wall_3, &result))
BENCH_LOOP(by_two, two.now_2(two.reader, &theirs))
BENCH_LOOP(by_three, three.now_3(three.reader, &theirs, &(struct clockbound_err){ 0 }))

enum { REALTIME, NOW, TWO, THREE, WALL_2, WALL_3 };

static struct bench_row rows[] = {
	[REALTIME] = { "clock_gettime(REALTIME)", realtime, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[NOW] = { "hpt_now", now, REALTIME, 0, BENCH_NO_BASE, 0 },
	[TWO] = { "clockbound_now 2.0.3", by_two, REALTIME, 0, BENCH_NO_BASE, 0 },
	[THREE] = { "clockbound_now 3.0.0-rc.0", by_three, REALTIME, 0, BENCH_NO_BASE, 0 },
	[WALL_2] = { "hpt_wall_now, version 2", by_wall_2, TWO, 0.40, REALTIME, 0 },
	[WALL_3] = { "hpt_wall_now, version 3", by_wall_3, THREE, 0.45, REALTIME, 0 },
};

static void make(struct clockbound *cb, hpt_wall **ret_wall, const char *libraries, const char *folder, int version)
{
	clockbound_make(cb, libraries, folder, version);
	*ret_wall = wall_of(cb->path);
	must(hpt_wall_update(*ret_wall) == HPT_WALL_STATE_SYNCED, "the wall has a bound");
	must(clockbound_now(cb, &theirs) && theirs.clock_status == SYNCHRONIZED, "their library has a bound");
}

int main(int argc, char **argv)
{
	struct bench_effort effort = { .rounds = 500, .calls = 2000 };
	char folder[64];

	if (argc < 2 || !bench_effort_of(argc - 1, argv + 1, &effort))
		return 2;
	make_folder(folder);
	make(&two, &wall_2, argv[1], folder, 2);
	if (has_their_counter()) {
		make(&three, &wall_3, argv[1], folder, 3);
	} else {
		rows[THREE].loop = rows[WALL_3].loop = NULL;
		printf("version 3 left out: the clock is not of the counter that ClockBound reads\n");
	}
	bench_rows(rows, sizeof(rows) / sizeof(rows[0]), effort);
	remove_folder(folder);
	return 0;
}
