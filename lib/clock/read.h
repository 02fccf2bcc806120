/* SPDX-License-Identifier: MIT */
/* The functions that hpt_now_ns(), hpt_now_ns_unordered() and the reads of the kernel's lines call. */
#ifndef HPT_READ_H
#define HPT_READ_H

#include <stddef.h>

#include "clock/clock.h"

/* A member's place in the record, in words. */
#define HPT_READ_WORD(member) (offsetof(struct hpt_record, read.member) / sizeof(hpt_word))

/* The word that holds a line's time at the start of its window, in whole ns, is what a read knows the line by. */
#define HPT_READ_UNIX      HPT_READ_WORD(unix_ns.at.ns)
#define HPT_READ_MONOTONIC HPT_READ_WORD(mono_ns.at.ns)
#define HPT_READ_BOOTTIME  HPT_READ_WORD(boot_at_ns)
#define HPT_READ_TAI       HPT_READ_WORD(tai_at_ns)

/* Sets these functions of the clock by its source. Called once, while a clock is made. */
void hpt_read_set(struct hpt_clock *clk);

#endif
