# SPDX-License-Identifier: MIT

#: lib/machine/lines.c
s/room = l->size - 1 - kept;/room = l->size - kept;/
s/	memmove(l->buf, l->buf + l->from, kept);/	memmove(l->buf, l->buf + l->from, 0);/
s/n = l->fd < 0 ? 0 : read(l->fd, l->buf + kept, room < l->left ? room : l->left);/n = read(l->fd, l->buf + kept, room);/
s/	if (n <= 0)/	if (n < 0)/
s/	l->left -= (size_t)n;/	;/
s/			l->is_long = true;/			;/
s/			l->from = l->to;/			;/
s/	\*end = '\\0';/	;/
s/		l->is_long = false;/		break;/
s/if (!line \&\& !l->is_long \&\& l->from < l->to)/if (0)/
s/if (!line \&\& !l->is_long \&\& l->from < l->to)/if (!line \&\& l->from < l->to)/
s/if (!line \&\& !l->is_long \&\& l->from < l->to)/if (!line \&\& !l->is_long)/
s/		l->buf\[l->to\] = '\\0';/		;/
s/	if (l->fd >= 0)/	if (0)/

#: lib/machine/file_read.c
s/O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY/O_RDONLY | O_CLOEXEC | O_NOCTTY/
