// SPDX-License-Identifier: MIT
/* Asks how the kernel's clock is disciplined, in any sandbox: lib/machine/timex.h. */
#include "machine/timex.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

/* What the old call takes: the machine's own words. On 64-bit machines it is the same call again. */
struct timex_long {
	unsigned modes;
	long offset, freq, maxerror, esterror;
	int status;
	long constant, precision, tolerance, time[2], tick, ppsfreq, jitter;
	int shift;
	long stabil, jitcnt, calcnt, errcnt, stbcnt;
	int tai, reserved[11];
};

COLD int hpt_adjtimex(struct timex *ret)
{
	struct timex tx = { 0 };
	struct timex_long old = { 0 };
	int state = adjtimex(&tx);

	if (state < 0) {
		state = (int)syscall(SYS_adjtimex, &old);
		if (state < 0)
			return -errno;
		tx.offset = old.offset;
		tx.freq = old.freq;
		tx.maxerror = old.maxerror;
		tx.esterror = old.esterror;
		tx.status = old.status;
		tx.tick = old.tick;
		tx.tai = old.tai;
	}
	*ret = tx;
	return state;
}
