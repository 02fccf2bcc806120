// SPDX-License-Identifier: MIT
/* Perfetto's manifest, by a reader of JSON: files in their order, and which of them are of one machine. */
#include <string.h>

#include <jansson.h>

#include "trace_world.h"

#include "trace/manifest.h"

static json_t *manifest_of(const struct manifest_file *files, size_t n)
{
	static struct sink sink;
	FILE *f = tmpfile();
	struct written w;
	json_error_t error;
	json_t *o;

	assert_non_null(f);
	sink_open(&sink, fileno(f));
	manifest_write(files, n, &sink);
	assert_int_equal(sink_close(&sink), 0);
	w = read_back(fileno(f));
	fclose(f);
	o = json_loadb(w.bytes, w.n, 0, &error);
	if (!o)
		fail_msg("%s at %d", error.text, error.position);
	free(w.bytes);
	return o;
}

static const json_t *inside(const json_t *o)
{
	const json_t *it = json_object_get(o, "perfetto_manifest");

	assert_int_equal(json_integer_value(json_object_get(it, "version")), 1);
	return it;
}

static const char *text_at(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	assert_non_null(text);
	return text;
}

static const json_t *file_at(const json_t *o, size_t i)
{
	const json_t *it = json_array_get(json_object_get(inside(o), "files"), i);

	assert_non_null(it);
	return it;
}

static const char *machine_at(const json_t *o, size_t i)
{
	return text_at(json_object_get(file_at(o, i), "machine"), "name");
}

static void files_are_of_machines_by_their_boots(void **state)
{
	static const uint8_t unknown[16], one[16] = { 0x01, [15] = 0xfe };
	static const uint8_t others[][16] = { { 0x01, [15] = 0xff }, { 0x01, [15] = 0xee } }; /* by half a byte */
	static const char *const paths[] = { "a", "\"b\"\\ \n", "c", "c", "", "d" };
	const struct manifest_file files[] = {
		{ paths[0], one }, { paths[1], unknown }, { paths[2], others[0] }, { paths[3], one },
		{ paths[4], unknown }, { paths[5], others[1] },
	};
	json_t *o = manifest_of(files, COUNT(files));

	(void)state;
	assert_int_equal(json_array_size(json_object_get(inside(o), "files")), COUNT(files));
	for (size_t i = 0; i < COUNT(files); i++)
		assert_string_equal(text_at(file_at(o, i), "path"), paths[i]);
	for (size_t i = 0; i < COUNT(files); i++)
		for (size_t k = 0; k < i; k++)
			if (i == 3 && k == 0)
				assert_string_equal(machine_at(o, i), machine_at(o, k));
			else /* an unknown boot is like no other */
				assert_string_not_equal(machine_at(o, i), machine_at(o, k));
	json_decref(o);
}

/* The line of all files is that of CLOCK_REALTIME. */
static void the_time_of_all_is_utc(void **state)
{
	json_t *o = manifest_of(NULL, 0);

	(void)state;
	assert_string_equal(text_at(json_object_get(inside(o), "trace_time"), "clock"), "REALTIME");
	assert_int_equal(json_array_size(json_object_get(inside(o), "files")), 0);
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_of_machines_by_their_boots),
		cmocka_unit_test(the_time_of_all_is_utc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
