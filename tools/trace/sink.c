// SPDX-License-Identifier: MIT
/* Collects bytes and writes them when the buffer is full: tools/trace/sink.h. */
#include "trace/sink.h"

#include <errno.h>
#include <unistd.h>

#define DECIMAL_BYTES 20 /* of INT64_MIN */

void sink_open(struct sink *s, int fd)
{
	s->fd = fd;
	s->error = 0;
	s->used = 0;
}

static void write_all(struct sink *s, const char *bytes, size_t n)
{
	while (n && !s->error) {
		ssize_t done = write(s->fd, bytes, n);

		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno != EINTR) {
			s->error = errno;
		}
	}
}

void sink_flush(struct sink *s)
{
	write_all(s, s->bytes, s->used);
	s->used = 0;
}

int sink_close(struct sink *s)
{
	sink_flush(s);
	return s->error;
}

void sink_more(struct sink *s, const void *bytes, size_t n)
{
	sink_flush(s);
	if (n > SINK_BYTES)
		write_all(s, bytes, n);
	else
		sink_bytes(s, bytes, n);
}

/* Fills the end of text; returns where the digits begin. */
static char *digits(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void sink_decimal(struct sink *s, int64_t value)
{
	char text[DECIMAL_BYTES], *end = text + sizeof(text), *from = digits(end, magnitude(value));

	if (value < 0)
		*--from = '-';
	sink_bytes(s, from, (size_t)(end - from));
}

void sink_us(struct sink *s, int64_t ns)
{
	char text[DECIMAL_BYTES + 4], *end = text + sizeof(text), *from;
	uint64_t whole = magnitude(ns), rest = whole % 1000;

	end[-1] = (char)('0' + rest % 10);
	end[-2] = (char)('0' + rest / 10 % 10);
	end[-3] = (char)('0' + rest / 100);
	end[-4] = '.';
	from = digits(end - 4, whole / 1000);
	if (ns < 0)
		*--from = '-';
	sink_bytes(s, from, (size_t)(end - from));
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\';
}

static void escape(struct sink *s, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

	sink_bytes(s, text, sizeof(text));
}

void sink_json(struct sink *s, const char *text, size_t n)
{
	for (size_t from = 0; from < n;) {
		size_t at = from;

		while (at < n && is_plain((unsigned char)text[at]))
			at++;
		sink_bytes(s, text + from, at - from);
		if (at < n)
			escape(s, (unsigned char)text[at++]);
		from = at;
	}
}
