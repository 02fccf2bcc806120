/* SPDX-License-Identifier: MIT */
/* Units of time and of shares, each as an integer. */
#ifndef HPT_UNITS_H
#define HPT_UNITS_H

#include <stdint.h>

#define FS_PER_NS INT64_C(1000000)
#define PS_PER_NS INT64_C(1000)
#define PS_PER_US INT64_C(1000000)
#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_H  (3600 * NS_PER_S)
#define US_PER_S  INT64_C(1000000)

/* Parts per billion and per million of a whole, and of one per cent. */
#define PPB             INT64_C(1000000000)
#define PPM             INT64_C(1000000)
#define PPM_PER_PERCENT INT64_C(10000)

#endif
