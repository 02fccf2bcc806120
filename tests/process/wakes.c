// SPDX-License-Identifier: MIT
/* hpt bench wake on this machine: complete runs, stopped runs, lost sleeps. */
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

#include "bench/wakes.h"
#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/err.h"
#include "cli/stopwatch.h"
#include "math/units.h"

/* ---- Fakes of err_print(), of the worker, and of system calls ---------------------------------------------------- */

void err_print(const char *fmt, ...)
{
	note("%s", fmt);
}

static int64_t steps_left;      /* steps that return true; -1: all */
static int64_t done_seen, total_seen, stopped_ns;

bool worker_step(struct worker *w, int64_t done, int64_t total)
{
	(void)w;
	assert_true(done >= done_seen && done <= total);
	done_seen = done;
	total_seen = total;
	if (steps_left < 0 || steps_left-- > 0)
		return true;
	assert_int_equal(stopped_ns, 0); /* a measurement that must stop does not call again */
	stopped_ns = stopwatch_os_ns(CLOCK_MONOTONIC);
	return false;
}

/* Writes to an eventfd that report success without an event. */
static _Atomic int writes_to_swallow;

ssize_t write(int fd, const void *data, size_t n)
{
	if (n == sizeof(uint64_t) && fd > STDERR_FILENO && atomic_load(&writes_to_swallow)) {
		atomic_fetch_sub(&writes_to_swallow, 1);
		return (ssize_t)n;
	}
	return syscall(SYS_write, fd, data, n);
}

/* Waits for an eventfd that end at once, without an event. */
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

static struct wakes s;
static struct cpus allowed;

static const struct wakes_plan short_plan = {
	.rounds = 30, .period_ns = NS_PER_MS, .ticker_ns = 50 * NS_PER_MS, .seed = 7, .cpu = -1,
};

static int all_cpus(void **state)
{
	(void)state;
	steps_left = -1;
	done_seen = total_seen = stopped_ns = 0;
	atomic_store(&writes_to_swallow, 0);
	atomic_store(&polls_to_end, 0);
	return cpus_bind(pthread_self(), &allowed);
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
	s = (struct wakes){ 0 };
	return all_cpus(state);
}

/* Binds this thread to the first allowed CPU, as worker_run() does. */
static void stay(void)
{
	assert_int_equal(cpus_move_to(cpus_next(&allowed, -1)), 0);
}

static void run(const struct wakes_plan *plan)
{
	assert_int_equal(wakes_prepare(plan, &s), 0);
	stay();
	wakes_measure(&s, NULL);
}

static bool is_alone(void)
{
	if (cpus_count(&allowed) > 1)
		return false;
	note("one CPU only: no other CPU can wake a sleeper");
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

/* ---- Whole runs ------------------------------------------------------------------------------------------------- */

static void check_phase(const struct wakes_phase *p)
{
	uint32_t done = atomic_load(&p->rounds_done);

	assert_int_equal(done, p->rounds);
	for (unsigned i = 0; i < p->n_ways; i++)
		for (uint32_t j = 0; j < done; j++) {
			assert_true(p->ways[i].latency_ps[j] > 0);
			assert_true(p->ways[i].cost_ps[j] > 0);
		}
}

/* The uncertainty of late_ps() in period.c on a slow machine: half of the time of a bracket. */
#define BRACKET_PS INT64_C(1000000)

static void check_keeper(const struct wakes_keeper *k)
{
	assert_int_equal(atomic_load(&k->done), 50);
	assert_int_equal(k->late.count, 50);
	assert_true(k->late.min >= -s.start_doubt_ps - BRACKET_PS);
	assert_true(k->late.median < 50 * NS_PER_MS * 1000);
	assert_true(k->cpu_ns > 0 && k->elapsed_ns > 0);
	assert_true(k->cpu_ppm > 0 && k->cpu_ppm <= 1100000);
}

static void all_is_measured_and_all_are_woken(void **state)
{
	static const uint32_t rounds[WAKES_PHASES] = { 300, 150, 30, 30 };

	(void)state;
	run(&short_plan);
	assert_true(wakes_summarise(&s));
	assert_int_equal(s.lost, 0);
	assert_int_equal(done_seen, total_seen); /* the progress bar reaches its end */
	assert_int_equal(s.n_phases, is_alone() ? 0 : WAKES_PHASES);
	for (unsigned i = 0; i < s.n_phases; i++) {
		assert_int_equal(s.phases[i].rounds, rounds[i]);
		check_phase(&s.phases[i]);
	}
	assert_true(s.n_phases == 0 || (s.sleeper_cpu >= 0 && s.sleeper_cpu != s.cpu));
	assert_int_equal(s.n_keepers, WAKES_KEEPERS);
	for (unsigned i = 0; i < s.n_keepers; i++)
		check_keeper(&s.keepers[i]);
	assert_true(s.start_doubt_ps >= 0 && s.start_doubt_ps < 1000 * NS_PER_MS);
	assert_true(s.elapsed_ns > NS_PER_S && s.start_unix_ns > 0);
}

static void on_one_cpu_there_are_tickers_only(void **state)
{
	(void)state;
	stay();
	assert_int_equal(wakes_prepare(&short_plan, &s), 0);
	assert_int_equal(s.n_phases, 0);
	wakes_measure(&s, NULL);
	assert_int_equal(s.sleeper_cpu, -1);
	assert_true(wakes_summarise(&s));
	assert_int_equal(s.keepers[2].done, 50);
}

/* ---- Stopped runs ----------------------------------------------------------------------------------------------- */

/* There are two steps before the first round. */
static void stop_after(int64_t steps, const struct wakes_plan *plan)
{
	int before = threads();

	steps_left = 2 + steps;
	run(plan);
	assert_true(stopped_ns > 0);
	assert_true(stopwatch_os_ns(CLOCK_MONOTONIC) - stopped_ns < NS_PER_S);
	for (int i = 0; i < 1000 && threads() != before; i++) /* /proc still shows a joined thread for a moment */
		usleep(1000);
	assert_int_equal(threads(), before);
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
	assert_true(wakes_summarise(&s));
	assert_int_equal(s.phases[2].ways[2].latency.count, 3);
	assert_int_equal(s.keepers[0].done, 0);
}

static void stop_before_a_whole_round_leaves_nothing(void **state)
{
	(void)state;
	stop_after(0, &short_plan);
	assert_false(wakes_summarise(&s));
}

/* A turn with ticks of 100 ms has two settling ticks, each a step, and five chunks of one tick each. */
static void stop_within_a_turn_keeps_its_ticks(void **state)
{
	static const struct wakes_plan plan = {
		.rounds = 1, .period_ns = 100 * NS_PER_MS, .ticker_ns = NS_PER_S, .cpu = -1,
	};
	int64_t rounds = is_alone() ? 0 : 10 + 5 + 1 + 1;

	(void)state;
	stop_after(rounds + 2 + 3, &plan);
	assert_true(wakes_summarise(&s));
	assert_int_equal(s.keepers[0].done + s.keepers[1].done + s.keepers[2].done, 3);
}

/* ---- Lost sleeps ------------------------------------------------------------------------------------------------ */

static const struct wakes_plan no_ticker = { .rounds = 8, .period_ns = NS_PER_MS, .cpu = -1 };

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
	assert_true(s.elapsed_ns > 3 * NS_PER_S); /* 2 s of these are the lost sleep */
}

/* The event comes after the sleep has ended: the next sleep must not end by it. */
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
	assert_int_equal(s.lost, 15);
	assert_int_equal(rounds_done(0), 80);
	assert_int_equal(rounds_done(1) + rounds_done(2) + rounds_done(3), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, all_cpus, give_back)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_is_measured_and_all_are_woken),
		TEST(on_one_cpu_there_are_tickers_only),
		TEST(stop_within_a_phase_joins_the_sleeper),
		TEST(stop_before_a_whole_round_leaves_nothing),
		TEST(stop_within_a_turn_keeps_its_ticks),
		TEST(sleeper_that_is_not_woken_ends_by_itself),
		TEST(wake_that_came_too_late_is_forgotten),
		TEST(phase_that_loses_its_sleeps_is_left_off),
	};

	if (cpus_of_thread(&allowed))
		return skip_all("the CPUs of this program are not known");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
