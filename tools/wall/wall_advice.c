// SPDX-License-Identifier: MIT
/* Advice for each reason why a source of bounds gives nothing: tools/wall/wall_advice.h. */
#include "wall/wall_advice.h"

#include <stddef.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#define ANY UINT32_MAX

/* The first row that fits counts. */
static const struct { uint32_t source, reason; const char *text; } rows[] = {
	{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_NOT_USED,
	  "--sources=kernel asks it; its bound is worth something if chronyd writes it" },
	{ HPT_WALL_SOURCE_FBCLOCK, HPT_WALL_REASON_NOT_USED,
	  "--sources=fbclock asks it; its bound is a statistical one" },
	{ ANY, HPT_WALL_REASON_NOT_USED, "--sources can name it" },
	{ HPT_WALL_SOURCE_CLOCKBOUND, HPT_WALL_REASON_ABSENT, "start clockbound, or give its file by --clockbound" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_ABSENT,
	  "start chronyd, whose cmdport must not be 0, or give its address by --chrony" },
	{ HPT_WALL_SOURCE_VMCLOCK, HPT_WALL_REASON_ABSENT,
	  "the hypervisor must have a VMClock, and the kernel its driver" },
	{ HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_ABSENT,
	  "a network card with a clock is needed; --phc gives its device" },
	{ HPT_WALL_SOURCE_FBCLOCK, HPT_WALL_REASON_ABSENT, "start fbclock's daemon" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_DENIED, "ask by UDP, as --chrony=127.0.0.1:323 does" },
	{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_DENIED, "a filter of system calls must allow adjtimex" },
	{ ANY, HPT_WALL_REASON_DENIED, "let this user read it, for a device by a rule of udev" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_NO_ANSWER,
	  "chronyd hangs, or a packet filter drops its answers: look at 'chronyc tracking'" },
	{ HPT_WALL_SOURCE_CLOCKBOUND, HPT_WALL_REASON_UNSYNCED, "look at its daemon's log, and at 'chronyc tracking'" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_UNSYNCED, "'chronyc sources' shows the servers that chronyd hears" },
	{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_UNSYNCED, "nothing keeps the clock: start chronyd, with rtcsync" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_OLD, "'chronyc sources' shows the servers that chronyd hears" },
	{ HPT_WALL_SOURCE_CLOCKBOUND, HPT_WALL_REASON_OLD, "start its daemon again" },
	{ HPT_WALL_SOURCE_FBCLOCK, HPT_WALL_REASON_OLD, "start its daemon again" },
	{ ANY, HPT_WALL_REASON_OTHER_COUNTER, "--source can name that counter" },
	{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_NO_BOUND,
	  "it has measured nothing yet, or has reference clocks alone: --refclock-error states how wrong they are" },
	{ HPT_WALL_SOURCE_VMCLOCK, HPT_WALL_REASON_NO_BOUND, "it serves reads as a sign of disruptions" },
	{ HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_NO_BOUND, "state by --phc-error how wrong it may be" },
	{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_ZERO_ERROR, "use chronyd, with rtcsync" },
	{ ANY, HPT_WALL_REASON_STEPPED, "ask again" },
	{ ANY, HPT_WALL_REASON_TORN, "ask again; if that does not help, start its daemon again" },
	{ ANY, HPT_WALL_REASON_NAMESPACE, "run this command outside of the time namespace" },
	{ HPT_WALL_SOURCE_PHC, HPT_WALL_REASON_NO_TIMESCALE,
	  "--phc-timescale states it; TAI also needs a source that knows by how much it differs" },
	{ ANY, HPT_WALL_REASON_CONTRADICTED, "find out which source is wrong; --trust names those that are right" },
};

const char *wall_advice(uint32_t source, uint32_t reason)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].reason == reason && (rows[i].source == source || rows[i].source == ANY))
			return rows[i].text;
	return NULL;
}
