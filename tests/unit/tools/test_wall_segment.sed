# SPDX-License-Identifier: MIT

#: tools/wall/wall_segment.c
s/^#define FIRST_GENERATION 2/#define FIRST_GENERATION 4/
s/^#define MODE 0644/#define MODE 0600/
s/memcmp(there, bytes, HPT_CLOCKBOUND_SIZE))/0)/
s/pread(seg->fd, there, sizeof(there), 0) != sizeof(there) || memcmp(there, bytes, HPT_CLOCKBOUND_SIZE)/memcmp(there, bytes, HPT_CLOCKBOUND_SIZE)/
s/memcmp(there, bytes, HPT_CLOCKBOUND_GENERATION) || st/st/
s/ || st->st_size != (off_t)seg->size)/)/
s/	if (!S_ISREG(st.st_mode))/	if (0)/
s/	if (flock(seg->fd, LOCK_EX | LOCK_NB))/	if (0)/
s/O_RDWR | O_NOFOLLOW | O_NONBLOCK/O_RDWR | O_NONBLOCK/
s/	if (seg->fd < 0 \&\& errno == ENOENT)/	if (0)/
s/fchmod(seg->fd, MODE) || flock/flock/
s/fchmod(seg->fd, MODE) || flock(seg->fd, LOCK_EX | LOCK_NB)/fchmod(seg->fd, MODE)/
s/		unlink(temporary);/		;/
s/	warn_of_disk(seg);/	;/
s/ && (uint32_t)fs.f_type != TMPFS_MAGIC/ /
s/	if (!st.st_nlink)/	if (0)/
s/st.st_size != (off_t)seg->size || pread/pread/
s/^	    memcmp(there, seg->header, sizeof(there)))/	    0)/
s/seg->generation | 1/seg->generation/
s/	if (!write_generation(seg, odd))/	if (0)/
s/even ? even : FIRST_GENERATION/even/
s/seg->generation = generation_in(seg->header);/;/
s/	if (!write_at(seg, bytes + at, seg->size - at, at))/	if (write_at(seg, bytes + at, seg->size - at, at), 0)/
s/errno == EEXIST ? AGAIN : fail(seg->path, strerror(errno))/fail(seg->path, strerror(errno))/
