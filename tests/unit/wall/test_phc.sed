# SPDX-License-Identifier: MIT

#: lib/wall/phc.c phc
s/^#define DEFAULT_PATH "\/dev\/ptp0"/#define DEFAULT_PATH "\/dev\/ptp1"/
s/\*at >= '0' \&\& \*at <= '9' \&\& value < UINT32_MAX/*at >= '0' \&\& value < UINT32_MAX/
s/ || (\*at \&\& \*at != '\\n') || / || /
s/ || !value || value >= UINT32_MAX)/ || value >= UINT32_MAX)/
s/ || !value || value >= UINT32_MAX)/ || !value)/
s/^	\*ret_ns = ask->config->phc_error_ns;/	*ret_ns = 0;/
s/if (!is_ena(env, phc))/if (false)/
s/if (r == -ENOENT)/if (false)/
s/return HPT_WALL_REASON_UNSYNCED;/return HPT_WALL_REASON_NO_BOUND;/
s/!strncmp(name, ENA_NAME, sizeof(ENA_NAME) - 1);/true;/
s/^	if (ask->config->phc_timescale)/	if (false)/
s/is_ena(ask->clk->src.env, phc) ? HPT_WALL_TIMESCALE_UTC : 0;/HPT_WALL_TIMESCALE_UTC;/
s/ \&\& hpt_leap_is_tai_offset(s) ? / ? /
s/return s == tai_seconds(tai_ns, after_ns) ? s : 0;/return s;/
s/if (!i || b.after - b.before <= best.after - best.before)/if (true)/
s/ticks -= hpt_scale_round(ticks, hpt_scale_of(ppb, PPB)) + (int64_t)rec->granularity.ticks + 2;/ticks += 200;/
s/\*before = first->before + least_ticks/*before = first->after + 200 + least_ticks/
s/\*after = last->after - least_ticks/*after = last->before - 200 - least_ticks/
s/^	\*before = first->before + least_ticks.*/	;/
s/if (!clk->src.own_time \&\& (ret->raw_before_ns/if ((ret->raw_before_ns/
s/(ret->raw_before_ns < first.raw_ns || /(/
s/ || ret->raw_after_ns > last.raw_ns + 1 ||/ ||/
s/utc_ns -= ret->tai_offset_s \* NS_PER_S;/;/
s/if (!timescale || (timescale == HPT_WALL_TIMESCALE_TAI \&\& !ret->tai_offset_s))/if (!timescale)/
s/if (!timescale || (timescale == HPT_WALL_TIMESCALE_TAI \&\& !ret->tai_offset_s))/if (timescale == HPT_WALL_TIMESCALE_TAI \&\& !ret->tai_offset_s)/
s/	if (ask->config->phc_error_ns)$/	if (0)/
s/	if (ask->config->phc_error_ns)$/	if (1)/
s/hpt_sum(utc_ns, -error_ns);/utc_ns;/
s/hpt_sum(hpt_sum(utc_ns, error_ns), 1);/hpt_sum(utc_ns, error_ns);/
s/if (!hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))/if (false)/
s/clk->src.env->ptp_read ? clk->src.env->ptp_read(phc_path(ask), ret) : -ENODEV;/clk->src.env->ptp_read(phc_path(ask), ret);/
