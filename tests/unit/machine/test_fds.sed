# SPDX-License-Identifier: MIT

#: lib/machine/fds.c
s/	if (!f->is_epoll)/	if (f->epfd < 0)/
s/	errno = saved;/	(void)saved;/
s/	return r >= 0 || r == -EINTR/	return r == -ENOSYS || r >= 0 || r == -EINTR/
s/	return r >= 0 || r == -EINTR/	return r == -EPERM || r >= 0 || r == -EINTR/
s/	r = epoll_ms(f, 0);/	r = 0;/
s/^\t\tr = poll_for(&set, 1, ns);/\t\t;/
s/	return r > 0 \&\& set.revents ? epoll_ms(f, 0) : r;/	return r;/
s/ns ? poll_for(f->fds, f->n, ns) : poll_once(f)/poll_once(f)/
s/epoll_ms(f, ns ? -1 : 0)/epoll_ms(f, 0)/
