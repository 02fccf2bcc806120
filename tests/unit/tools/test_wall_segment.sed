# SPDX-License-Identifier: MIT

#: tools/wall/wall_segment.c
s/^#define FIRST_GENERATION 2/#define FIRST_GENERATION 4/
s/^#define MODE 0644/#define MODE 0600/
s/memcmp(there, bytes, HPT_CLOCKBOUND_SIZE))/0)/
s/pread(seg->fd, there, sizeof(there), 0) != sizeof(there) || memcmp(there, bytes, HPT_CLOCKBOUND_SIZE)/memcmp(there, bytes, HPT_CLOCKBOUND_SIZE)/
s/memcmp(there, bytes, HPT_CLOCKBOUND_GENERATION) || st/st/
s/ || st->st_size != (off_t)seg->size)/)/
s/	if (!S_ISREG(st.st_mode))/	if (0)/
s/	if (!fcntl(seg->fd, F_OFD_SETLK, \&whole))/	if (1)/
s/	if (st->st_uid != geteuid())/	if (0)/
s/(S_IWGRP | S_IWOTH)/S_IWGRP/
s/(S_IWGRP | S_IWOTH)/S_IWOTH/
s/O_RDWR | O_NOFOLLOW | O_NONBLOCK/O_RDWR | O_NONBLOCK/
s/	if (seg->fd < 0 \&\& errno == ENOENT)/	if (0)/
s/	why = fchmod(seg->fd, MODE) ? strerror(errno) : why_locked(seg);/	why = why_locked(seg);/
s/	why = fchmod(seg->fd, MODE) ? strerror(errno) : why_locked(seg);/	why = fchmod(seg->fd, MODE) ? strerror(errno) : NULL;/
s/		unlink(temporary);/		;/
s/	warn_of_disk(seg);/	;/
s/ && (uint32_t)fs.f_type != TMPFS_MAGIC/ /
s/	if (!st.st_nlink)/	if (0)/
s/st.st_size != (off_t)seg->size || pread/pread/
s/^	    memcmp(there, seg->bytes, seg->size))/	    0)/
s/^	    memcmp(there, seg->bytes, seg->size))/	    memcmp(there, seg->bytes, 16))/
s/	memcpy(seg->bytes + at, bytes + at, seg->size - at);/	;/
s/seg->generation | 1/seg->generation/
s/	if (!write_generation(seg, odd))/	if (0)/
s/even ? even : FIRST_GENERATION/even/
s/seg->generation = generation_in(seg->bytes);/;/
s/	if (!write_at(seg, bytes + at, seg->size - at, at))/	if (write_at(seg, bytes + at, seg->size - at, at), 0)/
s/errno == EEXIST ? AGAIN : fail(seg->path, strerror(errno))/fail(seg->path, strerror(errno))/
