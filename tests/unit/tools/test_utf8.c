// SPDX-License-Identifier: MIT
/* Text of any bytes becomes UTF-8, and UTF-8 stays. */
#include <string.h>

#include "unit.h"

#include "trace/utf8.h"

static void assert_becomes(const char *text, size_t n, const char *wanted)
{
	char got[64];
	size_t length = utf8_copy(got, text, n);

	assert_int_equal(length, strlen(wanted));
	assert_memory_equal(got, wanted, length);
}

/* Every character of Unicode, but for NUL and the surrogates. */
static void utf8_stays(void **state)
{
	(void)state;
	for (unsigned c = 1; c < 0x110000; c += c < 0x900 ? 1 : 7) {
		char text[5] = { 0 };

		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (c < 0x80)
			text[0] = (char)c;
		else if (c < 0x800)
			text[0] = (char)(0xc0 | c >> 6), text[1] = (char)(0x80 | (c & 63));
		else if (c < 0x10000)
			text[0] = (char)(0xe0 | c >> 12), text[1] = (char)(0x80 | (c >> 6 & 63)),
			text[2] = (char)(0x80 | (c & 63));
		else
			text[0] = (char)(0xf0 | c >> 18), text[1] = (char)(0x80 | (c >> 12 & 63)),
			text[2] = (char)(0x80 | (c >> 6 & 63)), text[3] = (char)(0x80 | (c & 63));
		assert_becomes(text, strlen(text), text);
	}
}

static void other_bytes_are_latin1(void **state)
{
	(void)state;
	assert_becomes("\xff", 1, "\xc3\xbf");
	assert_becomes("\xe9t\xe9", 3, "\xc3\xa9t\xc3\xa9");
	assert_becomes("\xc3", 1, "\xc3\x83");                  /* cut */
	assert_becomes("\xc3\xa9", 1, "\xc3\x83");              /* cut by the length */
	assert_becomes("\xc0\xaf", 2, "\xc3\x80\xc2\xaf");      /* overlong */
	assert_becomes("\xe0\x80\xaf", 3, "\xc3\xa0\xc2\x80\xc2\xaf");
	assert_becomes("\xed\xa0\x80", 3, "\xc3\xad\xc2\xa0\xc2\x80"); /* a surrogate */
	assert_becomes("\xf4\x90\x80\x80", 4, "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80"); /* above U+10FFFF */
	assert_becomes("\xf0\x8f\xbf\xbf", 4, "\xc3\xb0\xc2\x8f\xc2\xbf\xc2\xbf");
	assert_becomes("\xe2\x82z", 3, "\xc3\xa2\xc2\x82z");
}

static void a_nul_is_its_sign(void **state)
{
	(void)state;
	assert_becomes("a\0b", 3, "a\xe2\x90\x80" "b");
	assert_becomes("", 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_stays),
		cmocka_unit_test(other_bytes_are_latin1),
		cmocka_unit_test(a_nul_is_its_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
