# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/if (at <= 0)/if (0)/
s/int64_t ret = hpt_wide_is_negative(sum) ? INT64_MIN : INT64_MAX;/int64_t ret = 0;/
s/sl->at = hpt_sum(sl->at, view.ns - since_ns + 1);/sl->at = hpt_sum(sl->at, view.ns + 1);/

#: lib/sleep/sleep.c
s/	if (hpt_deadline_is_over(sl))/	if (0)/
