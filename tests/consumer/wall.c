/* SPDX-License-Identifier: MIT */
/* How well this machine knows UTC, and a wait until the time is surely past. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

int main(void)
{
	struct hpt_wall_time now;
	hpt_wall *wall;

	if (hpt_wall_open(NULL, NULL, 0, 0, &wall) < 0)
		return 1;
	hpt_wall_update(wall); /* about once a second, in any thread */
	if (hpt_wall_now(wall, &now) < 0) {
		puts("nothing here states how wrong its time may be");
		return 0;
	}
	printf("UTC is known to %" PRId64 " ns\n", now.latest_ns - now.earliest_ns);
	if (hpt_wall_wait_after(wall, now.latest_ns, 1000000000) == 0)
		puts("what follows is later, by the clock of any machine whose wall is right");
	hpt_wall_close(wall);
	return 0;
}
