// SPDX-License-Identifier: MIT
/* The file of --resume: what is written is read again, damage and other plans are refused, misses stay. */
#include <stdatomic.h>
#include <string.h>

#include "unit.h"

#include "bench/sweep_state.h"
#include "bench/sweep_summary.h"
#include "fake_sleeps.h"

static const struct sweep_machine machine = { "a processor, a kernel" };

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static char *written(const struct sweep *s)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	sweep_state_write(s, &machine, to);
	fclose(to);
	return text;
}

/* What fake ways measure in two rounds; free() it. */
static char *two_rounds(struct sweep *s)
{
	struct sweep_plan plan = fake_plan(2);

	fake_sweep(&plan, s);
	return written(s);
}

static bool reads(struct sweep *s, const char *text, struct sweep_refusal *ret)
{
	FILE *from = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
	bool is_read = sweep_state_read(s, &machine, from, ret);

	fclose(from);
	return is_read;
}

static void rounds_of_two_runs_are_one_sweep(void **state)
{
	struct sweep_plan plan = fake_plan(5);
	struct sweep_refusal refusal;
	struct sweep first, both;
	char *text = two_rounds(&first), *again;

	(void)state;
	fake_prepare(&plan, &both);
	assert_true(reads(&both, text, &refusal));
	assert_int_equal(both.resumed_rounds, 2);
	/* The counter's rate is known better than in the first run. */
	for (unsigned i = 0; i < both.n_lengths; i++)
		both.lengths_ticks[i] += 7;
	fake_run(&both);
	sweep_summarise(&both);
	assert_int_equal(atomic_load(&both.rounds_done), 5);
	assert_int_equal(fake_n_calls, 3 * 4 * CANDIDATES);
	assert_int_equal(fake_step_done, fake_step_total);
	assert_int_equal(both.bands[CANDIDATE_NANO][BAND_ALL].sleeps, 5 * 4);
	assert_int_equal(both.bands[CANDIDATE_NANO][BAND_ALL].miss.min, 60000000);
	assert_int_equal(both.bands[CANDIDATE_NANO][BAND_ALL].miss.max, 60000000);
	assert_int_equal(both.bands[CANDIDATE_PAPERS][BAND_ALL].exit.max, 400000);
	assert_int_equal(both.bands[CANDIDATE_PAPERS][BAND_ALL].entry.max, 20000);
	assert_int_equal(both.bands[CANDIDATE_ABSOLUTE][BAND_ALL].early, 5 * 4);
	assert_int_equal(both.bands[CANDIDATE_NANO][BAND_ALL].deadline_miss.count, 0);
	/* A fake sleep is disturbed after the first round of each run. */
	assert_int_equal(first.disturbed, 4);
	assert_int_equal(both.disturbed, 4 + 2 * 4);
	assert_true(both.elapsed_ns >= first.elapsed_ns);
	again = written(&both);
	assert_non_null(strstr(again, "\nrounds 5 "));
	free(again);
	free(text);
	fake_drop(&first);
	fake_drop(&both);
}

static void whole_rounds_alone_are_written(void **state)
{
	struct sweep_plan plan = fake_plan(3);
	struct sweep s;
	unsigned lines = 0;
	char *text;

	(void)state;
	fake_steps_wanted = CANDIDATES * 4 + CANDIDATES + 1; /* a round and a length */
	fake_sweep(&plan, &s);
	text = written(&s);
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 2 + CANDIDATES + 4 + 1 + CANDIDATES * 4 + 1);
	free(text);
	fake_drop(&s);
}

/* One change of the file each, and what the refusal says. */
static void damage_is_refused(void **state)
{
	static const struct { const char *old, *new, *why; } changes[] = {
		{ "format 1", "format 9", "no file of hpt bench sleep" },
		{ "a processor", "another one", "another machine" },
		{ "way nanosleep", "way napping", "other ways" },
		{ "way busy wait\n", "", "other ways" },
		{ "length 4000000 ", "length 4000001 ", "other lengths" },
		{ "length 1000000 1000000", "length 1000000 0", "other lengths" },
		{ "length 1000000 1000000", "length 1000000 1000000\nlength 500000 500000", "other lengths" },
		{ "rounds 2 ", "rounds -1 ", "number of its rounds" }, { "rounds 2 ", "rounds 5 ", "asks for no more" },
		{ "rounds 2 ", "rounds 99999999999999999999 ", "number of its rounds" },
		{ "rounds 2 ", "rounds 1 ", "more than its rounds" },
		{ "rounds 2 ", "rounds 0 ", "more than its rounds" }, { "rounds 2 ", "rounds 3 ", "damaged" },
		{ "\nend\n", "\n", "ends too early" }, { "\nend\n", "\nend", "has no end" },
		{ "\n8060000 - - - ", "\n8060000 - - x ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n-8060000 - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n- - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n8060000 - - - -", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n9223372036854775807 - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n8060000 - - - 1 ", "the sleep is damaged" },
	};
	struct sweep_plan plan = fake_plan(5);
	struct sweep first;
	char *whole = two_rounds(&first);

	(void)state;
	for (size_t i = 0; i < COUNT(changes); i++) {
		char *at = strstr(whole, changes[i].old), *text;
		struct sweep_refusal refusal;
		struct sweep s;

		if (!at)
			fail_msg("%s", changes[i].old);
		text = malloc(strlen(whole) + 100);
		sprintf(text, "%.*s%s%s", (int)(at - whole), whole, changes[i].new, at + strlen(changes[i].old));
		fake_prepare(&plan, &s);
		if (reads(&s, text, &refusal) || !strstr(refusal.why, changes[i].why))
			fail_msg("%s: %s", changes[i].new, refusal.why);
		assert_true(refusal.line > 0);
		assert_int_equal(s.resumed_rounds, 0);
		free(text);
		fake_drop(&s);
	}
	free(whole);
	fake_drop(&first);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	struct sweep_plan plan = fake_plan(5);
	struct sweep first, s;
	char *whole = two_rounds(&first);

	(void)state;
	fake_prepare(&plan, &s);
	for (size_t n = strlen(whole); n-- > 1;) {
		struct sweep_refusal refusal;

		whole[n] = '\0';
		assert_false(reads(&s, whole, &refusal));
		assert_true(*refusal.why);
	}
	free(whole);
	fake_drop(&first);
	fake_drop(&s);
}

static void the_machine_is_named(void **state)
{
	struct sweep s = { .watch.source = HPT_SOURCE_HPET };
	struct sweep_machine own = sweep_state_machine(&s);

	(void)state;
	assert_non_null(strstr(own.s, ", source hpet"));
	assert_null(strchr(own.s, '\n'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rounds_of_two_runs_are_one_sweep, set_up),
		cmocka_unit_test_setup(whole_rounds_alone_are_written, set_up),
		cmocka_unit_test_setup(damage_is_refused, set_up),
		cmocka_unit_test_setup(a_file_cut_anywhere_is_refused, set_up),
		cmocka_unit_test_setup(the_machine_is_named, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
