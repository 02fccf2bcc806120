// SPDX-License-Identifier: MIT
/* Fields of Protocol Buffers: bytes of the encoding's own description, and any number decoded again. */
#include <string.h>

#include "unit.h"

#include "trace/proto.h"

static struct proto a, b;

static void assert_bytes(const struct proto *p, const char *bytes, size_t n)
{
	assert_int_equal(p->n, n);
	assert_memory_equal(p->bytes, bytes, n);
}

/* https://protobuf.dev/programming-guides/encoding: "08 96 01", "12 07 74 65 73 74 69 6e 67", "1a 03 08 96 01". */
static void examples_of_the_description(void **state)
{
	(void)state;
	a.n = b.n = 0;
	proto_varint(&a, 1, 150);
	assert_bytes(&a, "\x08\x96\x01", 3);
	proto_message(&b, 3, &a);
	assert_bytes(&b, "\x1a\x03\x08\x96\x01", 5);
	a.n = 0;
	proto_bytes(&a, 2, "testing", 7);
	assert_bytes(&a, "\x12\x07testing", 9);
}

static uint64_t decode(const uint8_t **at)
{
	uint64_t value = 0;
	int shift = 0;

	for (; **at & 0x80; (*at)++, shift += 7)
		value |= (uint64_t)(**at & 0x7f) << shift;
	value |= (uint64_t)*(*at)++ << shift;
	return value;
}

static void any_number_comes_back(void **state)
{
	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t value = i ? random_magnitude() : UINT64_MAX;
		uint32_t field = 1 + (uint32_t)random_below(1000);
		const uint8_t *at = a.bytes;

		a.n = 0;
		proto_varint(&a, field, value);
		assert_int_equal(decode(&at), (uint64_t)field << 3);
		assert_true(decode(&at) == value);
		assert_ptr_equal(at, a.bytes + a.n);
	}
}

static void what_does_not_fit_is_cut_off(void **state)
{
	static const char long_text[2 * PROTO_BYTES];

	(void)state;
	a.n = 0;
	proto_bytes(&a, 1, long_text, sizeof(long_text));
	assert_true(a.n <= PROTO_BYTES && a.n > PROTO_BYTES - PROTO_HEAD_BYTES);
	b = a;
	proto_varint(&a, 1, 1);
	proto_bytes(&a, 1, long_text, 1);
	assert_bytes(&a, (const char *)b.bytes, b.n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_of_the_description),
		cmocka_unit_test(any_number_comes_back),
		cmocka_unit_test(what_does_not_fit_is_cut_off),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
