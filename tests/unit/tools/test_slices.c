// SPDX-License-Identifier: MIT
/* Ends find their begins, thread by thread. */
#include <string.h>

#include "unit.h"

#include "trace/slices.h"

static struct slices slices;

static struct event event(uint32_t process, uint32_t track, const char *name)
{
	return (struct event){ .process = process, .track = track, .name = name, .name_length = strlen(name) };
}

static uint64_t begin(uint32_t process, uint32_t track, const char *name)
{
	char copy[16];
	struct event e = event(process, track, strcpy(copy, name));

	e.thread = copy;
	e.thread_length = strlen(copy);
	slices_begin(&slices, &e);
	memset(copy, '?', sizeof(copy)); /* the caller's name does not last */
	return slices.last_id;
}

static void assert_end(uint32_t process, uint32_t track, const char *name, uint64_t id, uint64_t parent)
{
	struct event e = event(process, track, "");
	struct slice *s = slices_end(&slices, &e);

	assert_non_null(s);
	assert_int_equal(s->begin.name_length, strlen(name));
	assert_memory_equal(s->begin.name, name, strlen(name));
	assert_true(!s->begin.thread && !s->begin.thread_length);
	assert_int_equal(s->id, id);
	assert_int_equal(s->parent, parent);
	free(s);
}

static void slices_nest_in_each_thread(void **state)
{
	uint64_t a, b, c, d;
	struct event e = event(0, 1, "");

	(void)state;
	a = begin(0, 1, "a");
	b = begin(0, 1 + SLICES_BUCKETS, "b"); /* in the same bucket */
	c = begin(0, 1, "c");
	d = begin(1, 1 ^ 31, "d");             /* another process, in the same bucket */
	assert_end(0, 1, "c", c, a);
	assert_end(1, 1 ^ 31, "d", d, 0);
	assert_end(0, 1, "a", a, 0);
	assert_null(slices_end(&slices, &e));
	assert_end(0, 1 + SLICES_BUCKETS, "b", b, 0);
}

static void processes_are_apart(void **state)
{
	uint64_t a = begin(0, 5, "a");
	struct event e = event(1, 5, "");

	(void)state;
	assert_null(slices_end(&slices, &e));
	e = event(SLICES_BUCKETS, 5, ""); /* in the bucket of a */
	assert_null(slices_end(&slices, &e));
	assert_end(0, 5, "a", a, 0);
}

static void what_is_left_is_found(void **state)
{
	int n = 0;
	struct slice *s;

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		begin(i % 3, i, "x");
	for (; (s = slices_left(&slices)); n++)
		free(s);
	assert_int_equal(n, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_nest_in_each_thread),
		cmocka_unit_test(processes_are_apart),
		cmocka_unit_test(what_is_left_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
