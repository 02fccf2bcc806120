# SPDX-License-Identifier: MIT

#: lib/wall/wall.c
s/	return memchr(text, 0, size);/	return true;/
s/return hpt_can_take(c, size, HPT_WALL_CONFIG_SIZE_V0, sizeof(\*c)) \&\& /return /
s/ \&\& c->rate_ppb < PPB \&\&$/ \&\&/
s/c->wander_ppb < PPB \&\& //
s/c->phc_timescale <= HPT_WALL_TIMESCALE_TAI \&\& //
s/!c->reserved \&\&$/1 \&\&/
s/c->phc_error_ns >= 0 \&\& //
s/c->max_width_ns >= 0 \&\& //
s/c->max_age_ns >= 0 \&\&/1 \&\&/
s/has_end(c->clockbound_path, sizeof(c->clockbound_path)) \&\&/1 \&\&/
s/has_end(c->vmclock_path, sizeof(c->vmclock_path)) \&\& //
s/has_end(c->phc_path, sizeof(c->phc_path)) \&\&/1 \&\&/
s/has_end(c->chrony_address, sizeof(c->chrony_address))/1/
s/!ret || flags/flags/
s/flags \& ~(uint32_t)HPT_WALL_OPEN_LEAP_COVER/flags \& ~7u/
s/!(c->sources \& ~HPT_WALL_SOURCES_ALL) \&\& //
s/!(c->trusted \& ~sources_of(c)) \&\&$/1 \&\&/
s/!(c->trusted \& ~sources_of(c)) \&\&$/!(c->trusted \& ~HPT_WALL_SOURCES_ALL) \&\&/
s/!(c->trusted \& ~sources_of(c)) \&\&$/!(c->trusted \& ~c->sources) \&\&/
s/HPT_WALL_SOURCES_ALL \& ~ON_REQUEST;/HPT_WALL_SOURCES_ALL;/
s/w->clk = hpt_clock_ref(clk);/w->clk = clk ? clk : hpt_clock_default();/
s/	w->is_guest = is_guest(w->clk->src.env);/	;/
s/	w->bell = hpt_bell_choose();/	w->bell = 1;/
s/	note_reasons(w);/	;/
s/	w->config = \*config;/	;/
s/^	hpt_clock_close(w->clk);/	;/
s/, 1, memory_order_acq_rel) > 1)/, 1, memory_order_acq_rel) > 2)/
/^hpt_wall \*hpt_wall_ref/,/^}/s/	if (w)/	if (0)/

#: lib/machine/bell.c
s/return 1 + /return /
s/ % HPT_BELLS/ % (HPT_BELLS - 1)/
