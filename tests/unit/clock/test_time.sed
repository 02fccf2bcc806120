# SPDX-License-Identifier: MIT

#: lib/clock/time.c
s/if (size < sizeof(text))/if (0)/
s/above_ns < 0 || //
s/ || above_ns >= NS_PER_S)/)/
s/return ts ? from_seconds(clk, ts->sec, ts->nsec, ret) : -EINVAL;/return from_seconds(clk, ts->sec, ts->nsec, ret);/
/^COLD int hpt_time_format/,/^}/s/if (!buf)/if (0)/
/^static int from_wide_ns/,/^}/s/if (!ret)/if (0)/
/^int hpt_time_to_unix_ticks/,/^}/s/if (!ret)/if (0)/
/^int hpt_time_to_timespec/,/^}/s/if (!ret)/if (0)/
s/return ret ? hpt_wide_narrow(time_to_wide_ns(clk, t), ret) : -EINVAL;/return hpt_wide_narrow(time_to_wide_ns(clk, t), ret);/
s/return furthest(clk, INT64_MIN);/return furthest(clk, INT64_MIN) - 1;/
s/return furthest(clk, INT64_MAX);/return furthest(clk, INT64_MAX) + 1;/
s/e = unix_time_for(clk, about);/;/
