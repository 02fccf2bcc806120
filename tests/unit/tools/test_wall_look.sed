# SPDX-License-Identifier: MIT

#: tools/wall/wall_look.c
s/f->ahead_min_ns = f->unix_ns - f->time.latest_ns;/f->ahead_min_ns = f->unix_ns - f->time.earliest_ns;/
s/f->ahead_max_ns = f->unix_ns - before.earliest_ns;/f->ahead_max_ns = f->unix_ns - before.latest_ns;/
s/(CLOCK_MONOTONIC_COARSE) - coarse_step_ns(),/(CLOCK_MONOTONIC_COARSE),/
s/(read_marker(&now) && now == before)/read_marker(\&now)/
s/(read_marker(&now) && now == before)/(read_marker(\&now), now == before)/
s/	if (read_marker && !read_marker(&f->marker))/	if (read_marker \&\& (read_marker(\&f->marker), 0))/
s/has_bound ? f->time.state : f->info.state/f->info.state + 1/
s/tries < TRIES/tries < 1/
