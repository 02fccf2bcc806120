// SPDX-License-Identifier: MIT
/* Threads that are new, or have another name now. */
#include <string.h>

#include "unit.h"

#include "trace/tracks.h"

static struct tracks tracks;

static struct event of(uint32_t process, uint32_t track, const char *thread)
{
	return (struct event){
		.process = process, .track = track, .thread = thread, .thread_length = thread ? strlen(thread) : 0,
	};
}

static bool is_new(uint32_t process, uint32_t track, const char *thread)
{
	struct event e = of(process, track, thread);

	return tracks_is_new(&tracks, &e);
}

static void numbers_are_unique(void **state)
{
	static const struct { uint32_t process, track; uint64_t id; } rows[] = {
		{ 0, 0, UINT64_C(0x100000000) }, { 0, UINT32_MAX, UINT64_C(0x1ffffffff) },
		{ 1, 0, UINT64_C(0x200000000) }, { UINT32_MAX - 1, 5, UINT64_C(0xffffffff00000005) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct event e = of(rows[i].process, rows[i].track, NULL);

		assert_true(tracks_id(&e) == rows[i].id);
	}
}

static void a_thread_is_new_once(void **state)
{
	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint32_t process = 0; process < 4; process++)
			for (uint32_t track = 0; track < 200; track++)
				assert_int_equal(is_new(process, 250 * process + track, NULL), !round);
}

static void a_thread_is_new_by_another_name(void **state)
{
	(void)state;
	memset(&tracks, 0, sizeof(tracks));
	assert_true(is_new(0, 1, "sh"));
	assert_false(is_new(0, 1, "sh"));
	assert_true(is_new(0, 1, "hs"));
	assert_true(is_new(0, 1, ""));
	assert_false(is_new(0, 1, NULL));
	assert_true(is_new(0, 2, ""));
	assert_false(is_new(0, 1, ""));
}

/* Two have the same place; of three the one that came first is described again. */
static void what_does_not_fit_is_new_again(void **state)
{
	(void)state;
	memset(&tracks, 0, sizeof(tracks));
	assert_true(is_new(0, 1, "a"));
	assert_true(is_new(0, 1 + TRACKS_PLACES, "a"));
	for (int i = 0; i < 3; i++) {
		assert_false(is_new(0, 1, "a"));
		assert_false(is_new(0, 1 + TRACKS_PLACES, "a"));
	}
	assert_true(is_new(0, 1 + TRACKS_PLACES, "b"));
	assert_false(is_new(0, 1, "a"));
	assert_true(is_new(0, 1 + 2 * TRACKS_PLACES, "a"));
	assert_false(is_new(0, 1 + TRACKS_PLACES, "b"));
	assert_true(is_new(0, 1, "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_unique),
		cmocka_unit_test(a_thread_is_new_once),
		cmocka_unit_test(a_thread_is_new_by_another_name),
		cmocka_unit_test(what_does_not_fit_is_new_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
