/* SPDX-License-Identifier: MIT */
/*
 * Messages of Protocol Buffers, as https://protobuf.dev/programming-guides/encoding has them. An inner message is made
 * first, because its length stands before it.
 */
#ifndef HPT_TOOLS_PROTO_H
#define HPT_TOOLS_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "trace/text_lines.h"
#include "trace/utf8.h"

/* The longest is a line's text, and some numbers around it. */
#define PROTO_BYTES (UTF8_GROWTH * LINES_MOST + 1024)

struct proto {
	size_t n;
	uint8_t bytes[PROTO_BYTES];
};

/* What the longest key and length of a message take. */
#define PROTO_HEAD_BYTES 15

/* Writes the key and the length of a field that has n bytes; returns how many bytes that took. */
size_t proto_head(uint32_t field, size_t n, uint8_t ret[PROTO_HEAD_BYTES]);

void proto_varint(struct proto *p, uint32_t field, uint64_t value);

/* More than fit are cut off: a name longer than any line. */
void proto_bytes(struct proto *p, uint32_t field, const void *bytes, size_t n);
void proto_message(struct proto *p, uint32_t field, const struct proto *inner);

#endif
