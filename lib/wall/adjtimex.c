// SPDX-License-Identifier: MIT
/*
 * The source KERNEL: the error that the daemon which sets the system's clock has stated to the kernel, by adjtimex(2).
 * On request only: systemd-timesyncd and phc2sys leave zeros there, and nothing says which daemon wrote it.
 */
#include <errno.h>
#include <sys/timex.h>

#include "arch/arch.h"
#include "math/units.h"
#include "wall/leap.h"
#include "wall/realtime.h"
#include "wall/wall_source.h"

/* kernel/time/ntp.c: NTP_PHASE_LIMIT, at which the kernel stops counting. It then sets STA_UNSYNC. */
#define MAXERROR_LIMIT_US 16000000

/*
 * second_overflow() adds 500 us to maxerror at each second (MAXFREQ), so that it is up to that much short before the
 * next one; and maxerror is cut to microseconds.
 */
#define STAIR_NS 500000
#define CUT_NS   1000

/* kernel/time/ntp.c: MAXPHASE is half a second. */
#define OFFSET_MOST_NS NS_PER_S
#define OFFSET_MOST_US 1000000

/*
 * ntpd clears STA_UNSYNC as it starts, with MAXDISPERSE, 16 s, in both errors as if they were seconds; they are
 * microseconds (NTPsec 1.2.2, ntp_loopfilter.c: start_kern_loop()). It says no more until its first offset has settled,
 * for 300 s or longer. The kernel meanwhile adds MAXFREQ to maxerror at each second.
 */
#define NTPD_START_US 16
#define MAXFREQ_US    500

static COLD bool is_ntpd_starting(const struct timex *tx)
{
	return tx->esterror == NTPD_START_US && tx->maxerror % MAXFREQ_US == NTPD_START_US;
}

/* The rest of an offset that the kernel's PLL is working off: UTC less CLOCK_REALTIME, if the writer was right. */
static COLD int64_t pending_ns(const struct timex *tx)
{
	return tx->status & STA_NANO ? tx->offset : (int64_t)tx->offset * 1000;
}

/*
 * The kernel clears its state as CLOCK_REALTIME is set, but the daemon that writes maxerror does so again before it has
 * noticed: see chrony.c. Eight of NTP's default intervals, 64 s (RFC 5905: MINPOLL is 16 s, ntpd and chronyd begin with
 * 64 s).
 */
#define SETTLE_NS (8 * 64 * NS_PER_S)

/* chronyd without rtcsync leaves STA_UNSYNC set, and writes a good maxerror. */
static COLD bool is_usable(const struct hpt_wall_ask *ask, const struct timex *tx, int state)
{
	if (tx->maxerror >= MAXERROR_LIMIT_US || tx->status & STA_CLOCKERR)
		return false;
	if (tx->status & STA_UNSYNC || state == TIME_ERROR)
		return ask->config->trusted & HPT_WALL_SOURCE_KERNEL;
	return true;
}

/* In the second itself; or TIME_ERROR hides whether it is past, while the order to insert it stands for hours. */
static COLD bool is_in_leap(const struct timex *tx, int state)
{
	return state == TIME_OOP || (state == TIME_ERROR && tx->status & (STA_INS | STA_DEL));
}

/* At the end of the UTC day. The order stands on after it, in TIME_WAIT. */
static COLD enum hpt_wall_leap leap_of_status(const struct timex *tx, int state)
{
	if (state == TIME_ERROR)
		return HPT_WALL_LEAP_UNKNOWN;
	if (state == TIME_WAIT)
		return HPT_WALL_LEAP_ABSENT;
	return state == TIME_INS || tx->status & STA_INS ? HPT_WALL_LEAP_INSERTED :
	       state == TIME_DEL || tx->status & STA_DEL ? HPT_WALL_LEAP_LEFT_OUT : HPT_WALL_LEAP_ABSENT;
}

static COLD bool is_possible_timex(const struct timex *tx)
{
	long most = tx->status & STA_NANO ? OFFSET_MOST_NS : OFFSET_MOST_US;

	return tx->maxerror >= 0 && tx->esterror >= 0 && tx->offset >= -most && tx->offset <= most;
}

static COLD uint32_t timex_refusal(const struct hpt_wall_ask *ask, const struct timex *tx, int state)
{
	if (!is_possible_timex(tx))
		return HPT_WALL_REASON_ABSURD;
	if (!tx->maxerror || !tx->esterror)
		return HPT_WALL_REASON_ZERO_ERROR;
	if (is_ntpd_starting(tx))
		return HPT_WALL_REASON_NO_BOUND;
	if (!is_usable(ask, tx, state))
		return HPT_WALL_REASON_UNSYNCED;
	if (is_in_leap(tx, state))
		return HPT_WALL_REASON_LEAP;
	return HPT_WALL_REASON_NONE;
}

/*
 * Writers do not agree whether maxerror is about CLOCK_REALTIME or about where the pending offset will bring it. The
 * sample allows for both.
 */
static COLD uint32_t judge_timex(const struct hpt_wall_ask *ask, const struct timex *tx, int state,
				 const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b,
				 struct hpt_wall_reading *ret)
{
	int64_t error_ns = (int64_t)tx->maxerror * 1000 + CUT_NS + STAIR_NS, offset_ns = pending_ns(tx);

	ret->leap = leap_of_status(tx, state);
	ret->sample.flags = HPT_WALL_FLAG_CLAIMED;
	ret->settle_ns = SETTLE_NS;
	if (hpt_leap_is_tai_offset(tx->tai))
		ret->tai_offset_s = tx->tai;
	return hpt_realtime_sample(ask, a, b, (offset_ns < 0 ? offset_ns : 0) - error_ns,
				   (offset_ns > 0 ? offset_ns : 0) + error_ns, &ret->sample);
}

static COLD uint32_t ask_kernel(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	const struct hpt_env *env = ask->clk->src.env;
	struct hpt_realtime_mark a, b;
	struct timex tx;
	uint32_t reason;
	int r;

	if (!env->adjtimex)
		return hpt_wall_ask_failed(ask, -ENOSYS);
	reason = hpt_realtime_mark(ask, &a);
	if (reason)
		return reason;
	r = env->adjtimex(&tx);
	if (r < 0)
		return hpt_wall_ask_failed(ask, r);
	reason = hpt_realtime_mark(ask, &b);
	if (!reason)
		reason = timex_refusal(ask, &tx, r);
	return reason ? reason : judge_timex(ask, &tx, r, &a, &b, ret);
}

const struct hpt_wall_source_ops hpt_wall_kernel = {
	.id = HPT_WALL_SOURCE_KERNEL,
	.is_on_request = true,
	.ask = ask_kernel,
};
