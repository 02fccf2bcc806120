// SPDX-License-Identifier: MIT
/* The names of a wall's sources and states, and the sentences of its reasons. */
#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "arch/arch.h"
#include "wall/wall_record.h"

/* One string, because an array of pointers would need a relocation for each. */
static const char *nth(const char *names, uint32_t n, const char *unknown)
{
	while (n-- && *names)
		while (*names++)
			;
	return *names ? names : unknown;
}

COLD const char *hpt_wall_source_name(uint32_t source)
{
	if (!hpt_wall_source_is_known(source))
		return "unknown";
	return nth("feed\0clockbound\0chrony\0kernel\0vmclock\0phc\0fbclock\0",
		   hpt_wall_source_place(source), "unknown");
}

COLD const char *hpt_wall_state_name(uint32_t state)
{
	return nth("none\0synced\0holdover\0unsynced\0stale\0disrupted\0contradicted\0leap\0", state, "unknown");
}

COLD const char *hpt_wall_reason_text(uint32_t reason)
{
	return nth("nothing is wrong\0"
		   "not asked for\0"
		   "not asked yet, or not fed\0"
		   "there is no such file, device or daemon\0"
		   "permission is denied\0"
		   "a system call failed\0"
		   "no answer in time\0"
		   "the path does not name a device of this kind\0"
		   "unknown format: magic number, version, size or byte order\0"
		   "it was being written at each look\0"
		   "it says that it is not synchronised\0"
		   "its statement is too old, or its writer has died\0"
		   "it states impossible values\0"
		   "it describes another counter than the clock's\0"
		   "it states no error bound\0"
		   "maxerror or esterror is 0, as systemd-timesyncd and phc2sys leave them\0"
		   "the system's clock was set lately\0"
		   "its times are of another time namespace\0"
		   "whether it counts UTC or TAI, or how far these differ, is not known\0"
		   "it contradicts other sources\0"
		   "a leap second is near\0",
		   reason, "unknown reason");
}
