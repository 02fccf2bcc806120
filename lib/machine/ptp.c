// SPDX-License-Identifier: MIT
/* Reads PTP hardware clocks: lib/machine/ptp.h. The ioctls are those of Linux's include/uapi/linux/ptp_clock.h. */
#include "machine/ptp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/env.h"
#include "machine/sys_clock.h"

/*
 * A read of a device takes 1 to 30 us. One that took longer was interrupted, and is tried again: twice at most, because
 * ENA refuses more than 125 reads a second by all programs together (Linux's Documentation, ena.rst, "PHC timestamp").
 */
#define GOOD_NS 30000
#define PTP_TRIES   3

#define MOST_S   (INT64_MAX / NS_PER_S)

/* What ioctl() takes. The kernel looks at 32 bits. */
#ifdef __GLIBC__
typedef unsigned long request_t;
#else
typedef int request_t; /* POSIX, musl */
#endif

struct question {
	int fd;
	hpt_ptp_ioctl_fn *call;
};

static bool ptp_to_ns(const struct ptp_clock_time *t, int64_t *ret)
{
	if (t->sec < 0 || t->sec >= MOST_S || t->nsec >= NS_PER_S)
		return false;
	*ret = t->sec * NS_PER_S + t->nsec;
	return true;
}

/* Asks between two readings of CLOCK_MONOTONIC_RAW, which *ret keeps. */
static int ask_card(const struct question *q, unsigned long request, void *arg, struct hpt_ptp_reading *ret)
{
	int64_t before_ns, after_ns;
	int r;

	if (!hpt_sys_clock_ns(CLOCK_MONOTONIC_RAW, &before_ns))
		return -errno;
	r = q->call(q->fd, request, arg);
	if (r < 0)
		return r;
	if (!hpt_sys_clock_ns(CLOCK_MONOTONIC_RAW, &after_ns))
		return -errno;
	ret->raw_before_ns = before_ns;
	ret->raw_after_ns = after_ns + 1; /* all times are rounded down */
	return 0;
}

/*
 * Replaces both by closer ones that the kernel has read itself. False: these are not between them. So it is in a time
 * namespace, whose offset such times do not have.
 */
static bool narrow_offset(const struct ptp_clock_time *before, const struct ptp_clock_time *after,
			  struct hpt_ptp_reading *ret)
{
	int64_t before_ns, after_ns;

	if (!ptp_to_ns(before, &before_ns) || !ptp_to_ns(after, &after_ns) || before_ns > after_ns ||
	    before_ns < ret->raw_before_ns || after_ns >= ret->raw_after_ns)
		return false;
	ret->raw_before_ns = before_ns;
	ret->raw_after_ns = after_ns + 1;
	return true;
}

/* Device and CLOCK_MONOTONIC_RAW at one moment, by hardware. */
static int ask_precise(const struct question *q, struct hpt_ptp_reading *ret)
{
	struct ptp_sys_offset_precise offset = { 0 };
	int r = ask_card(q, PTP_SYS_OFFSET_PRECISE, &offset, ret);

	if (r)
		return r;
	return ptp_to_ns(&offset.device, &ret->device_ns) &&
	       narrow_offset(&offset.sys_monoraw, &offset.sys_monoraw, ret) ? 0 : -ERANGE;
}

/*
 * The driver reads a clock of the system before and after the device's register. Newer kernels let the caller name that
 * clock in what was the first reserved word (Linux's ptp_chardev.c: extoff->clockid), of which older ones say -EINVAL:
 * there it is CLOCK_REALTIME, which may be set or slewed meanwhile, and is of no use here.
 */
static int ask_extended(const struct question *q, bool by_raw, struct hpt_ptp_reading *ret)
{
	struct ptp_sys_offset_extended offset = { .n_samples = 1 };
	uint32_t clock = by_raw ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME;
	int r;

	/* Its name differs between versions of the header: rsv[0], clockid. */
	memcpy((char *)&offset + sizeof(offset.n_samples), &clock, sizeof(clock));
	r = ask_card(q, PTP_SYS_OFFSET_EXTENDED, &offset, ret);
	if (r)
		return r;
	if (by_raw)
		(void)narrow_offset(&offset.ts[0][0], &offset.ts[0][2], ret);
	return ptp_to_ns(&offset.ts[0][1], &ret->device_ns) ? 0 : -ERANGE;
}

/* The narrowest of a few, where the first is not narrow. */
static int ask_often(const struct question *q, struct hpt_ptp_reading *ret)
{
	struct hpt_ptp_reading reading = *ret;
	int64_t best_ns = INT64_MAX;
	bool by_raw = true;

	for (int tries = 0; tries < PTP_TRIES && best_ns > GOOD_NS; tries++) {
		int r = ask_extended(q, by_raw, &reading);

		if (r == -EINVAL && by_raw) {
			by_raw = false;
			r = ask_extended(q, by_raw, &reading);
		}
		if (r)
			return best_ns < INT64_MAX ? 0 : r;
		if (reading.raw_after_ns - reading.raw_before_ns < best_ns) {
			best_ns = reading.raw_after_ns - reading.raw_before_ns;
			*ret = reading;
		}
	}
	return 0;
}

COLD int hpt_ptp_ask(int fd, hpt_ptp_ioctl_fn *call, struct hpt_ptp_reading *ret)
{
	const struct question q = { fd, call };
	struct ptp_clock_caps caps = { 0 };
	struct hpt_ptp_reading reading = *ret;
	int r = call(fd, PTP_CLOCK_GETCAPS, &caps);

	if (r < 0)
		return r == -ENOTTY || r == -EINVAL ? -HPT_ENOTDEVICE : r;
	r = caps.cross_timestamping ? ask_precise(&q, &reading) : -EOPNOTSUPP;
	/* A device may be able to and the system not, whose clock has to be the counter that the device knows. */
	if (r)
		r = ask_often(&q, &reading);
	if (!r)
		*ret = reading;
	return r;
}

static int live_ioctl(int fd, unsigned long request, void *arg)
{
	int r = ioctl(fd, (request_t)request, arg);

	return r < 0 ? -errno : r;
}

COLD int hpt_ptp_read(const char *path, struct hpt_ptp_reading *ret)
{
	/* O_NONBLOCK, because opening a FIFO of this name would block. Reads of the clock need no right to write. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), r;
	struct hpt_ptp_reading reading = { 0 };
	struct stat st;

	if (fd < 0)
		return -errno;
	r = fstat(fd, &st) < 0 ? -errno : S_ISCHR(st.st_mode) ? 0 : -HPT_ENOTDEVICE;
	if (!r) {
		reading.major = major(st.st_rdev);
		reading.minor = minor(st.st_rdev);
		r = hpt_ptp_ask(fd, live_ioctl, &reading);
	}
	close(fd);
	if (!r)
		*ret = reading;
	return r;
}
