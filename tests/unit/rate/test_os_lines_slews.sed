# SPDX-License-Identifier: MIT

#: lib/rate/os_lines.c
s/uint64_t error_ppb = HPT_OS_LINES_SLEW_PPB + rec->rate.error_ppb;/uint64_t error_ppb = rec->rate.error_ppb;/
#: lib/rate/next_record.c
s/return unix_interval_by(rec, samples, rec->convert.ns_per_tick, HPT_OS_LINES_SLEW_PPB);/return unix_interval(rec, samples);/
s/rec->calm_ns = is_slewed_fast(old, of_unix, event) ? 0 : calm_ns(old, of_unix);/rec->calm_ns = CALM_NS;/
s/return event == HPT_EVENT_NONE \&\& !hpt_record_is_learning(old) \&\&/return !hpt_record_is_learning(old) \&\&/
s/return event == HPT_EVENT_NONE \&\& !hpt_record_is_learning(old) \&\&/return event == HPT_EVENT_NONE \&\&/
s/#define FAST_SLEW_PPB   500000/#define FAST_SLEW_PPB   400000/
s/#define FAST_SEGMENT_NS NS_PER_MS/#define FAST_SEGMENT_NS (10 * NS_PER_MS)/
s/#define CALM_NS         NS_PER_S/#define CALM_NS         (NS_PER_S \/ 2)/
s/return old->calm_ns + since_ns < CALM_NS ? old->calm_ns + since_ns : CALM_NS;/return since_ns;/
s/if (since_ns < 0 || since_ns > CALM_NS)/if (0)/
