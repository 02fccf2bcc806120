# SPDX-License-Identifier: MIT

#: lib/wall/wall_read.c
s/return likely(from - start < span \&\& to - start < span);/return likely(to - start < span || 1);/
s/	ret->generation = HPT_WALL_LOAD(words, generation);/	ret->generation = 1;/
s/	ret->tick = (hpt_time_t)tick;/	ret->tick = (hpt_time_t)(tick + 100);/
s/	ret->flags = (uint32_t)(status >> 32);/	ret->flags = 0;/
s/	int r = hpt_wall_read(w, &t);$/	int r = hpt_wall_read(w, ret); t = *ret;/
s/	if (unlikely(!w || !ret))/	if (unlikely(!w))/
s/	if (unlikely(!w || !ret))/	if (unlikely(!ret))/
s/	if (unlikely(w->max_width_ns != UINT64_MAX))/	if (0)/
s/if ((int64_t)(w->clk->src.read(&w->clk->src) - tick) < 0 ||/if (/
s/ || (int64_t)(tick - rec.first_clock_tick) < 0)/)/
s/ || (int64_t)(tick - rec.first_clock_tick) < 0)/ || (int64_t)(tick - rec.first_clock_tick) <= 0)/
s/	int r = w \&\& ret ? read_at(w, (uint64_t)t, &time) : -EINVAL;/	int r = w \&\& ret ? read_at(w, (uint64_t)t, ret) : -EINVAL; if (!r) time = *ret;/
s/	return hpt_wall_is_too_wide(w, ret) ? -ERANGE : 0;/	return 0;/
s/return r ? r : t.earliest_ns > unix_ns;/return r ? r : t.earliest_ns >= unix_ns;/
s/return r ? r : t.latest_ns < unix_ns;/return r ? r : t.latest_ns <= unix_ns;/
s/return r ? r : t.earliest_ns > unix_ns;/return r ? r : t.latest_ns > unix_ns;/
/^ALIGNED int hpt_wall_after/,/^}/s/w ? hpt_wall_read(w, &t) : -EINVAL/hpt_wall_read(w, \&t)/

#: lib/wall/wall_record.c
s/ + (steady ? steady : 1);/ + steady;/

#: lib/wall/wall_read.h
s/return (uint64_t)t->latest_ns - (uint64_t)t->earliest_ns > w->max_width_ns;/return (uint64_t)t->latest_ns - (uint64_t)t->earliest_ns >= w->max_width_ns;/
