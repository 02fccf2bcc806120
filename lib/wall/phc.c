// SPDX-License-Identifier: MIT
/*
 * The source PHC: the clock of a network card. The device is read between two times of CLOCK_MONOTONIC_RAW, which
 * nobody sets or slews, and these are brought to ticks by brackets taken before and after.
 *
 * A PHC states no bound of its own, and not whether it counts UTC or TAI. Both are known of Amazon's ENA, whose driver
 * gives no bound while the device has no valid time. Of others the program says it, and nobody sees if ptp4l or ts2phc
 * has died or lost its master since: the clock goes on by its own rate. So such samples are CLAIMED.
 */
#include <errno.h>
#include <string.h>

#include "math/decimal.h"
#include "math/units.h"
#include "arch/arch.h"
#include "machine/file_read.h"
#include "machine/ptp.h"
#include "clock/timekeeper.h"
#include "wall/leap.h"
#include "wall/wall_source.h"

#define DEFAULT_PATH "/dev/ptp0"

/*
 * ENA's PHC. The name is of amzn-drivers' ena_phc.c, ena_phc_register(); Amazon's udev rule for /dev/ptp_ena goes by it
 * as well. It counts UTC, not smeared: Amazon's user guide, "Set the time reference on your EC2 instance", has chronyd
 * use it without the option tai, and says that it does not smear.
 */
#define ENA_NAME "ena-ptp-"

/*
 * "The maximum allowable difference between the clock of the device and the reference clock" in nanoseconds, "retrieved
 * and cached by the driver upon every get PHC timestamp request": amzn-drivers' ena.rst, "PHC error bound". So it is
 * read after the clock. While the device has no valid time the file gives EBUSY: ena_com_phc_get_error_bound().
 */
#define ENA_BOUND "/device/phc_error_bound"

/*
 * How far counter and CLOCK_MONOTONIC_RAW may drift apart meanwhile: the OS clock's counter is bent by 10.05 % (see
 * wall_rules.c), others are off by the error of their rate, and by 100 ppm more, 3 ns in 30 us.
 */
#define BENT_PPB  100500000u
#define DRIFT_PPB 100000u

#define PHC_BRACKETS 4

/* ---- What the driver states ---------------------------------------------------------------------------------- */

/* Reads a line of the device's folder in sysfs. Its length; -errno. */
static int read_line(const struct hpt_env *env, const struct hpt_ptp_reading *phc, const char *name, char *ret,
		     size_t size)
{
	char path[64] = "/sys/dev/char/"; /* 10 digits at most for each number */
	ssize_t n;

	hpt_decimal_append(path, phc->major);
	hpt_decimal_append(strcat(path, ":"), phc->minor);
	errno = 0;
	n = hpt_file_read(env, strcat(path, name), ret, size - 1);
	if (n <= 0)
		return errno ? -errno : -EIO;
	ret[n] = '\0';
	return (int)n;
}

static bool is_ena(const struct hpt_env *env, const struct hpt_ptp_reading *phc)
{
	char name[64];

	return read_line(env, phc, "/clock_name", name, sizeof(name)) > 0 &&
	       !strncmp(name, ENA_NAME, sizeof(ENA_NAME) - 1);
}

/* 32 bits, all ones stand for none: ENA_PHC_MAX_ERROR_BOUND. */
static bool parse_bound(const char *text, int64_t *ret)
{
	uint64_t value = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && value < UINT32_MAX; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	if (at == text || (*at && *at != '\n') || !value || value >= UINT32_MAX)
		return false;
	*ret = (int64_t)value;
	return true;
}

/* How wrong the device may be. NONE, or the reason why that is not known. */
static uint32_t find_error(struct hpt_wall_ask *ask, const struct hpt_ptp_reading *phc, int64_t *ret_ns)
{
	const struct hpt_env *env = ask->clk->src.env;
	char text[16];
	int r;

	*ret_ns = ask->config->phc_error_ns;
	if (*ret_ns)
		return HPT_WALL_REASON_NONE;
	if (!is_ena(env, phc))
		return HPT_WALL_REASON_NO_BOUND;
	r = read_line(env, phc, ENA_BOUND, text, sizeof(text));
	if (r == -ENOENT)
		return HPT_WALL_REASON_NO_BOUND;
	if (r == -EACCES || r == -EPERM)
		return hpt_wall_ask_failed(ask, r);
	if (r < 0)
		return HPT_WALL_REASON_UNSYNCED;
	return parse_bound(text, ret_ns) ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_ABSURD;
}

static uint32_t find_timescale(const struct hpt_wall_ask *ask, const struct hpt_ptp_reading *phc)
{
	if (ask->config->phc_timescale)
		return ask->config->phc_timescale;
	return is_ena(ask->clk->src.env, phc) ? HPT_WALL_TIMESCALE_UTC : 0;
}

/* CLOCK_TAI less CLOCK_REALTIME in seconds, which the daemon that sets the kernel's clock states; 0: none has. */
static int32_t tai_seconds(int64_t tai_ns, int64_t real_ns)
{
	int64_t less_ns = tai_ns - real_ns, s = (less_ns + NS_PER_S / 2) / NS_PER_S;

	return less_ns >= 0 && hpt_leap_is_tai_offset(s) ? (int32_t)s : 0;
}

/*
 * TAI less UTC by the kernel, as chronyd (leapsectz) or ptp4l with phc2sys set it; 0: unknown. If the clock is set
 * between the reads, that shows, because CLOCK_REALTIME is read before and after.
 */
static int32_t find_tai_offset_s(const struct hpt_wall_ask *ask)
{
	const struct hpt_env *env = ask->clk->src.env;
	int64_t before_ns, tai_ns, after_ns;
	int32_t s;

	if (env->try_clock(CLOCK_REALTIME, false, &before_ns) || env->try_clock(CLOCK_TAI, false, &tai_ns) ||
	    env->try_clock(CLOCK_REALTIME, false, &after_ns))
		return 0;
	s = tai_seconds(tai_ns, before_ns);
	return s == tai_seconds(tai_ns, after_ns) ? s : 0;
}

/* ---- Ticks --------------------------------------------------------------------------------------------------- */

/* CLOCK_MONOTONIC_RAW was raw_ns at some moment from tick `before` to tick `after`. */
struct bracket {
	uint64_t before, after;
	int64_t  raw_ns;
};

static struct bracket take_bracket(struct hpt_clock *clk)
{
	struct bracket best = { 0 };

	for (int i = 0; i < PHC_BRACKETS; i++) {
		struct bracket b;

		b.before = clk->src.read(&clk->src);
		b.raw_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC_RAW);
		b.after = clk->src.read(&clk->src);
		if (!i || b.after - b.before <= best.after - best.before)
			best = b;
	}
	return best;
}

/* The fewest ticks that pass in ns nanoseconds of CLOCK_MONOTONIC_RAW; both clocks move by steps. */
static uint64_t least_ticks(const struct hpt_record *rec, int64_t ns)
{
	uint64_t ppb = hpt_record_is_exact(rec) ? BENT_PPB : 2 * rec->rate.error_ppb + DRIFT_PPB;
	int64_t ticks;

	ns -= (int64_t)rec->granularity.ref_ns + 1;
	if (ns <= 0 || ppb >= PPB)
		return 0;
	ticks = hpt_scale_round(ns, rec->convert.tick_per_ns);
	ticks -= hpt_scale_round(ticks, hpt_scale_of(ppb, PPB)) + (int64_t)rec->granularity.ticks + 2;
	return ticks > 0 ? (uint64_t)ticks : 0;
}

/* A clock with its own time knows no other: the ticks around all of it then. */
static void narrow_reading(struct hpt_clock *clk, const struct bracket *first, const struct bracket *last,
			   const struct hpt_ptp_reading *phc, uint64_t *before, uint64_t *after)
{
	struct hpt_record rec;

	if (clk->src.own_time)
		return;
	(void)hpt_timekeeper_current(clk, &rec);
	if (hpt_record_is_learning(&rec))
		return;
	*before = first->before + least_ticks(&rec, phc->raw_before_ns - first->raw_ns);
	*after = last->after - least_ticks(&rec, last->raw_ns - phc->raw_after_ns);
}

/* ---- The source ---------------------------------------------------------------------------------------------- */

static COLD const char *phc_path(const struct hpt_wall_ask *ask)
{
	return ask->config->phc_path[0] ? ask->config->phc_path : DEFAULT_PATH;
}

static uint32_t read_device(struct hpt_wall_ask *ask, struct hpt_ptp_reading *ret, struct hpt_wall_sample *sample)
{
	struct hpt_clock *clk = ask->clk;
	struct bracket first = take_bracket(clk), last;
	uint64_t before = first.before, after;
	int r = clk->src.env->ptp_read ? clk->src.env->ptp_read(phc_path(ask), ret) : -ENODEV;

	if (r)
		return hpt_wall_ask_failed(ask, r);
	last = take_bracket(clk);
	after = last.after;
	/* Between the two all three readings follow each other, or somebody replaces libc's clocks. */
	if (!clk->src.own_time && (ret->raw_before_ns < first.raw_ns || ret->raw_after_ns > last.raw_ns + 1 ||
				   ret->raw_after_ns < ret->raw_before_ns))
		return HPT_WALL_REASON_STEPPED;
	narrow_reading(clk, &first, &last, ret, &before, &after);
	sample->before = (hpt_time_t)before;
	sample->after = (hpt_time_t)after;
	return HPT_WALL_REASON_NONE;
}

static uint32_t set_card_interval(const struct hpt_wall_ask *ask, const struct hpt_ptp_reading *phc, int64_t error_ns,
				  struct hpt_wall_reading *ret)
{
	uint32_t timescale = find_timescale(ask, phc);
	int64_t utc_ns = phc->device_ns;

	if (timescale == HPT_WALL_TIMESCALE_TAI) {
		ret->tai_offset_s = find_tai_offset_s(ask);
		utc_ns -= ret->tai_offset_s * NS_PER_S;
	}
	if (!timescale || (timescale == HPT_WALL_TIMESCALE_TAI && !ret->tai_offset_s))
		return HPT_WALL_REASON_NO_TIMESCALE;
	ret->sample.earliest_ns = hpt_sum(utc_ns, -error_ns);
	ret->sample.latest_ns = hpt_sum(hpt_sum(utc_ns, error_ns), 1); /* device_ns is rounded down */
	if (!hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))
		return HPT_WALL_REASON_ABSURD;
	return HPT_WALL_REASON_NONE;
}

static COLD uint32_t phc_ask(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	struct hpt_ptp_reading phc = { 0 };
	int64_t error_ns = 0;
	uint32_t reason = read_device(ask, &phc, &ret->sample);

	if (!reason)
		reason = find_error(ask, &phc, &error_ns);
	if (ask->config->phc_error_ns)
		ret->sample.flags = HPT_WALL_FLAG_CLAIMED;
	return reason ? reason : set_card_interval(ask, &phc, error_ns, ret);
}

const struct hpt_wall_source_ops hpt_wall_phc = { .id = HPT_WALL_SOURCE_PHC, .ask = phc_ask, .path = phc_path };
