/* SPDX-License-Identifier: MIT */
/* Bytes on their way to a descriptor, by a buffer of its own: stdio's formats cost more than a whole event may. */
#ifndef HPT_TOOLS_SINK_H
#define HPT_TOOLS_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SINK_BYTES 65536u /* as many as a pipe takes at a time */

struct sink {
	int fd;
	int error;              /* the errno of the first write that failed; what follows is dropped */
	size_t used;
	char bytes[SINK_BYTES];
};

void sink_open(struct sink *s, int fd);

/* Writes what is left. Returns the first error, or 0. The descriptor stays open. */
int sink_close(struct sink *s);

void sink_flush(struct sink *s);
void sink_more(struct sink *s, const void *bytes, size_t n); /* more than there is room for */
void sink_decimal(struct sink *s, int64_t value);

/* Nanoseconds as microseconds with three decimal places. */
void sink_us(struct sink *s, int64_t ns);

/* UTF-8 as the inside of a string of JSON. */
void sink_json(struct sink *s, const char *text, size_t n);

static inline void sink_bytes(struct sink *s, const void *bytes, size_t n)
{
	if (n > SINK_BYTES - s->used) {
		sink_more(s, bytes, n);
		return;
	}
	memcpy(s->bytes + s->used, bytes, n);
	s->used += n;
}

static inline void sink_text(struct sink *s, const char *text)
{
	sink_bytes(s, text, strlen(text));
}

#endif
