# SPDX-License-Identifier: MIT

#: lib/wall/shared_memory.c
s/ || memcmp(ret, again, (size_t)n)//
s/ || !is_settled(ret, (size_t)n))/)/
s/pread(fd, again, size, 0) != n || //
s/tries < SHARED_MEMORY_TRIES/1/
s/!S_ISREG(st.st_mode)/0/
s/^	close(fd);/	;/
