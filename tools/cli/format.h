/* SPDX-License-Identifier: MIT */
/* Numbers and the library's constants as text. */
#ifndef HPT_TOOLS_FORMAT_H
#define HPT_TOOLS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Room for one number with its unit. */
struct formatted { char s[48]; };

struct formatted format_frequency(uint64_t uhz);   /* 2.300 000 GHz */
struct formatted format_ns(uint64_t ps);           /* 17.8 */
struct formatted format_ppm(int64_t ppb);          /* -0.012 */
struct formatted format_span(int64_t ns);          /* 40 ns, 12.3 us, 1.500 s */

/* "±" where the terminal's character set has it, else "+-". */
const char *format_plus_minus(void);

const char *format_yes(bool value);
const char *format_policy(uint32_t policy);
const char *format_class(uint32_t tsc_class);
const char *format_counter(uint32_t source);      /* "Arm generic timer" for ARCH; NULL for other sources */
const char *format_errno(uint32_t error);         /* "ENOENT"; NULL for 0 or a nameless one */

#endif
