# SPDX-License-Identifier: MIT

#: tools/exam.c
s/if (check->pairs\[i\].backwards)/if (0)/
s/check->error || //
s/ || !all_are_compared(check)//
s/check->pairs\[i\].cpu_a == check->cpus\[0\] \&\& //
s/hpt_warp_pair_width(pair) < check->width_limit_ticks/1/
s/pair->backwards || (/(/
s/ ? direct : most + second/ ? direct : direct/
s/!hpt_exam_rate_ok(check) || //
s/check->before.state != HPT_STATE_OK || //
s/ || check->after.state != HPT_STATE_OK//
s/check->after.generation != check->before.generation/0/
s/check->drift_allowed_ppb >= UINT32_MAX/0/
s/ || check->drift.raw_ns <= 0//
s/ || size - check->drift_allowed_ppb <= check->drift.uncertainty_ppb//
s/info->source == HPT_SOURCE_OS ? ntp_ppb() : //
