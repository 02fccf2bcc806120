/* SPDX-License-Identifier: MIT */
/* The only place where libhpt's version numbers are written; Meson reads them from here. */
#ifndef LIBHPT_VERSION_H
#define LIBHPT_VERSION_H

/* Version of the package. The number is for comparisons: 10000 * MAJOR + 100 * MINOR + PATCH. */
#define HPT_VERSION_MAJOR  1
#define HPT_VERSION_MINOR  0
#define HPT_VERSION_PATCH  0
#define HPT_VERSION_NUMBER 10000u
#define HPT_VERSION_STRING "1.0.0"

/* 1 if these headers are of this version or a later one, for #if and for expressions. */
#define HPT_CHECK_VERSION(major, minor, patch) \
	(HPT_VERSION_NUMBER >= 10000u * (major) + 100u * (minor) + (patch))

/* Version of the binary interface: libhpt.so.MAJOR, libhpt.so.MAJOR.MINOR. */
#define HPT_ABI_MAJOR 1
#define HPT_ABI_MINOR 0

#endif
