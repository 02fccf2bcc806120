# SPDX-License-Identifier: MIT

#: lib/wall/wall_fd.c
s/return fds \&\& fds->process == hpt_process() ? fds : NULL;/return fds;/
s/	if (changes_of(&rec) != atomic_load(&fds->seen))/	if (0)/
s/	if (changes_of(&rec) != atomic_load(&fds->seen))/	if (1)/
s/	atomic_store(&fds->seen, changes_of(&rec));/	;/
s/	(void)hpt_wall_look(w);/	;/
s/	syscall(SYS_read, fds->event, &unused, sizeof(unused));/	(void)unused;/
s/	return rec->counts.gained + rec->counts.lost;/	return hpt_wall_record_serves(rec);/
s/? LEAP_AGAIN_NS : INT64_MAX;/? INT64_MAX : INT64_MAX;/
s/ \&\& !w->covers_leap//
s/ \&\& !(rec->flags \& HPT_WALL_FLAG_SMEARED)//
s/ \&\& leap_tick(rec) < end)/ \&\& 0)/
s/	upper.lo = upper.hi;/	;/
s/TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET/TFD_TIMER_ABSTIME/
s/	if (ns == INT64_MAX)/	if (0)/
s/	close_one(fds->timer);/	;/
s/	close_one(fds->event);/	;/
/^static int open_fds/,/^}/s/		close_fds(fds);/		;/
s/	if (own_fds(w))$/	if (0)/
s/	if (w->clk->src.own_time)/	if (0)/
/^COLD int hpt_wall_fd(/,/^}/s/	if (!w)/	if (0)/
/^COLD int hpt_wall_fd_clear/,/^}/s/	if (!w)/	if (0)/
s/epoll_create1(EPOLL_CLOEXEC)/epoll_create1(0)/
/^static int make_fds/,/^}/s/		(void)look_and_clear(w, fds);/		;/
/^COLD int hpt_wall_fd_clear/,/^}/s/	if (fds)$/	if (1)/
/^void hpt_wall_ring/,/^}/s/	if (fds)$/	if (0)/

#: lib/wall/wall_keeper.c
s/	rec->counts.gained += has_bound \&\& !had_bound;/	rec->counts.gained += has_bound;/
s/	rec->counts.lost += had_bound \&\& !has_bound;/	rec->counts.lost += !has_bound;/

#: lib/wall/wall_info.c
s/	info.gained = rec.counts.gained;/	;/
s/	info.lost = rec.counts.lost;/	;/

#: lib/wall/wall_fd.c wall_fd
s/	watch_device(w, fds);/	;/
s/	if (fd >= 0 \&\& add_to_set(fds->set, fd)) {/	if (0) {/
s/		epoll_ctl(fds->set, EPOLL_CTL_DEL, before, NULL);/		;/
s/	close_one(before);/	;/
s/	close_one(fds->device);/	;/

#: lib/wall/vmclock.c wall_fd
s/	if (!(hpt_vmclock_word(page, PAGE_AT_FLAGS) \& FLAG_NOTIFICATION))/	if (0)/
s/		syscall(SYS_read, fd, bytes, sizeof(bytes));/		;/
