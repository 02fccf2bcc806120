# SPDX-License-Identifier: MIT

#: lib/sleep/contention.c
s/#define MOST 2000/#define MOST 4000/
s/#define ON   1100/#define ON   1400/
s/#define ON   1100/#define ON   800/
s/#define OFF  330/#define OFF  700/
s/#define OFF  330/#define OFF  100/
s/late_ns > HPT_CONTENTION_QUEUED_NS/late_ns >= HPT_CONTENTION_QUEUED_NS/
s/ \&\& waited_ns <= HPT_CONTENTION_LONGEST_NS//
s/waited_ns <= HPT_CONTENTION_LONGEST_NS/waited_ns < HPT_CONTENTION_LONGEST_NS/
s/waited_ns <= HPT_CONTENTION_LONGEST_NS/waited_ns > 0/
s/queued < MOST ? queued : MOST/queued/
s/c->is_on ? OFF : ON/ON/
s/#define PART 256/#define PART 128/
s/#define AFTER 2000/#define AFTER 1999/
s/#define AFTER 2000/#define AFTER 2001/
s/c->is_on || (was_queued \&\& c->after)/c->is_on/
s/(was_queued \&\& c->after)/was_queued/
