/* SPDX-License-Identifier: MIT */
/* UIO devices in the fake sysfs of fake_env. */
#ifndef HPT_TEST_FAKE_UIO_H
#define HPT_TEST_FAKE_UIO_H

#include <stdint.h>

/* Adds /sys/class/uio/uioN with these lines, without their ends; NULL: no such file. Removed at exit. */
void fake_uio_add(uint32_t number, const char *name, const char *offset, const char *size);

/* Removes all that were added. */
void fake_uio_remove(void);

#endif
