// SPDX-License-Identifier: MIT
/* Disturbances from known readings, and what is said of them. */
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "cli/disturbance.h"
#include "math/units.h"

static void first_line_of_proc_stat_is_parsed(void **state)
{
	static const char *const wrong[] = {
		"", "cpu", "cpu  1 2 3 4 5 6 7", "cpu0 1 2 3 4 5 6 7 8", "intr 1 2 3 4 5 6 7 8",
		"cpu  0 0 0 0 0 0 0 0 0 0",
	};
	struct cpu_times t = { .busy = 99 };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_false(cpu_times_parse(wrong[i], &t));
		assert_int_equal(t.busy, 99);
	}
	assert_true(cpu_times_parse("cpu  100 20 3000 40000 500000 6000000 70000000 800000000 9 9\n", &t));
	assert_int_equal(t.busy, 76003120);
	assert_int_equal(t.steal, 800000000);
	assert_int_equal(t.total, 876543120);
}

/* Readings ten seconds apart on two CPUs, without a disturbance. */
static void world(struct disturbance_reading *before, struct disturbance_reading *after)
{
	uint64_t per_s = (uint64_t)sysconf(_SC_CLK_TCK);

	*before = (struct disturbance_reading){
		.at_ns = 5 * NS_PER_S, .own_cpu_ns = 7 * NS_PER_S, .preemptions = 40,
		.cpus = { .busy = 300 * per_s, .steal = 10 * per_s, .total = 900 * per_s },
	};
	*after = *before;
	after->at_ns += 10 * NS_PER_S;
	after->own_cpu_ns += 2 * NS_PER_S;
	after->cpus.busy += 3 * per_s;
	after->cpus.total += 20 * per_s;
	after->preemptions += 100;
}

static struct disturbance between(const struct disturbance_reading *before,
				      const struct disturbance_reading *after, bool is_crowded)
{
	struct disturbance d;

	disturbance_between(before, after, is_crowded, &d);
	assert_true(d.is_known);
	return d;
}

static void own_time_is_not_that_of_others(void **state)
{
	struct disturbance_reading before, after;
	struct disturbance d;

	(void)state;
	world(&before, &after);
	d = between(&before, &after, false);
	assert_int_equal(d.others_ppm, 100000); /* 1 s of 10 */
	assert_int_equal(d.steal_ppm, 0);
	assert_int_equal(d.preemptions, 100);
	assert_false(d.is_disturbed);
	after.own_cpu_ns += 2 * NS_PER_S; /* more than the kernel's samples have */
	assert_int_equal(between(&before, &after, false).others_ppm, 0);
}

static void each_limit_disturbs(void **state)
{
	struct disturbance_reading before, after;
	uint64_t per_s = (uint64_t)sysconf(_SC_CLK_TCK);

	(void)state;
	world(&before, &after);
	after.own_cpu_ns -= NS_PER_MS;
	assert_true(between(&before, &after, false).is_disturbed);
	world(&before, &after);
	after.preemptions++;
	assert_true(between(&before, &after, false).is_disturbed);
	assert_true(between(&before, &after, false).is_preempted);
	assert_false(between(&before, &after, true).is_disturbed);
	assert_false(between(&before, &after, true).is_preempted);
	world(&before, &after);
	after.cpus.steal += per_s / 5; /* 1 % of 20 s */
	assert_int_equal(between(&before, &after, false).steal_ppm, 10000);
	assert_false(between(&before, &after, false).is_disturbed);
	after.cpus.steal++;
	assert_true(between(&before, &after, true).is_disturbed);
}

static void without_proc_stat_shares_are_unknown(void **state)
{
	struct disturbance_reading before, after;
	struct disturbance d;
	json_t *o;

	(void)state;
	world(&before, &after);
	before.cpus = after.cpus = (struct cpu_times){ 0 };
	d = between(&before, &after, false);
	assert_int_equal(d.others_ppm, -1);
	assert_int_equal(d.steal_ppm, -1);
	assert_false(d.is_disturbed);
	o = disturbance_json(&d);
	assert_true(json_is_null(json_object_get(o, "steal_ppm")));
	assert_true(json_is_null(json_object_get(o, "others_ppm")));
	assert_int_equal(json_integer_value(json_object_get(o, "preemptions")), 100);
	json_decref(o);
}

/* The kernel's steal time may go back after a move to another host. */
static void times_that_go_back_are_unknown(void **state)
{
	struct disturbance_reading before, after;

	(void)state;
	world(&before, &after);
	after.cpus.steal--;
	assert_int_equal(between(&before, &after, false).steal_ppm, -1);
	world(&before, &after);
	after.cpus.busy = before.cpus.busy - 1;
	assert_int_equal(between(&before, &after, false).others_ppm, -1);
	world(&before, &after);
	after.at_ns = before.at_ns;
	after.preemptions = before.preemptions;
	assert_int_equal(between(&before, &after, false).others_ppm, -1);
}

static char *print(const struct disturbance *d)
{
	char *text = NULL;
	size_t n;
	struct doc doc = { .to = open_memstream(&text, &n) };

	disturbance_print(d, &doc);
	fclose(doc.to);
	return text;
}

static void only_disturbed_runs_say_so(void **state)
{
	struct disturbance d = { .is_known = true, .steal_ppm = 10000, .others_ppm = 100000, .preemptions = 120 };
	struct disturbance none = { 0 };
	json_t *o = disturbance_json(&none);
	char *text = print(&d);

	(void)state;
	assert_true(json_is_null(o));
	json_decref(o);
	assert_string_equal(text, "");
	free(text);
	d = (struct disturbance){ .is_known = true, .is_disturbed = true, .steal_ppm = 31000, .others_ppm = 450000,
				      .preemptions = 120 };
	text = print(&d);
	assert_string_equal(text, "Disturbed: other processes used 0.45 CPUs, the host took 3.1 % of the CPUs' time. "
			    "The tails are not the library's alone.\n");
	free(text);
	none = (struct disturbance){ .is_known = true, .is_disturbed = true, .steal_ppm = -1, .others_ppm = -1,
					 .preemptions = 120, .is_preempted = true };
	text = print(&none);
	assert_string_equal(text, "Disturbed: the measuring thread was preempted 120 times. "
			    "The tails are not the library's alone.\n");
	free(text);
	o = disturbance_json(&d);
	assert_true(json_is_true(json_object_get(o, "is_disturbed")));
	assert_int_equal(json_integer_value(json_object_get(o, "steal_ppm")), 31000);
	assert_int_equal(json_integer_value(json_object_get(o, "others_ppm")), 450000);
	json_decref(o);
}

static void readings_of_this_process(void **state)
{
	struct disturbance_reading before, after;

	(void)state;
	disturbance_read(&before);
	disturbance_read(&after);
	assert_true(after.at_ns >= before.at_ns && after.own_cpu_ns >= before.own_cpu_ns);
	assert_true(before.own_cpu_ns > 0);
	assert_true(after.preemptions >= before.preemptions);
	if (before.cpus.total)
		assert_true(before.cpus.busy <= before.cpus.total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_line_of_proc_stat_is_parsed),
		cmocka_unit_test(own_time_is_not_that_of_others),
		cmocka_unit_test(each_limit_disturbs),
		cmocka_unit_test(without_proc_stat_shares_are_unknown),
		cmocka_unit_test(times_that_go_back_are_unknown),
		cmocka_unit_test(only_disturbed_runs_say_so),
		cmocka_unit_test(readings_of_this_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
