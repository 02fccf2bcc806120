# SPDX-License-Identifier: MIT

#: lib/machine/datagram.c
s/n < 5 && text\[n\]/n < 20 \&\& text[n]/
s/return text\[n\] || port > UINT16_MAX/return port > UINT16_MAX/
s/return text\[n\] || port > UINT16_MAX/return text[n]/
s/length >= sizeof(talk->to.un.sun_path)/length > sizeof(talk->to.un.sun_path)/
s/length >= sizeof(host)/length > 200/
s/if (!port || length < 2 || /if (length < 2 || /
s/return inet_pton(AF_INET6, host + 1, &talk->to.in6.sin6_addr) == 1/return inet_pton(AF_INET6, host + 1, \&talk->to.in6.sin6_addr) != 2/
s/return inet_pton(AF_INET, host, &talk->to.in.sin_addr) == 1/return inet_pton(AF_INET, host, \&talk->to.in.sin_addr) != 2/
s/return n < (int)sizeof(talk->own.sun_path)/return true/
s/talk->own.sun_path, 0666, /talk->own.sun_path, 0600, /
s/if (ns <= 0)/if (0)/
s/return was_late ? -ETIMEDOUT : 0/return -ETIMEDOUT/
s/	talk->is_late = true/	talk->is_late = false/
s/while (n < 0 && errno == EINTR)/while (0)/
s/	if (connect(talk->fd, &talk->to.base, talk->to_length))/	if (0)/
s/if (talk->to.base.sa_family == AF_UNIX)/if (0)/
s/recv(talk->fd, ret, size, MSG_TRUNC)/recv(talk->fd, ret, size, 0)/
/static COLD int converse/,/^}/s/		r = send_one(talk/		if (!i) r = send_one(talk/
s/(char \*)d->replies + (size_t)i \* d->size, d->size/(char *)d->replies, d->size/
s/(const char \*)d->requests + (size_t)i \* d->length/(const char *)d->requests/
s/, &d->lengths\[i\])/, \&d->lengths[0])/
/static COLD int send_one/,/^}/s/if (!may_come_yet(errno))/if (1)/
/static COLD int receive/,/^}/s/if (!may_come_yet(errno))/if (1)/
s/if (talk.own.sun_path\[0\])/if (0)/
s/		close(talk.fd);/		;/
s/PTHREAD_CANCEL_DISABLE, &cancel/PTHREAD_CANCEL_ENABLE, \&cancel/
