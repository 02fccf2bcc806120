// SPDX-License-Identifier: MIT
/* Events of many files in one order: by time, and of equal times by file. */
#include <stdlib.h>

#include "unit.h"

#include "trace/earliest.h"

#define FILES 37

static struct merge_input inputs[FILES];

static void make_files(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		inputs[i] = (struct merge_input){ .source = calloc(1, sizeof(struct source)) };
		assert_non_null(inputs[i].source);
		inputs[i].source->process = (uint32_t)i;
	}
}

static void free_files(size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(inputs[i].source);
}

static void add(size_t file, int64_t ns)
{
	struct batch *b = &inputs[file].source->batch;

	b->events[b->n++].ns = ns;
}

/* Takes the events one by one; each has to be the earliest that is left, of equal ones the first file's. */
static void assert_order(size_t n, size_t n_events)
{
	struct earliest e;
	struct merge_input *in;
	int64_t last_ns = INT64_MIN;
	uint32_t last_file = 0;
	size_t taken = 0;

	earliest_init(&e, inputs, n);
	while ((in = earliest_input(&e))) {
		int64_t ns = merge_input_next(in)->ns;

		assert_true(ns > last_ns || (ns == last_ns && in->source->process >= last_file));
		last_ns = ns;
		last_file = in->source->process;
		taken++;
		in->at++;
		earliest_moved(&e);
	}
	assert_int_equal(taken, n_events);
	earliest_free(&e);
}

static void many_files_are_in_one_order(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (size_t n = 1; n <= FILES; n++) {
		size_t n_events = 0;

		make_files(n);
		for (size_t i = 0; i < n; i++) {
			int64_t ns = 0;

			for (size_t events = i * 7 % 5; events > 0; events--, n_events++) {
				random = random * 1664525 + 1013904223; /* of Numerical Recipes */
				ns += random >> 24;
				add(i, ns);
			}
		}
		assert_order(n, n_events);
		free_files(n);
	}
}

static void equal_times_are_in_the_order_of_the_files(void **state)
{
	(void)state;
	make_files(FILES);
	for (size_t i = 0; i < FILES; i++)
		for (int64_t ns = 0; ns < 3; ns++)
			add(i, ns);
	assert_order(FILES, FILES * 3);
	free_files(FILES);
}

static void no_file_has_an_event(void **state)
{
	(void)state;
	make_files(3);
	assert_order(3, 0);
	free_files(3);
	assert_order(0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_files_are_in_one_order),
		cmocka_unit_test(equal_times_are_in_the_order_of_the_files),
		cmocka_unit_test(no_file_has_an_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
