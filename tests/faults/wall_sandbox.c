// SPDX-License-Identifier: MIT
/*
 * A sandbox that kills for any system call but the clock's own, which reads of a wall and feeds survive: once the wall
 * is open they need neither files nor other calls.
 */
#include <errno.h>
#include <sys/syscall.h>

#include "check.h"
#include "filter.h"
#include "process.h"
#include "hpt/wall.h"

#define READS_NS 50000000 /* each 10 ms a read compares the system's clocks */

/* UTC at CLOCK_MONOTONIC_RAW's zero, so that nobody slews it. */
#define UTC_NS INT64_C(1700000000000000000)

static hpt_wall *wall;
static hpt_hlc *hlc;

static int feed(void)
{
	struct hpt_wall_sample s = { .before = hpt_now(NULL) };
	int64_t ns = clock_ns(CLOCK_MONOTONIC_RAW) + UTC_NS;

	s.after = hpt_now(NULL);
	s.earliest_ns = ns - 1000;
	s.latest_ns = ns + 1000;
	return hpt_wall_feed(wall, &s, sizeof(s));
}

static void read_all(void)
{
	struct hpt_wall_source_info source;
	struct hpt_wall_time t = { 0 }, then;
	struct hpt_wall_info info;
	int64_t ns;

	CHECK(!hpt_wall_now(wall, &t) && !hpt_wall_at(wall, t.tick, &then), "no interval");
	CHECK(hpt_wall_after(wall, 0) == 1 && hpt_wall_before(wall, INT64_MAX) == 1, "after and before");
	CHECK(!hpt_hlc_now(hlc, &ns) && !hpt_hlc_receive(hlc, ns, &ns), "timestamps");
	CHECK(!hpt_wall_get_info(wall, &info, sizeof(info)) && info.samples > 0, "info");
	CHECK(!hpt_wall_source_get_info(wall, HPT_WALL_SOURCE_FEED, &source, sizeof(source)) && source.usable,
	      "source");
	CHECK(hpt_wall_to_tai_ns(wall, t.latest_ns, &ns) == -ENODATA, "TAI");
	CHECK(!hpt_wall_wait_after(wall, 0, 0), "a time that is past");
	CHECK(!feed(), "feed");
}

int main(void)
{
	static const long calls[] = { CLOCK, SYS_write, SYS_exit_group };
	int64_t end_ns;

	CHECK(!hpt_wall_open(NULL, NULL, 0, 0, &wall) && !hpt_hlc_new(wall, 1000000000, 0, &hlc) && !feed(), "no wall");
	if (!filter_allow_only(calls, sizeof(calls) / sizeof(calls[0]))) {
		fputs("skipped: no seccomp here\n", stderr);
		return SKIP;
	}
	end_ns = clock_ns(CLOCK_MONOTONIC) + READS_NS;
	while (clock_ns(CLOCK_MONOTONIC) < end_ns && !failures)
		read_all();
	return failures != 0;
}
