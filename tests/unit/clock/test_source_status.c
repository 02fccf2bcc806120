// SPDX-License-Identifier: MIT
/* The status of each source: the latest record counts, a known rate stays, threads do not mix records. */
#include <pthread.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/source_status.h"

static const struct hpt_source_status at_load[HPT_SOURCE_IDS] = {
	[HPT_SOURCE_TSC] = { .usable = 1, .stage = HPT_STAGE_USABLE, .reason = HPT_REASON_TSC_TRUSTED },
	[HPT_SOURCE_OS] = { .usable = 1, .reason = HPT_REASON_BETTER_TSC, .frequency_uhz = HPT_UHZ_PER_GHZ },
};

static void first_status_is_that_of_load(void **state)
{
	struct hpt_source_status status;

	(void)state;
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++) {
		memset(&status, 0xa5, sizeof(status));
		hpt_source_status_get(at_load, id, &status);
		assert_memory_equal(&status, &at_load[id], sizeof(status));
	}
}

static void latest_record_is_read(void **state)
{
	struct hpt_source_status status = { .usable = 1, .stage = 3, .reason = 4, .error = 5, .frequency_uhz = 6,
				     .cost = { .mean_mticks = 7, .samples = 8 } }, got;

	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		status.reason = i;
		hpt_source_status_set(at_load, HPT_SOURCE_MMIO, &status);
		hpt_source_status_get(at_load, HPT_SOURCE_MMIO, &got);
		assert_memory_equal(&got, &status, sizeof(got));
	}
}

static void known_frequency_outlives_a_failure(void **state)
{
	struct hpt_source_status status = { .usable = 1, .frequency_uhz = 12345 }, got;

	(void)state;
	hpt_source_status_set(at_load, HPT_SOURCE_ARCH, &status);
	status = (struct hpt_source_status){ .error = 16, .reason = HPT_REASON_HPET_BUSY };
	hpt_source_status_set(at_load, HPT_SOURCE_ARCH, &status);
	hpt_source_status_get(at_load, HPT_SOURCE_ARCH, &got);
	assert_int_equal(got.frequency_uhz, 12345);
	assert_int_equal(got.usable, 0);
	assert_int_equal(got.error, 16);
	status.frequency_uhz = 777; /* a new one replaces it */
	hpt_source_status_set(at_load, HPT_SOURCE_ARCH, &status);
	hpt_source_status_get(at_load, HPT_SOURCE_ARCH, &got);
	assert_int_equal(got.frequency_uhz, 777);
}

static void frequency_alone_changes_nothing_else(void **state)
{
	struct hpt_source_status status = { .usable = 1, .stage = 6, .reason = 8, .cost = { .samples = 9 } }, got;

	(void)state;
	hpt_source_status_set(at_load, HPT_SOURCE_ARCH, &status);
	hpt_source_status_set_frequency(at_load, HPT_SOURCE_ARCH, 4242);
	hpt_source_status_get(at_load, HPT_SOURCE_ARCH, &got);
	status.frequency_uhz = 4242;
	assert_memory_equal(&got, &status, sizeof(got));
}

static void sources_do_not_share_records(void **state)
{
	struct hpt_source_status status = { .reason = 1 }, got;

	(void)state;
	hpt_source_status_set(at_load, HPT_SOURCE_ARCH, &status);
	status.reason = 2;
	hpt_source_status_set(at_load, HPT_SOURCE_MMIO, &status);
	hpt_source_status_get(at_load, HPT_SOURCE_ARCH, &got);
	assert_int_equal(got.reason, 1);
}

static _Atomic uint32_t writers, mixed, readings;

static void *write_some(void *arg)
{
	for (uint64_t i = 0; i < 50000 || (readings < 1000 && i < 50000000); i++) {
		uint64_t v = i * 2 + (uint64_t)(uintptr_t)arg + 1;
		struct hpt_source_status status = { v, v, v, v, v, { v, v, v, v, (uint32_t)v, (uint32_t)v } };

		hpt_source_status_set(at_load, HPT_SOURCE_MMIO, &status);
	}
	writers--;
	return NULL;
}

static void *read_some(void *arg)
{
	(void)arg;
	while (writers) {
		struct hpt_source_status s;

		hpt_source_status_get(at_load, HPT_SOURCE_MMIO, &s);
		readings++;
		if (s.stage != s.usable || s.reason != s.usable || s.error != s.usable || s.frequency_uhz != s.usable ||
		    s.cost.shortest_ticks != s.usable)
			mixed++;
	}
	return NULL;
}

static void records_are_never_mixed(void **state)
{
	struct hpt_source_status first = { 1, 1, 1, 1, 1, { 1, 1, 1, 1, 1, 1 } };
	pthread_t threads[4];

	(void)state;
	writers = 2;
	hpt_source_status_set(at_load, HPT_SOURCE_MMIO, &first);
	for (uintptr_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? write_some : read_some, (void *)i), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_true(readings >= 1000);
	assert_int_equal(mixed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_status_is_that_of_load),
		cmocka_unit_test(latest_record_is_read),
		cmocka_unit_test(known_frequency_outlives_a_failure),
		cmocka_unit_test(frequency_alone_changes_nothing_else),
		cmocka_unit_test(sources_do_not_share_records),
		cmocka_unit_test(records_are_never_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
