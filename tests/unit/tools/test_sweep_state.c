// SPDX-License-Identifier: MIT
/* The file of --resume: rounds of several runs are one sweep, a cut one is dropped, damage and other plans refused. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unit.h"

#include "bench/sweep_state.h"
#include "bench/sweep_summary.h"
#include "fake_sleeps.h"

static const struct sweep_machine machine = { "a processor, a kernel" };

/* The file of a test, empty when it begins. */
static char path[] = "/tmp/hpt-test-state-XXXXXX";

static int set_up(void **state)
{
	int fd;

	(void)state;
	fake_reset();
	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static size_t read_file(char *ret, size_t size)
{
	FILE *from = fopen(path, "r");
	size_t n;

	assert_non_null(from);
	n = fread(ret, 1, size - 1, from);
	assert_true(n < size - 1);
	ret[n] = '\0';
	fclose(from);
	return n;
}

static void write_file(const char *text, size_t n)
{
	FILE *to = fopen(path, "w");

	assert_non_null(to);
	assert_int_equal(fwrite(text, 1, n, to), n);
	fclose(to);
}

static struct sweep_state *open_state(struct sweep *s, struct sweep_refusal *ret)
{
	s->keeper = sweep_state_open(path, s, &machine, ret);
	s->keep = sweep_state_add;
	return s->keeper;
}

/* Runs what is left of a sweep of @rounds, with the counter's rate off by @more_ticks at each length. */
static void run_on(struct sweep *s, uint32_t rounds, int64_t more_ticks)
{
	struct sweep_plan plan = fake_plan(rounds);
	struct sweep_refusal refusal;
	struct sweep_state *state;

	fake_prepare(&plan, s);
	state = open_state(s, &refusal);
	if (!state)
		fail_msg("%s", refusal.why);
	for (unsigned i = 0; i < s->n_lengths; i++)
		s->lengths_ticks[i] += more_ticks;
	fake_run(s);
	assert_int_equal(sweep_state_error(state), 0);
	sweep_state_close(state);
}

static void rounds_of_three_runs_are_one_sweep(void **state)
{
	struct sweep first, second, all;

	(void)state;
	run_on(&first, 2, 0);
	fake_reset();
	run_on(&second, 3, -5);
	fake_reset();
	run_on(&all, 5, 7);
	sweep_summarise(&all);
	assert_int_equal(first.resumed_rounds, 0);
	assert_int_equal(all.resumed_rounds, 3);
	assert_int_equal(atomic_load(&all.rounds_done), 5);
	assert_int_equal(fake_n_calls, 2 * 4 * CANDIDATES);
	assert_int_equal(fake_step_done, fake_step_total);
	assert_int_equal(all.bands[CANDIDATE_NANO][BAND_ALL].sleeps, 5 * 4);
	assert_int_equal(all.bands[CANDIDATE_NANO][BAND_ALL].miss.min, 60000000);
	assert_int_equal(all.bands[CANDIDATE_NANO][BAND_ALL].miss.max, 60000000);
	assert_int_equal(all.bands[CANDIDATE_PAPERS][BAND_ALL].exit.max, 400000);
	assert_int_equal(all.bands[CANDIDATE_PAPERS][BAND_ALL].entry.max, 20000);
	assert_int_equal(all.bands[CANDIDATE_ABSOLUTE][BAND_ALL].early, 5 * 4);
	assert_int_equal(all.bands[CANDIDATE_NANO][BAND_ALL].deadline_miss.count, 0);
	/* A fake sleep is disturbed after the first round of each run. */
	assert_int_equal(first.disturbed, 4);
	assert_int_equal(second.disturbed, 4);
	assert_int_equal(all.disturbed, 4 + 4);
	assert_true(second.elapsed_ns >= first.elapsed_ns);
	assert_true(all.elapsed_ns >= second.elapsed_ns);
	fake_drop(&first);
	fake_drop(&second);
	fake_drop(&all);
}

/* Sees the file in the middle of a round, as one who kills the run would. */
static unsigned seen_rounds;
static size_t seen_bytes;

static void look(void)
{
	char text[20000];

	seen_rounds = 0;
	seen_bytes = read_file(text, sizeof(text));
	for (const char *c = text; (c = strstr(c, "\nround ")) != NULL; c++)
		seen_rounds++;
}

static void a_round_is_in_the_file_before_the_next_begins(void **state)
{
	struct sweep_plan plan = fake_plan(3);
	struct sweep_refusal refusal;
	struct sweep_state *own;
	char text[20000];
	struct sweep s;

	(void)state;
	fake_prepare(&plan, &s);
	own = open_state(&s, &refusal);
	fake_steps_wanted = CANDIDATES * 4 + CANDIDATES + 1; /* a round and a length */
	fake_run(&s);
	look();
	assert_int_equal(seen_rounds, 1);
	assert_int_equal(text[read_file(text, sizeof(text)) - 1], '\n');
	sweep_state_close(own);
	look();
	assert_int_equal(seen_rounds, 1);
	fake_drop(&s);
}

/* One change of the file each, and what the refusal says. */
static void damage_is_refused(void **state)
{
	static const struct { const char *old, *new, *why; } changes[] = {
		{ "format 2", "format 9", "no file of hpt bench sleep" },
		{ "a processor", "another one", "another machine" },
		{ "way nanosleep", "way napping", "other ways" },
		{ "way busy wait\n", "", "other ways" },
		{ "length 8000000\n", "way of no name\nlength 8000000\n", "other lengths" },
		{ "length 4000000\n", "length 4000001\n", "other lengths" },
		{ "length 4000000\n", "length 4000000 1\n", "other lengths" },
		{ "length 1000000\n", "", "other lengths" },
		{ "length 1000000\n", "length 1000000\nlength 500000\n", "other lengths" },
		{ "length 1000000\n", "length 1000000\nway of no name\n", "other ways" },
		{ "run 8000000 4000000", "run 8000000 1999998", "the run's lengths are damaged" },
		{ "run 8000000 4000000", "run 8000000 8000002", "the run's lengths are damaged" },
		{ "run 8000000 4000000", "run 8000000 -4000000", "the run's lengths are damaged" },
		{ "run 8000000 ", "run ", "the run's lengths are damaged" },
		{ "run 8000000 ", "run 8000000 8000000 ", "the run's lengths are damaged, or more" },
		{ "run 8000000 ", "ran 8000000 ", "first run is missing" },
		{ "run 8000000 4000000 2000000 1000000\n", "", "first run is missing" },
		{ "\nround ", "\nrounds ", "the end of the round is damaged" },
		{ "\nround ", "\nround -", "the end of the round is damaged" },
		{ "\nround ", "\nround 1 ", "the end of the round is damaged" },
		{ "\nround ", "\nround 99999999999999999999", "the end of the round is damaged" },
		{ "\n8060000 - - - ", "\n8060000 - - x ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n-8060000 - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n- - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n8060000 - - - -", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n9223372036854775807 - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n8060000 - - - 1 ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n90008000000001 - - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\n8060000 -90008000000001 - - ", "the sleep is damaged" },
		{ "\n8060000 - - - ", "\nround 1 1\n8060000 - - - ", "the sleep is damaged" },
	};
	char whole[20000], text[20200], now[20200];
	struct sweep first;

	(void)state;
	run_on(&first, 2, 0);
	read_file(whole, sizeof(whole));
	for (size_t i = 0; i < COUNT(changes); i++) {
		struct sweep_plan plan = fake_plan(5);
		char *at = strstr(whole, changes[i].old);
		struct sweep_refusal refusal;
		struct sweep s;

		if (!at)
			fail_msg("%s", changes[i].old);
		sprintf(text, "%.*s%s%s", (int)(at - whole), whole, changes[i].new, at + strlen(changes[i].old));
		write_file(text, strlen(text));
		fake_prepare(&plan, &s);
		if (open_state(&s, &refusal) || !strstr(refusal.why, changes[i].why))
			fail_msg("%s: %s", changes[i].new, refusal.why);
		assert_true(refusal.line > 0);
		assert_int_equal(s.resumed_rounds, 0);
		read_file(now, sizeof(now));
		assert_string_equal(now, text);
		fake_drop(&s);
	}
	fake_drop(&first);
}

/* CPU times that no sleep of an hour has: the first sleep of the file gets them. */
static void cpu_times_of_more_than_a_day_are_refused(void **state)
{
	static const struct { const char *line; bool is_good; } rows[] = {
		{ "8060000 - - - 90000000000000 90000000000 90000000000", true },
		{ "8060000 - - - 90000000000001 0 0", false }, { "8060000 - - - 0 90000000001 0", false },
		{ "8060000 - - - 0 0 90000000001", false },
	};
	char whole[20000], text[20200];
	struct sweep first;
	char *line, *rest;

	(void)state;
	run_on(&first, 2, 0);
	read_file(whole, sizeof(whole));
	line = strchr(strstr(whole, "\nrun ") + 1, '\n') + 1;
	rest = strchr(line, '\n');
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct sweep_plan plan = fake_plan(5);
		struct sweep_refusal refusal;
		struct sweep s;

		sprintf(text, "%.*s%s%s", (int)(line - whole), whole, rows[i].line, rest);
		write_file(text, strlen(text));
		fake_prepare(&plan, &s);
		assert_int_equal(open_state(&s, &refusal) != NULL, rows[i].is_good);
		sweep_state_close(s.keeper);
		fake_drop(&s);
	}
	fake_drop(&first);
}

/* A run may be killed in the middle of a line: whole rounds count, and what is after them goes with the next round. */
static void a_file_cut_anywhere_has_its_whole_rounds(void **state)
{
	char whole[20000], now[20000];
	size_t n, head, ends[2];
	struct sweep first;

	(void)state;
	run_on(&first, 2, 0);
	n = read_file(whole, sizeof(whole));
	head = (size_t)(strstr(whole, "\nrun ") - whole) + 1;
	ends[0] = (size_t)(strchr(strstr(whole, "\nround ") + 1, '\n') - whole) + 1;
	ends[1] = n;
	while (n-- > 0) {
		struct sweep_plan plan = fake_plan(5);
		unsigned rounds = (n >= ends[0]) + (n >= ends[1]);
		struct sweep_refusal refusal;
		struct sweep_state *own;
		struct sweep s;

		write_file(whole, n);
		fake_prepare(&plan, &s);
		own = open_state(&s, &refusal);
		assert_int_equal(!own, n > 0 && n < head);
		assert_int_equal(s.resumed_rounds, rounds);
		if (own)
			assert_int_equal(read_file(now, sizeof(now)), rounds ? ends[rounds - 1] : 0);
		sweep_state_close(own);
		fake_drop(&s);
	}
	fake_drop(&first);
}

/* As a file system may leave it that lost power. */
static void bytes_after_the_last_round_are_dropped(void **state)
{
	char whole[20000] = { 0 }, now[20000];
	struct sweep_plan plan = fake_plan(5);
	struct sweep_refusal refusal;
	struct sweep_state *own;
	struct sweep first, s;
	size_t n;

	(void)state;
	run_on(&first, 2, 0);
	n = read_file(whole, sizeof(whole));
	for (int fill = 0; fill < 'x' + 1; fill += 'x') {
		memset(whole + n, fill, 4096);
		write_file(whole, n + 4096);
		fake_prepare(&plan, &s);
		own = open_state(&s, &refusal);
		assert_non_null(own);
		assert_int_equal(s.resumed_rounds, 2);
		assert_int_equal(read_file(now, sizeof(now)), n);
		sweep_state_close(own);
		memset(whole + n, 0, 4096);
		fake_drop(&s);
	}
	/* Not where a line follows: that is no end that was cut off. */
	memset(whole + n, 'x', 4096);
	whole[n + 4095] = '\n';
	write_file(whole, n + 4096);
	fake_prepare(&plan, &s);
	assert_null(open_state(&s, &refusal));
	assert_string_equal(refusal.why, "the line is too long, or has no end");
	fake_drop(&s);
	fake_drop(&first);
}

static void a_complete_file_is_shown_again(void **state)
{
	struct sweep first, again;
	char before[20000], after[20000];

	(void)state;
	run_on(&first, 2, 0);
	read_file(before, sizeof(before));
	assert_null(strstr(strstr(before, "\nrun ") + 1, "\nrun "));
	run_on(&again, 2, 0);
	read_file(after, sizeof(after));
	sweep_summarise(&again);
	assert_int_equal(fake_n_calls, 0);
	assert_int_equal(again.bands[CANDIDATE_NANO][BAND_ALL].sleeps, 2 * 4);
	assert_int_equal(again.elapsed_ns / 1000000000, first.elapsed_ns / 1000000000);
	assert_string_equal(before, after);
	fake_drop(&first);
	fake_drop(&again);
}

static void more_rounds_than_the_plan_has_are_counted(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	struct sweep_refusal refusal;
	struct sweep first, s;

	(void)state;
	run_on(&first, 5, 0);
	fake_prepare(&plan, &s);
	assert_null(open_state(&s, &refusal));
	assert_string_equal(refusal.why, "it has 5 rounds, which is more than --rounds asks for");
	fake_drop(&first);
	fake_drop(&s);
}

static void a_file_of_another_run_is_left_alone(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	struct sweep_refusal refusal;
	struct sweep_state *own;
	struct sweep s, other;

	(void)state;
	fake_prepare(&plan, &s);
	fake_prepare(&plan, &other);
	own = open_state(&s, &refusal);
	assert_non_null(own);
	assert_null(open_state(&other, &refusal));
	assert_string_equal(refusal.why, "another run adds to it");
	sweep_state_close(own);
	own = open_state(&other, &refusal);
	assert_non_null(own);
	sweep_state_close(own);
	fake_drop(&s);
	fake_drop(&other);
}

/* Stands in for the C library's: the run that held the file ends just before the lock is granted. */
static const char *written_meanwhile;

int flock(int fd, int operation)
{
	if (written_meanwhile)
		write_file(written_meanwhile, strlen(written_meanwhile));
	written_meanwhile = NULL;
	return (int)syscall(SYS_flock, fd, operation);
}

static void a_file_that_another_run_has_just_made_is_read(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	struct sweep_refusal refusal;
	char whole[20000];
	struct sweep first, s;

	(void)state;
	run_on(&first, 2, 0);
	read_file(whole, sizeof(whole));
	write_file("", 0);
	fake_prepare(&plan, &s);
	written_meanwhile = whole;
	assert_non_null(open_state(&s, &refusal));
	assert_int_equal(s.resumed_rounds, 2);
	sweep_state_close(s.keeper);
	fake_drop(&s);
	fake_drop(&first);
}

static void what_is_no_file_is_refused(void **state)
{
	static const struct { const char *path, *why; } wrong[] = {
		{ "/dev/null", "it is no regular file" }, { "/", "Is a directory" },
		{ "/nonexistent/x", "No such file or directory" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct sweep_plan plan = fake_plan(2);
		struct sweep_refusal refusal;
		struct sweep s;

		fake_prepare(&plan, &s);
		assert_null(sweep_state_open(wrong[i].path, &s, &machine, &refusal));
		assert_string_equal(refusal.why, wrong[i].why);
		assert_int_equal(refusal.line, 0);
		fake_drop(&s);
	}
}

/* The limit stands for a full disk. */
static void a_round_that_does_not_fit_is_taken_back(void **state)
{
	struct sweep_plan plan = fake_plan(4);
	struct sweep_refusal refusal;
	struct rlimit before, limit;
	struct sweep_state *own;
	struct sweep first, s;
	size_t whole;

	(void)state;
	run_on(&first, 1, 0);
	look();
	whole = seen_bytes;
	fake_prepare(&plan, &s);
	own = open_state(&s, &refusal);
	assert_non_null(own);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = (struct rlimit){ whole + 50, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fake_reset();
	fake_run(&s);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(atomic_load(&s.rounds_done), 4);
	assert_int_equal(sweep_state_error(own), -EFBIG);
	sweep_state_add(own, &s, 3);
	assert_int_equal(sweep_state_error(own), -EFBIG);
	look();
	assert_int_equal(seen_rounds, 1);
	assert_int_equal(seen_bytes, whole);
	sweep_state_close(own);
	look();
	assert_int_equal(seen_bytes, whole);
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
		cmocka_unit_test_setup_teardown(rounds_of_three_runs_are_one_sweep, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_round_is_in_the_file_before_the_next_begins, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cpu_times_of_more_than_a_day_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_cut_anywhere_has_its_whole_rounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bytes_after_the_last_round_are_dropped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_complete_file_is_shown_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(more_rounds_than_the_plan_has_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_of_another_run_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_another_run_has_just_made_is_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_round_that_does_not_fit_is_taken_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_machine_is_named, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
