# SPDX-License-Identifier: MIT

#: tools/trace/ctf.c
s/value >> 8 \* i)/value >> 8 * (bytes - 1 - i))/
s/bytes += event_bytes(&c->kept\[i\].event);/bytes += CTF_EVENT_BYTES;/
s/(uint64_t)c->kept\[0\].event.ns, 8/(uint64_t)0, 8/
s/put_number(s, (uint64_t)c->kept\[c->n - 1\].event.ns, 8);/put_number(s, (uint64_t)c->kept[0].event.ns, 8);/
s/e->error_ns == EVENT_ERROR_UNKNOWN ? -1 : e->error_ns/e->error_ns/
s/c->about->has_stamp ? e->stamp : -1/e->stamp/
s/c->streams\[i\].end_ns <= ns/c->streams[i].end_ns < ns/
s/(!best || c->streams\[i\].end_ns > best->end_ns)/(!best || c->streams[i].end_ns < best->end_ns)/
s/		c->error = add_stream(c);/		add_stream(c);/
s/		c->error = open_stream(c, (size_t)/		open_stream(c, (size_t)/
s/O_APPEND | O_NOFOLLOW/O_NOFOLLOW/
s/O_APPEND | O_NOFOLLOW/O_APPEND/
s/O_APPEND | O_NOFOLLOW/O_APPEND | O_CREAT/
s/else if (best != &c->streams\[c->open\])/else if (0)/
s/int fd, error = close_stream(c);/int fd, error = 0;/
/^static int open_stream/,/^}/s/	if (error)$/	if (0)/
s/return x->order < y->order ? -1 : x->order > y->order;/return x->order < y->order ? 1 : -1;/
s/if (c->kept\[i\].event.ns < c->kept\[i - 1\].event.ns)/if (0)/
s/s->end_ns = c->kept\[c->n - 1\].event.ns;/s->end_ns = c->kept[0].event.ns;/
s/	c->error = c->sink.error;/	;/
s/	c->names_used = 0;/	;/
s/ || c->names_used >= PACKET_BYTES)/)/
s/++c->n == PACKET_EVENTS/++c->n == PACKET_EVENTS - 1/
s/	c->shown->error = c->error;/	;/
s/	errno = c->error;/	errno = 0;/
s/error = c->error ? c->error : closed;/error = c->error ? c->error : 0 * closed;/
s/error = c->error ? c->error : closed;/error = closed;/
