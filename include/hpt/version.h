/* SPDX-License-Identifier: MIT */
/* The only place where libhpt's version numbers are written; Meson reads them from here. */
#ifndef LIBHPT_VERSION_H
#define LIBHPT_VERSION_H

/* Version of the package. The number is for comparisons: 10000 * MAJOR + 100 * MINOR + PATCH. */
#define HPT_VERSION_MAJOR  0
#define HPT_VERSION_MINOR  2
#define HPT_VERSION_PATCH  0
#define HPT_VERSION_NUMBER 200u
#define HPT_VERSION_STRING "0.2.0"

/* Version of the binary interface: libhpt.so.MAJOR, libhpt.so.MAJOR.MINOR. Not frozen before 1.0. */
#define HPT_ABI_MAJOR 0
#define HPT_ABI_MINOR 1

#endif
