# SPDX-License-Identifier: MIT

#: tools/trace/merge_input.c
s/slash ? slash + 1 : path/path/
s/	utf8_copy(text, name, strlen(name));/	memcpy(text, name, strlen(name));/
s/	if (e->is_placed)/	if (1)/
s/.wall_generation = (uint64_t)r.wall_generation,/.wall_generation = 0,/
s/.error_ns = e->error_ns, .line = line,/.error_ns = 0, .line = 0,/
s/	else if (!in->stale.n++)/	else if (in->stale.n++)/
s/ || state == LINES_LONG)/)/
s/|| !S_ISREG(st.st_mode)//
s/HPT_SOURCE_OS/HPT_SOURCE_TSC/
s/	walls_settle(&in->walls);/	;/
s/	if (!lseek(in->fd, 0, SEEK_SET))/	if (1)/
s/		in->source->walls = &in->walls;/		;/
s/		in->source->stale = in->stale;/		;/
s/in->walls.n_contradictions, in->walls.first/0, in->walls.first/
s/	if (in->fd >= 0)/	if (0)/
