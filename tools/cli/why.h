/* SPDX-License-Identifier: MIT */
/* Why a text is not the value that an option or operand needs, as the middle of a message. */
#ifndef HPT_TOOLS_WHY_H
#define HPT_TOOLS_WHY_H

/* The forms that were allowed. */
#define WHY_DURATION 1
#define WHY_TIME     2
#define WHY_TICKS    4      /* both of them in ticks too */
#define WHY_BARE     8      /* a duration without a unit counts seconds */

struct why { char s[160]; };

/* For a text that the functions of parse.h refused: "February 2026 has 28 days". */
struct why why_refused(const char *text, unsigned forms);

#endif
