/* SPDX-License-Identifier: MIT */
/* Measured values for people: three significant digits, and commas between thousands. */
#ifndef HPT_TOOLS_AMOUNT_H
#define HPT_TOOLS_AMOUNT_H

#include <stddef.h>

struct amount { char s[48]; };

/* 0.058, 1.23, 10.2, 161, 39,300, 4,000,000. Of values below 1 at most three decimal places. */
struct amount amount_of(double v);

/* Without rounding: 110,505. */
struct amount amount_count(size_t n);

/* With the unit that reads best: 10.2 ns, 1.23 us, 24.0 ns, 86,400 s. Not finite: 0 ns. */
struct amount amount_time(double ps);

/* The same of a given time, which has no error: 4 ms, 24 ns. */
struct amount amount_length(double ps);

/* In per cent: 98.3 %, 0.016 %. Below 0.001 % four decimal places. Not finite: 0 %. */
struct amount amount_share(double ppm);

#endif
