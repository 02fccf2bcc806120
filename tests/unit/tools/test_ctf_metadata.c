// SPDX-License-Identifier: MIT
/* The description of a CTF trace: sizes that follow from its types, its clock's offset, names in its strings. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "own_folder.h"
#include "trace_world.h"

#include "trace/ctf_metadata.h"

static char *text;

static int write_to_folder(const struct about *about)
{
	int folder = open(".", O_RDONLY | O_DIRECTORY), error;

	assert_true(folder >= 0);
	error = ctf_metadata_write(about, folder);
	close(folder);
	return error;
}

static void write_text(const struct about *about)
{
	int fd;

	free(text);
	(void)unlink("metadata");
	assert_int_equal(write_to_folder(about), 0);
	fd = open("metadata", O_RDONLY);
	assert_true(fd >= 0);
	text = read_back(fd).bytes;
	close(fd);
}

static void assert_has(const char *words)
{
	if (!strstr(text, words))
		fail_msg("no '%s' in: %s", words, text);
}

static int leave(void **state)
{
	free(text);
	text = NULL;
	return leave_own_folder(state);
}

/* "name = number;" */
static int64_t number_of(const char *name)
{
	char words[32];
	const char *at;
	int64_t value;

	snprintf(words, sizeof(words), "\t%s = ", name);
	at = strstr(text, words);
	assert_non_null(at);
	assert_int_equal(sscanf(at + strlen(words), "%" SCNd64 ";", &value), 1);
	return value;
}

/* The bytes of a struct that is declared after these words, up to its end or to a string. */
static size_t size_of(const char *words)
{
	static const struct { const char *type; size_t bytes; } types[] = {
		{ "uint8_t", 1 }, { "uint32_t", 4 }, { "uint64_t", 8 }, { "int64_t", 8 }, { "hpt_time_t", 8 },
	};
	const char *at = strstr(text, words);
	size_t sum = 0;

	assert_non_null(at);
	at = strstr(at, "struct {") + strlen("struct {");
	for (; at[strspn(at, " \t\n")] != '}'; at = strchr(at, ';') + 1) {
		size_t i = 0, length;

		at += strspn(at, " \t\n");
		if (!strncmp(at, "string ", 7))
			break;
		length = strcspn(at, " ");
		while (i < COUNT(types) && (strlen(types[i].type) != length || strncmp(at, types[i].type, length)))
			i++;
		if (i == COUNT(types))
			fail_msg("no such type: %.20s", at);
		sum += types[i].bytes * (strcspn(at, "[") < strcspn(at, ";") ? 16 : 1); /* the uuid */
	}
	return sum;
}

static void types_give_the_sizes(void **state)
{
	static const struct about about = { .clock = EVENT_RAW };
	static const char *const bits[] = { "8", "32", "64" };

	(void)state;
	write_text(&about);
	assert_int_equal(strncmp(text, "/* CTF 1.8 */", 13), 0); /* by which readers know the file */
	assert_int_equal(size_of("packet.header") + size_of("packet.context"), CTF_PACKET_HEAD_BYTES);
	assert_int_equal(size_of("event.header") + size_of("fields"), CTF_EVENT_BYTES);
	for (size_t i = 0; i < COUNT(bits); i++) {
		char words[96];

		snprintf(words, sizeof(words), "{ size = %s; align = 8; signed = false; } := uint%s_t;", bits[i],
			 bits[i]);
		assert_has(words);
	}
	assert_has("{ size = 64; align = 8; signed = true; } := int64_t;");
	assert_has("{ size = 64; align = 8; signed = false; map = clock.hpt.value; } := hpt_time_t;");
	assert_has("byte_order = le;");
}

static void kinds_have_their_numbers(void **state)
{
	static const struct about about = { .clock = EVENT_RAW };

	(void)state;
	assert_true(EVENT_INSTANT == 0 && EVENT_BEGIN == 1 && EVENT_END == 2);
	write_text(&about);
	assert_has("event {\n\tname = \"instant\";\n\tid = 0;\n");
	assert_has("event {\n\tname = \"begin\";\n\tid = 1;\n");
	assert_has("event {\n\tname = \"end\";\n\tid = 2;\n");
}

static void the_id_is_a_uuid(void **state)
{
	struct about about = { .clock = EVENT_RAW };

	(void)state;
	for (uint8_t i = 0; i < 16; i++)
		about.id[i] = (uint8_t)(0x10 * i + 15 - i);
	write_text(&about);
	assert_has("uuid = \"0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\";");
}

static void the_offset_makes_unix_times(void **state)
{
	static const struct { int64_t first_ns, unix_ns, s, ns; } rows[] = {
		{ 1000, INT64_C(1795171679000000500), 1795171678, 999999500 },
		{ 5, 5, 0, 0 }, { 5, INT64_C(2000000005), 2, 0 }, { INT64_C(2000000005), 5, -2, 0 },
		{ 6, 5, -1, 999999999 }, { 0, INT64_MAX, 9223372036, 854775807 },
		{ INT64_MAX, 0, -9223372037, 145224193 },
		{ -1, INT64_MAX, 0, 0 }, /* does not fit: none is better than a wrong one */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct about about = { .clock = EVENT_MONOTONIC, .has_unix = true, .first_ns = rows[i].first_ns,
				       .first_unix_ns = rows[i].unix_ns };

		write_text(&about);
		assert_int_equal(number_of("offset_s"), rows[i].s);
		assert_int_equal(number_of("offset"), rows[i].ns);
		assert_int_equal(number_of("freq"), 1000000000);
		assert_has("\tabsolute = TRUE;\n");
		assert_has("description = \"CLOCK_MONOTONIC\";");
	}
}

static void clocks_that_need_no_offset(void **state)
{
	struct about about = { .clock = EVENT_REALTIME, .has_unix = true, .first_ns = 5, .first_unix_ns = 77 };

	(void)state;
	write_text(&about);
	assert_int_equal(number_of("offset_s"), 0);
	assert_int_equal(number_of("offset"), 0);
	assert_has("\tabsolute = TRUE;\n");
	about.clock = EVENT_TAI;
	about.has_unix = false;
	write_text(&about);
	assert_int_equal(number_of("offset"), 0);
	assert_null(strstr(text, "absolute"));
	assert_has("description = \"CLOCK_TAI\";");
}

static void names_of_processes_are_strings_of_c(void **state)
{
	static const char *const names[] = { "plain", "a\"b\\c\nd\xc3\xa9", "" };
	struct about about = { .clock = EVENT_RAW, .n_processes = COUNT(names), .processes = names };

	(void)state;
	write_text(&about);
	assert_has("env {\n\ttracer_name = \"hpt\";\n\tprocess_0 = \"plain\";\n"
		   "\tprocess_1 = \"a\\\"b\\\\c d\xc3\xa9\";\n\tprocess_2 = \"\";\n};\n");
}

static void where_it_cannot_be_written(void **state)
{
	static const struct about about = { .clock = EVENT_RAW };
	struct rlimit before = limit_files(10);
	int error = write_to_folder(&about);

	(void)state;
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(error, EFBIG);
	assert_int_equal(access("metadata", F_OK), -1);
	assert_int_equal(write_to_folder(&about), 0);
	assert_int_equal(write_to_folder(&about), EEXIST);
	assert_int_equal(access("metadata", F_OK), 0);
	assert_int_equal(ctf_metadata_write(&about, -1), EBADF);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter_own_folder, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(types_give_the_sizes),
		test(kinds_have_their_numbers),
		test(the_id_is_a_uuid),
		test(the_offset_makes_unix_times),
		test(clocks_that_need_no_offset),
		test(names_of_processes_are_strings_of_c),
		test(where_it_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
