/* SPDX-License-Identifier: MIT */
/* Reads the clock of a network card, or another PTP hardware clock (PHC), by ioctls on its device: /dev/ptp0. */
#ifndef HPT_PTP_H
#define HPT_PTP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The device's clock was at device_ns at some moment from raw_before_ns to raw_after_ns, times of CLOCK_MONOTONIC_RAW.
 * device_ns is rounded down to whole nanoseconds. major and minor are the device's numbers, by which sysfs has it.
 */
struct hpt_ptp_reading {
	int64_t  device_ns;
	int64_t  raw_before_ns, raw_after_ns;
	uint32_t major, minor;
};

/*
 * Opens the device, reads its clock, closes it. 0; -errno; -HPT_ENOTDEVICE: the path is no PTP device; -ERANGE: the
 * device states an impossible time. *ret is untouched on failure. May change errno.
 */
int hpt_ptp_read(const char *path, struct hpt_ptp_reading *ret);

/* The same of an open device, with ioctl(2) replaced by a function that returns its result or -errno: for tests. */
typedef int hpt_ptp_ioctl_fn(int fd, unsigned long request, void *arg);
int hpt_ptp_ask(int fd, hpt_ptp_ioctl_fn *call, struct hpt_ptp_reading *ret);

#endif
