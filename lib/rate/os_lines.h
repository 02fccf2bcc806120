/* SPDX-License-Identifier: MIT */
/*
 * The lines of the kernel's other clocks, beside that of CLOCK_REALTIME which the samples compare with the counter: how
 * far CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_TAI are from it, and what a read of one of the four may be off. Pure
 * functions.
 */
#ifndef HPT_OS_LINES_H
#define HPT_OS_LINES_H

#include <time.h>

#include "rate/record.h"
#include "rate/sample.h"

/*
 * The kernel slews these clocks against CLOCK_MONOTONIC_RAW by up to 10 % (the tick of adjtimex(2)), 500 ppm (its
 * frequency) and 500 ppm (adjtime(3)). What a read may be off by grows this fast from the latest samples on: a slew may
 * begin and end at any moment.
 */
#define HPT_OS_LINES_SLEW_PPB UINT64_C(101000000)

/* The time of a tick on the line of the kernel's clock id; CLOCK_MONOTONIC_RAW stands for that of hpt_now_ns(). */
int64_t hpt_os_lines_ns(const struct hpt_record *rec, clockid_t id, uint64_t tick);

/* The nanoseconds of a tick on that line. */
struct hpt_scale hpt_os_lines_slope(const struct hpt_record *rec, clockid_t id);

/* The interval of CLOCK_MONOTONIC that follows from one of CLOCK_REALTIME and the offset that the record has. */
struct hpt_interval hpt_os_lines_monotonic(const struct hpt_record *rec, const struct hpt_interval *of_unix);

/* Takes the offsets of CLOCK_BOOTTIME and CLOCK_TAI from the samples. */
void hpt_os_lines_note(struct hpt_record *rec, const struct hpt_samples *samples);

/* CLOCK_BOOTTIME less CLOCK_MONOTONIC: as the samples have it, and as the record's lines have it. */
int64_t hpt_os_lines_boottime(const struct hpt_record *rec);
int64_t hpt_os_lines_boottime_used(const struct hpt_record *rec);

/* Sets CLOCK_BOOTTIME's line by that of CLOCK_MONOTONIC. */
void hpt_os_lines_set_boottime(struct hpt_record *rec, int64_t offset_ns);

/*
 * The same for a segment that begins at `start`, after that of `old`, on the line of CLOCK_MONOTONIC that the record
 * has by now: the offset of the samples, as far as the line does not step back.
 */
void hpt_os_lines_prolong_boottime(const struct hpt_record *old, struct hpt_record *rec, uint64_t start);

/* True if the samples of a record rule out the offset of CLOCK_BOOTTIME that those of the old one showed. */
bool hpt_os_lines_boottime_moved(const struct hpt_record *old, const struct hpt_record *rec);

/* Once the other lines are set: CLOCK_TAI's line, and the error of the offsets in use. */
void hpt_os_lines_finish(struct hpt_record *rec, const struct hpt_samples *samples);

/*
 * How far a read on any of the four lines at this tick may be from the kernel's clock, in ns rounded up, while nobody
 * steps it; INT64_MAX: not known. 0 where reads are the kernel's own.
 */
int64_t hpt_os_lines_error_ns(const struct hpt_record *rec, uint64_t tick);

#endif
