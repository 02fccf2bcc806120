// SPDX-License-Identifier: MIT
/* Encodes fields: tools/trace/proto.h. */
#include "trace/proto.h"

#include <string.h>

/* Wire types. */
enum { VARINT = 0, LENGTH = 2 };

static size_t put(uint8_t *to, uint64_t value)
{
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		to[n++] = (uint8_t)(value | 0x80);
	to[n++] = (uint8_t)value;
	return n;
}

size_t proto_head(uint32_t field, size_t n, uint8_t ret[PROTO_HEAD_BYTES])
{
	size_t used = put(ret, (uint64_t)field << 3 | LENGTH);

	return used + put(ret + used, n);
}

void proto_varint(struct proto *p, uint32_t field, uint64_t value)
{
	if (PROTO_BYTES - p->n < PROTO_HEAD_BYTES)
		return;
	p->n += put(p->bytes + p->n, (uint64_t)field << 3 | VARINT);
	p->n += put(p->bytes + p->n, value);
}

void proto_bytes(struct proto *p, uint32_t field, const void *bytes, size_t n)
{
	size_t room = PROTO_BYTES - p->n;

	if (room < PROTO_HEAD_BYTES)
		return;
	if (n > room - PROTO_HEAD_BYTES)
		n = room - PROTO_HEAD_BYTES;
	p->n += proto_head(field, n, p->bytes + p->n);
	memcpy(p->bytes + p->n, bytes, n);
	p->n += n;
}

void proto_message(struct proto *p, uint32_t field, const struct proto *inner)
{
	proto_bytes(p, field, inner->bytes, inner->n);
}
