# SPDX-License-Identifier: MIT

#: lib/preload/backoff.c
s/if (b->process != process)/if (!b->process)/
s/\*b = (struct hpt_backoff){ .process = process };/b->process = process;/
s/return now_ns < b->until_ns \&\& b->until_ns <= now_ns + HPT_BACKOFF_MOST_NS;/return now_ns < b->until_ns;/
s/return now_ns < b->until_ns \&\&/return now_ns <= b->until_ns \&\&/
s/if (late_ns < HPT_BACKOFF_LATE_NS) {/if (late_ns <= HPT_BACKOFF_LATE_NS) {/
s/b->length_ns -= b->length_ns \/ FADE;/;/
s/b->length_ns -= b->length_ns \/ FADE;/b->length_ns = 0;/
s/#define FADE 32/#define FADE 320/
s/if (b->length_ns < HPT_BACKOFF_LEAST_NS \/ 2)/if (0)/
s/b->length_ns < HPT_BACKOFF_MOST_NS \/ 2 ? 2 \* b->length_ns : HPT_BACKOFF_MOST_NS;/2 * b->length_ns;/
s/b->length_ns < HPT_BACKOFF_MOST_NS \/ 2 ? 2 \* b->length_ns :/b->length_ns < HPT_BACKOFF_MOST_NS \/ 2 ? b->length_ns :/
s/b->until_ns = now_ns + b->length_ns;/;/
