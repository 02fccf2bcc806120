// SPDX-License-Identifier: MIT
/* hpt bench wake: plans, sums of known samples, whole runs, stopped runs, lost sleeps, reports. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

#include "bench/stopwatch.h"
#include "bench/wakes.h"
#include "cmd.h"

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)

/* ---- In place of the program, its worker, and what wakes and sleeps ---------------------------------------------- */

void hpt_err(const char *fmt, ...)
{
	note("%s", fmt);
}

static int64_t steps_left;      /* that are answered with true; -1: all */
static int64_t done_seen, total_seen, stopped_ns;

bool hpt_worker_step(struct hpt_worker *w, int64_t done, int64_t total)
{
	(void)w;
	assert_true(done >= done_seen && done <= total);
	done_seen = done;
	total_seen = total;
	if (steps_left < 0 || steps_left-- > 0)
		return true;
	assert_int_equal(stopped_ns, 0); /* who was told to leave off does not ask again */
	stopped_ns = hpt_os_ns(CLOCK_MONOTONIC);
	return false;
}

/* Events that do not arrive, though eventfd says so. */
static _Atomic int writes_to_swallow;

ssize_t write(int fd, const void *data, size_t n)
{
	if (n == sizeof(uint64_t) && fd > STDERR_FILENO && atomic_load(&writes_to_swallow)) {
		atomic_fetch_sub(&writes_to_swallow, 1);
		return (ssize_t)n;
	}
	return syscall(SYS_write, fd, data, n);
}

/* Waits for eventfd that end at once, with nothing there. */
static _Atomic int polls_to_end;

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	(void)mask;
	if (atomic_load(&polls_to_end)) {
		atomic_fetch_sub(&polls_to_end, 1);
		return 0;
	}
	return poll(fds, n, (int)(timeout->tv_sec * 1000));
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static struct hpt_wakes s;
static cpu_set_t allowed;

static const struct hpt_wakes_plan short_plan = {
	.rounds = 30, .period_ns = NS_PER_MS, .ticker_ns = 50 * NS_PER_MS, .seed = 7,
};

static int all_cpus(void **state)
{
	(void)state;
	steps_left = -1;
	done_seen = total_seen = stopped_ns = 0;
	atomic_store(&writes_to_swallow, 0);
	atomic_store(&polls_to_end, 0);
	return sched_setaffinity(0, sizeof(allowed), &allowed);
}

static int give_back(void **state)
{
	for (unsigned i = 0; i < s.n_phases; i++)
		for (unsigned j = 0; j < s.phases[i].n_ways; j++) {
			free(s.phases[i].ways[j].latency_ps);
			free(s.phases[i].ways[j].cost_ps);
		}
	for (unsigned i = 0; i < s.n_keepers; i++)
		free(s.keepers[i].late_ps);
	s = (struct hpt_wakes){ 0 };
	return all_cpus(state);
}

/* The first of ours, as hpt_worker_run() would. */
static void stay(void)
{
	cpu_set_t one;
	size_t cpu = 0;

	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
}

static void run(const struct hpt_wakes_plan *plan)
{
	assert_int_equal(hpt_wakes_prepare(plan, &s), 0);
	stay();
	hpt_wakes_measure(&s, NULL);
}

static bool is_alone(void)
{
	if (CPU_COUNT(&allowed) > 1)
		return false;
	note("one CPU only: nobody can be woken from another");
	return true;
}

static int threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static uint32_t rounds_done(unsigned phase)
{
	return atomic_load(&s.phases[phase].rounds_done);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static void impossible_plans_are_refused(void **state)
{
	static const struct hpt_wakes_plan plans[] = {
		{ .rounds = 0, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = HPT_WAKES_ROUNDS_MAX + 1, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = 9999, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = NS_PER_S + 1, .ticker_ns = 2 * NS_PER_S },
		{ .rounds = 1, .period_ns = 0, .ticker_ns = 0 },
		{ .rounds = 1, .period_ns = -NS_PER_MS, .ticker_ns = NS_PER_S },
		{ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = -1 },
		{ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = NS_PER_MS - 1 },
		{ .rounds = 1, .period_ns = NS_PER_S, .ticker_ns = 3600 * NS_PER_S + 1 },
		{ .rounds = 1, .period_ns = 10000, .ticker_ns = 10000 * (HPT_WAKES_TICKS_MAX + INT64_C(1)) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(plans); i++)
		assert_int_equal(hpt_wakes_prepare(&plans[i], &s), -ERANGE);
}

static void outermost_plans_are_taken(void **state)
{
	static const struct hpt_wakes_plan plans[] = {
		{ .rounds = 1, .period_ns = 10000, .ticker_ns = 10000 },
		{ .rounds = 1, .period_ns = NS_PER_S, .ticker_ns = 3600 * NS_PER_S },
		{ .rounds = 2, .period_ns = NS_PER_MS, .ticker_ns = 0 },
	};

	for (size_t i = 0; i < COUNT(plans); i++) {
		assert_int_equal(hpt_wakes_prepare(&plans[i], &s), 0);
		steps_left = 0; /* gives back what is slept on */
		hpt_wakes_measure(&s, NULL);
		assert_int_equal(s.n_keepers, plans[i].ticker_ns ? HPT_WAKES_KEEPERS : 0);
		assert_false(hpt_wakes_summarise(&s));
		give_back(state);
	}
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

/* Behind the whole rounds lies what nobody may look at. */
static int64_t latencies[] = { 5000, 1000, 9000, 3000, 7000, INT64_MAX, INT64_MAX };
static int64_t costs[] = { 10, 30, 20, 50, 40, INT64_MIN, INT64_MIN };

static struct hpt_wakes faked_phase(uint32_t done)
{
	return (struct hpt_wakes){
		.n_phases = 1, .sleeper_cpu = 1,
		.phases = { { .name = "spin", .asleep_ns = 4000, .rounds = COUNT(latencies), .rounds_done = done,
			      .n_ways = 1, .ways = { { .name = "one", .latency_ps = latencies, .cost_ps = costs } } } },
	};
}

static void only_whole_rounds_are_summed_up(void **state)
{
	struct hpt_wakes f = faked_phase(5);
	const struct hpt_wakes_candidate *way = &f.phases[0].ways[0];

	(void)state;
	assert_true(hpt_wakes_summarise(&f));
	assert_int_equal(way->latency.count, 5);
	assert_int_equal(way->latency.median, 5000);
	assert_int_equal(way->latency.max, 9000);
	assert_int_equal(way->cost.count, 5);
	assert_int_equal(way->cost.median, 30);
	assert_int_equal(way->cost.min, 10);
	assert_int_equal(way->latency.min, 1000);
	assert_int_equal(latencies[0], 5000); /* in the order of rounds still: for the figures */
}

static struct hpt_wakes faked_keeper(int64_t *late_ps, size_t n, size_t done)
{
	return (struct hpt_wakes){
		.n_keepers = 1,
		.keepers = { { .name = "one", .late_ps = late_ps, .n = n, .done = done, .cpu_ns = 1, .wall_ns = 3 } },
	};
}

static void keepers_are_summed_up(void **state)
{
	int64_t late_ps[] = { 900, 500, 100, 100, 100, 100, 4700, 700, INT64_MIN };
	struct hpt_wakes f = faked_keeper(late_ps, COUNT(late_ps), 8);
	const struct hpt_wakes_keeper *k = &f.keepers[0];

	(void)state;
	assert_true(hpt_wakes_summarise(&f));
	assert_int_equal(k->late.count, 8);
	assert_int_equal(k->late.max, 4700);
	assert_int_equal(k->drift_ps, 200); /* 700 less 500 */
	assert_int_equal(k->cpu_ppm, 333333);
}

static void one_tick_does_not_drift(void **state)
{
	int64_t late_ps[] = { 900 };
	struct hpt_wakes f = faked_keeper(late_ps, 1, 1);

	(void)state;
	assert_true(hpt_wakes_summarise(&f));
	assert_int_equal(f.keepers[0].drift_ps, 0);
}

/* What is left of a lateness of @late_ps at least, if the start is known to so much. */
static int64_t settled(int64_t late_ps, int64_t took_ps, int64_t *ret_doubt_ps)
{
	int64_t all[] = { late_ps + 7, late_ps, late_ps + 5 };
	struct hpt_wakes f = faked_keeper(all, 3, 3);

	f.start_took_ps = took_ps;
	hpt_wakes_summarise(&f);
	hpt_wakes_summarise(&f); /* no further */
	assert_int_equal(all[0], all[1] + 7);
	assert_int_equal(f.keepers[0].late.min, all[1]);
	*ret_doubt_ps = f.start_doubt_ps;
	return all[1];
}

static void start_is_settled_once(void **state)
{
	int64_t doubt_ps;

	(void)state;
	assert_int_equal(settled(1000, 400, &doubt_ps), 800);
	assert_int_equal(doubt_ps, 200);
	assert_int_equal(settled(100, 400, &doubt_ps), 50); /* none came before its time */
	assert_int_equal(doubt_ps, 50);
	assert_int_equal(settled(-100, 400, &doubt_ps), -100); /* but one that did is seen */
	assert_int_equal(doubt_ps, 0);
}

/* ---- Whole runs ------------------------------------------------------------------------------------------------- */

static void check_phase(const struct hpt_wakes_phase *p)
{
	uint32_t done = atomic_load(&p->rounds_done);

	assert_int_equal(done, p->rounds);
	for (unsigned i = 0; i < p->n_ways; i++)
		for (uint32_t j = 0; j < done; j++) {
			assert_true(p->ways[i].latency_ps[j] > 0);
			assert_true(p->ways[i].cost_ps[j] > 0);
		}
}

/* What late_ps() of ticker.c cannot tell better: half of what two reads between stamps take, on a slow machine. */
#define PAIR_PS INT64_C(1000000)

static void check_keeper(const struct hpt_wakes_keeper *k)
{
	assert_int_equal(atomic_load(&k->done), 50);
	assert_int_equal(k->late.count, 50);
	assert_true(k->late.min >= -s.start_doubt_ps - PAIR_PS);
	assert_true(k->late.median < 50 * NS_PER_MS * 1000);
	assert_true(k->cpu_ns > 0 && k->wall_ns > 0);
	assert_true(k->cpu_ppm > 0 && k->cpu_ppm <= 1100000);
}

static void all_is_measured_and_all_are_woken(void **state)
{
	static const uint32_t rounds[HPT_WAKES_PHASES] = { 300, 150, 30 };

	(void)state;
	run(&short_plan);
	assert_true(hpt_wakes_summarise(&s));
	assert_int_equal(s.lost, 0);
	assert_int_equal(done_seen, total_seen); /* the bar arrives */
	assert_int_equal(s.n_phases, is_alone() ? 0 : HPT_WAKES_PHASES);
	for (unsigned i = 0; i < s.n_phases; i++) {
		assert_int_equal(s.phases[i].rounds, rounds[i]);
		check_phase(&s.phases[i]);
	}
	assert_true(s.n_phases == 0 || (s.sleeper_cpu >= 0 && s.sleeper_cpu != s.cpu));
	assert_int_equal(s.n_keepers, HPT_WAKES_KEEPERS);
	for (unsigned i = 0; i < s.n_keepers; i++)
		check_keeper(&s.keepers[i]);
	assert_true(s.start_doubt_ps >= 0 && s.start_doubt_ps < 1000 * NS_PER_MS);
	assert_true(s.wall_ns > NS_PER_S && s.start_unix_ns > 0);
}

static void on_one_cpu_there_are_tickers_only(void **state)
{
	(void)state;
	stay();
	assert_int_equal(hpt_wakes_prepare(&short_plan, &s), 0);
	assert_int_equal(s.n_phases, 0);
	hpt_wakes_measure(&s, NULL);
	assert_int_equal(s.sleeper_cpu, -1);
	assert_true(hpt_wakes_summarise(&s));
	assert_int_equal(s.keepers[2].done, 50);
}

/* ---- Stopped runs ----------------------------------------------------------------------------------------------- */

/* Two steps go before the first round. */
static void stop_after(int64_t steps, const struct hpt_wakes_plan *plan)
{
	int before = threads();

	steps_left = 2 + steps;
	run(plan);
	assert_true(stopped_ns > 0);
	assert_true(hpt_os_ns(CLOCK_MONOTONIC) - stopped_ns < NS_PER_S);
	for (int i = 0; i < 1000 && threads() != before; i++) /* /proc shows a thread that is joined for a moment */
		usleep(1000);
	assert_int_equal(threads(), before);
	assert_null(s.state);
}

static void stop_within_a_phase_joins_the_sleeper(void **state)
{
	(void)state;
	if (is_alone())
		return;
	stop_after(300 + 150 + 3, &short_plan);
	assert_int_equal(rounds_done(0), 300);
	assert_int_equal(rounds_done(1), 150);
	assert_int_equal(rounds_done(2), 3);
	assert_true(hpt_wakes_summarise(&s));
	assert_int_equal(s.phases[2].ways[2].latency.count, 3);
	assert_int_equal(s.keepers[0].done, 0);
}

static void stop_before_a_whole_round_leaves_nothing(void **state)
{
	(void)state;
	stop_after(0, &short_plan);
	assert_false(hpt_wakes_summarise(&s));
}

/* A turn of 100 ms ticks: two that settle, each a step, and five chunks of a tick each. */
static void stop_within_a_turn_keeps_its_ticks(void **state)
{
	static const struct hpt_wakes_plan plan = { .rounds = 1, .period_ns = 100 * NS_PER_MS, .ticker_ns = NS_PER_S };
	int64_t rounds = is_alone() ? 0 : 10 + 5 + 1;

	(void)state;
	stop_after(rounds + 2 + 3, &plan);
	assert_true(hpt_wakes_summarise(&s));
	assert_int_equal(s.keepers[0].done + s.keepers[1].done + s.keepers[2].done, 3);
}

/* ---- Lost sleeps ------------------------------------------------------------------------------------------------ */

static const struct hpt_wakes_plan no_ticker = { .rounds = 8, .period_ns = NS_PER_MS };

static void sleeper_that_is_not_woken_ends_by_itself(void **state)
{
	(void)state;
	if (is_alone())
		return;
	atomic_store(&writes_to_swallow, 1);
	run(&no_ticker);
	assert_int_equal(atomic_load(&writes_to_swallow), 0);
	assert_int_equal(s.lost, 1);
	assert_int_equal(rounds_done(0), 80);
	assert_int_equal(rounds_done(1), 39);
	assert_int_equal(rounds_done(2), 8);
	assert_true(s.wall_ns > 3 * NS_PER_S); /* 2 s of them the sleep's */
}

/* The event comes when nobody sleeps any more: the next sleep must not end by it. */
static void wake_that_came_too_late_is_forgotten(void **state)
{
	(void)state;
	if (is_alone())
		return;
	atomic_store(&polls_to_end, 2);
	run(&no_ticker);
	assert_int_equal(s.lost, 2);
	assert_int_equal(rounds_done(1), 38);
	assert_int_equal(rounds_done(2), 8);
}

static void phase_that_loses_its_sleeps_is_left_off(void **state)
{
	(void)state;
	if (is_alone())
		return;
	atomic_store(&polls_to_end, INT32_MAX);
	run(&no_ticker);
	atomic_store(&polls_to_end, 0);
	assert_int_equal(s.lost, 10);
	assert_int_equal(rounds_done(0), 80);
	assert_int_equal(rounds_done(1) + rounds_done(2), 0);
}

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

static char *text_of(const struct hpt_wakes *f, bool is_csv)
{
	char *text = NULL;
	size_t n;
	struct hpt_doc doc = { .to = open_memstream(&text, &n) };

	if (is_csv)
		hpt_wakes_csv(f, doc.to);
	else
		hpt_wakes_print(f, &doc);
	fclose(doc.to);
	return text;
}

/* Two ways, the bare one behind, and two keepers; all of it known. */
static struct hpt_wakes faked_report(int64_t *late_ps)
{
	static int64_t bare_ps[] = { 2000, 2000, 2000, 2000, 2000 };
	struct hpt_wakes f = faked_phase(5);

	f.plan = (struct hpt_wakes_plan){ .rounds = 1, .period_ns = NS_PER_MS, .ticker_ns = 2 * NS_PER_MS, .seed = 9 };
	f.phases[0].n_ways = 2;
	f.phases[0].ways[1] = (struct hpt_wakes_candidate){ .name = "bare", .latency_ps = bare_ps, .cost_ps = costs };
	f.n_keepers = 2;
	for (unsigned i = 0; i < 2; i++)
		f.keepers[i] = (struct hpt_wakes_keeper){
			.name = i ? "clock, slack" : "ticker", .late_ps = late_ps, .n = 2, .done = 2, .missed = 3,
			.cpu_ns = 1, .wall_ns = 4,
		};
	hpt_wakes_summarise(&f);
	return f;
}

static void tables_fit_120_columns(void **state)
{
	int64_t late_ps[] = { 3000, -123456789012 };
	struct hpt_wakes f = faked_report(late_ps);
	char *text = text_of(&f, false), *line = strtok(text, "\n");

	(void)state;
	assert_non_null(line);
	for (; line; line = strtok(NULL, "\n"))
		if (strlen(line) > 120)
			fail_msg("%s", line);
	free(text);
	text = text_of(&f, false);
	assert_non_null(strstr(text, " 2.50\n")); /* 5000 to 2000 */
	assert_non_null(strstr(text, "5 of 7 rounds"));
	free(text);
}

static void told_why_there_are_no_interrupts(void **state)
{
	struct hpt_wakes alone = { .sleeper_cpu = -1 }, unmoved = faked_phase(0);
	char *text = text_of(&alone, false);
	json_t *o = hpt_wakes_json(&alone);

	(void)state;
	assert_non_null(strstr(text, "One CPU only"));
	free(text);
	assert_true(json_is_null(json_object_get(o, "sleeper_cpu")));
	assert_true(json_is_null(json_object_get(o, "ticker")));
	assert_int_equal(json_array_size(json_object_get(o, "phases")), 0);
	json_decref(o);
	unmoved.sleeper_cpu = -1;
	text = text_of(&unmoved, false);
	assert_non_null(strstr(text, "No thread could be put"));
	free(text);
}

static json_int_t at(json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void json_says_what_was_measured(void **state)
{
	int64_t late_ps[] = { 3000, 1000 };
	struct hpt_wakes f = faked_report(late_ps);
	json_t *o = hpt_wakes_json(&f), *phase = json_array_get(json_object_get(o, "phases"), 0);
	json_t *way = json_array_get(json_object_get(phase, "ways"), 0);
	json_t *keeper = json_array_get(json_object_get(json_object_get(o, "ticker"), "keepers"), 1);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(o, "bench")), "wake");
	assert_int_equal(at(o, "rounds"), 1);
	assert_int_equal(at(o, "seed"), 9);
	assert_int_equal(at(o, "sleeper_cpu"), 1);
	assert_int_equal(at(phase, "rounds"), COUNT(latencies));
	assert_int_equal(at(phase, "rounds_done"), 5);
	assert_int_equal(at(json_object_get(way, "latency"), "median_ns"), 5);
	assert_int_equal(at(json_object_get(way, "cost"), "count"), 5);
	assert_int_equal(at(keeper, "ticks"), 2);
	assert_int_equal(at(keeper, "missed"), 3);
	assert_int_equal(at(keeper, "cpu_ppm"), 250000);
	assert_int_equal(at(keeper, "drift_ns"), -2);
	assert_int_equal(at(json_object_get(keeper, "late"), "max_ns"), 3);
	json_decref(o);
}

/* Commas outside of quotes. */
static int columns_of(const char *line)
{
	int n = 1;
	bool is_quoted = false;

	for (; *line; line++) {
		is_quoted ^= *line == '"';
		n += *line == ',' && !is_quoted;
	}
	return n;
}

static void csv_has_a_line_for_each(void **state)
{
	int64_t late_ps[] = { 3000, 1000 };
	struct hpt_wakes f = faked_report(late_ps);
	char *text = text_of(&f, true);
	int lines = 0;

	(void)state;
	assert_non_null(strstr(text, "\nspin,\"one\",latency,5,0,5.000,"));
	assert_non_null(strstr(text, ",3,250000,-2.000\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
		assert_int_equal(columns_of(line), 21);
	assert_int_equal(lines, 1 + 4 + 2);
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, all_cpus, give_back)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(impossible_plans_are_refused),
		TEST(outermost_plans_are_taken),
		TEST(only_whole_rounds_are_summed_up),
		TEST(keepers_are_summed_up),
		TEST(one_tick_does_not_drift),
		TEST(start_is_settled_once),
		TEST(all_is_measured_and_all_are_woken),
		TEST(on_one_cpu_there_are_tickers_only),
		TEST(stop_within_a_phase_joins_the_sleeper),
		TEST(stop_before_a_whole_round_leaves_nothing),
		TEST(stop_within_a_turn_keeps_its_ticks),
		TEST(sleeper_that_is_not_woken_ends_by_itself),
		TEST(wake_that_came_too_late_is_forgotten),
		TEST(phase_that_loses_its_sleeps_is_left_off),
		TEST(tables_fit_120_columns),
		TEST(told_why_there_are_no_interrupts),
		TEST(json_says_what_was_measured),
		TEST(csv_has_a_line_for_each),
	};

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return EXIT_SKIP;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
