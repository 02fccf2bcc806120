/* SPDX-License-Identifier: MIT */
/*
 * x * num / den in integers, without the rounding of a fixed-point factor. Two divisions of 128 bits, bit by bit: for
 * paths that need not be fast. den and num are below 2^63 and not 0; the result must fit 127 bits.
 */
#ifndef HPT_RATIO_H
#define HPT_RATIO_H

#include "math/scale.h"

/* Rounded down. */
struct hpt_wide hpt_ratio_floor(struct hpt_wide x, uint64_t num, uint64_t den);

/* Rounded up. */
struct hpt_wide hpt_ratio_ceiling(struct hpt_wide x, uint64_t num, uint64_t den);

/* Rounded to nearest, halves away from zero. */
struct hpt_wide hpt_ratio_nearest(struct hpt_wide x, uint64_t num, uint64_t den);

/* The greatest common divisor; the other one if either is 0. */
uint64_t hpt_common_divisor(uint64_t a, uint64_t b);

#endif
