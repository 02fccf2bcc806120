/* SPDX-License-Identifier: MIT */
/* Finds a device of Linux's userspace I/O (UIO) by the name that its driver or the device tree gives it. */
#ifndef HPT_UIO_H
#define HPT_UIO_H

#include "machine/env.h"

/* The numbers of devices that are looked at. */
#define HPT_UIO_DEVICES 256u

struct hpt_uio {
	char     path[64]; /* of its node in /dev */
	uint64_t offset;   /* where its registers begin in its first map, in bytes */
	uint64_t size;     /* bytes of that map */
};

/*
 * Finds the device of this name with the lowest number, by sysfs alone: opens no device. 0; -ENODEV: no device has
 * the name, or it has no map.
 */
int hpt_uio_find(const struct hpt_env *env, const char *name, struct hpt_uio *ret);

#endif
