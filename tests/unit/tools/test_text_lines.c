// SPDX-License-Identifier: MIT
/* Lines of a file, whatever pieces it comes in. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "trace/text_lines.h"

static struct lines lines;

static void start(const char *bytes, size_t n)
{
	FILE *f = tmpfile();

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(lseek(fileno(f), 0, SEEK_SET), 0);
	lines_open(&lines, fileno(f));
}

static void assert_next(enum lines_state state, const char *text, size_t n)
{
	char *got;
	size_t length;

	assert_int_equal(lines_next(&lines, &got, &length), state);
	if (!text)
		return;
	assert_int_equal(length, n);
	assert_memory_equal(got, text, n);
	assert_int_equal(got[n], '\0');
}

static void whole_empty_and_cut_lines(void **state)
{
	(void)state;
	start("one\n\ntw\0o\nlast", 14);
	assert_next(LINES_WHOLE, "one", 3);
	assert_next(LINES_WHOLE, "", 0);
	assert_next(LINES_WHOLE, "tw\0o", 4);
	assert_int_equal(lines.number, 3);
	assert_next(LINES_CUT, "last", 4);
	assert_int_equal(lines.number, 4);
	assert_next(LINES_END, NULL, 0);
	assert_next(LINES_END, NULL, 0);
	assert_int_equal(lines.bytes_read, 14);
	start("", 0);
	assert_next(LINES_END, NULL, 0);
}

/* Many times the buffer, so that lines lie across its end. */
static void lines_of_all_lengths(void **state)
{
	static char text[LINES_MOST + 1];
	FILE *f = tmpfile();

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t n = 0; n < LINES_MOST; n += n / 3 + 1)
		for (int k = 0; k < 9; k++)
			fprintf(f, "%.*s\n", (int)n, text);
	fflush(f);
	lseek(fileno(f), 0, SEEK_SET);
	lines_open(&lines, fileno(f));
	for (size_t n = 0; n < LINES_MOST; n += n / 3 + 1)
		for (int k = 0; k < 9; k++)
			assert_next(LINES_WHOLE, text, n);
	assert_next(LINES_END, NULL, 0);
}

static void too_long(void **state)
{
	static char text[LINES_MOST + 2];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[LINES_MOST] = '\n';
	start(text, LINES_MOST + 1);
	assert_next(LINES_WHOLE, text, LINES_MOST);
	text[LINES_MOST] = 'x';
	text[LINES_MOST + 1] = '\n';
	start(text, LINES_MOST + 2);
	assert_next(LINES_LONG, NULL, 0);
	lines_open(&lines, open("/dev/zero", O_RDONLY));
	assert_next(LINES_ENDLESS, NULL, 0);
	assert_int_equal(lines.number, 1);
}

/* Of many times the buffer: the line after it is whole. */
static void a_long_line_is_passed_over(void **state)
{
	static char text[10 * sizeof(lines.bytes)];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "a\n", 2);
	memcpy(text + sizeof(text) - 5, "\nend\n", 5);
	start(text, sizeof(text));
	assert_next(LINES_WHOLE, "a", 1);
	assert_next(LINES_LONG, NULL, 0);
	assert_next(LINES_WHOLE, "end", 3);
	assert_int_equal(lines.number, 3);
	assert_next(LINES_END, NULL, 0);
	start(text, sizeof(text) - 5);
	assert_next(LINES_WHOLE, "a", 1);
	assert_next(LINES_LONG, NULL, 0);
	assert_next(LINES_END, NULL, 0);
}

static void an_error_is_kept(void **state)
{
	(void)state;
	lines_open(&lines, open("/", O_RDONLY));
	assert_next(LINES_FAILED, NULL, 0);
	assert_int_equal(lines.error, EISDIR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_empty_and_cut_lines),
		cmocka_unit_test(lines_of_all_lengths),
		cmocka_unit_test(too_long),
		cmocka_unit_test(a_long_line_is_passed_over),
		cmocka_unit_test(an_error_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
