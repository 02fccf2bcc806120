/* SPDX-License-Identifier: MIT */
/* Numbers and the library's constants as text. */
#ifndef HPT_TOOLS_FORMAT_H
#define HPT_TOOLS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Room for one number with its unit. */
struct hpt_formatted { char s[48]; };

struct hpt_formatted hpt_format_frequency(uint64_t uhz);   /* 2.300 000 GHz */
struct hpt_formatted hpt_format_ns(uint64_t ps);           /* 17.8 */
struct hpt_formatted hpt_format_ppm(int64_t ppb);          /* -0.012 */
struct hpt_formatted hpt_format_span(int64_t ns);          /* 40 ns, 12.3 us, 1.500 s */

/* "±" where the terminal's character set has it, else "+-". */
const char *hpt_format_plus_minus(void);

const char *hpt_format_yes(bool value);
const char *hpt_format_policy(uint32_t policy);
const char *hpt_format_class(uint32_t tsc_class);
const char *hpt_format_counter(uint32_t source);      /* "Arm generic timer" for ARCH; NULL for other sources */
const char *hpt_format_errno(uint32_t error);         /* "ENOENT"; NULL for 0 or a nameless one */

#endif
