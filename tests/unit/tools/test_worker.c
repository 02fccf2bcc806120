// SPDX-License-Identifier: MIT
/* The measuring thread ends by itself or by a signal, and the signals' actions and mask are restored. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/err.h"
#include "cli/stopwatch.h"

#define MS INT64_C(1000000)

/* Replaces the command's; called only if memory is short. */
void err_print(const char *fmt, ...)
{
	fail_msg("%s", fmt);
}

/* The time before a thread is abandoned, and a limit with room for a busy machine. */
#define PATIENCE_MS 300
#define BUSY_MS     5000

/* Longer than any of these tests: reached only if a signal has no effect. */
#define STEPS_MS 20000

static void sleep_ms(int64_t ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * MS };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* The task of a measurement, and its observations. */
struct job {
	int raise[2];                   /* signals to send to this process, one after the other, or 0 */
	int steps;                      /* steps of a millisecond */
	_Atomic int done, was_stopped, were_blocked;
	struct cpus cpus;
};

static void work(void *data, struct worker *w)
{
	struct job *job = data;
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	job->were_blocked = sigismember(&mask, SIGINT) && sigismember(&mask, SIGTERM);
	cpus_of_thread(&job->cpus);
	for (int i = 0; i < 2 && job->raise[i]; i++)
		kill(getpid(), job->raise[i]);
	for (job->done = 0; job->done < job->steps; job->done++) {
		if (!worker_step(w, job->done, job->steps)) {
			job->was_stopped = true;
			return;
		}
		sleep_ms(1);
	}
}

static void ends_by_itself(void **state)
{
	struct job job = { .steps = 5 };

	(void)state;
	assert_int_equal(worker_run("Testing", -1, work, &job), 0);
	assert_int_equal(job.done, 5);
	assert_false(job.was_stopped);
	assert_true(job.were_blocked);
	assert_int_equal(cpus_count(&job.cpus), 1);
}

static void runs_on_the_cpu_that_is_named(void **state)
{
	struct job job = { .steps = 1 };
	struct cpus before, after;

	(void)state;
	assert_int_equal(cpus_of_thread(&before), 0);
	for (int cpu = cpus_next(&before, -1); cpu >= 0; cpu = cpus_next(&before, cpu)) {
		assert_int_equal(worker_run("Testing", cpu, work, &job), 0);
		assert_true(cpus_count(&job.cpus) == 1 && cpus_has(&job.cpus, cpu));
	}
	assert_int_equal(cpus_of_thread(&after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
}

static void a_cpu_that_is_not_there_is_an_error(void **state)
{
	struct job job = { .steps = 5 };

	(void)state;
	assert_int_equal(worker_run("Testing", CPUS_COUNT_MAX - 1, work, &job), -EINVAL);
	assert_int_equal(worker_run("Testing", CPUS_COUNT_MAX, work, &job), -EINVAL);
	assert_int_equal(job.done, 0);
	assert_false(job.were_blocked); /* it was never called */
}

/* It may have been abandoned, if its processor was busy for long; a job is static for that. */
static void await_stop(const struct job *job)
{
	while (!job->was_stopped)
		sleep_ms(1);
}

static void signals_stop_it(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };

	(void)state;
	for (size_t i = 0; i < COUNT(signals); i++) {
		static struct job job;

		job = (struct job){ .raise = { signals[i] }, .steps = STEPS_MS };
		assert_int_equal(worker_run("Testing", -1, work, &job), signals[i]);
		await_stop(&job);
		assert_true(job.done < job.steps);
	}
}

/* The default action of a second signal would end this test. */
static void a_signal_sent_twice_counts_once(void **state)
{
	static struct job job = { .raise = { SIGINT, SIGTERM }, .steps = STEPS_MS };
	sigset_t pending;
	int r;

	(void)state;
	r = worker_run("Testing", -1, work, &job);
	assert_true(r == SIGINT || r == SIGTERM);
	sigpending(&pending);
	assert_false(sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM));
	await_stop(&job);
}

static void a_signal_that_the_caller_blocks_is_heard(void **state)
{
	static struct job job = { .raise = { SIGINT }, .steps = STEPS_MS };
	sigset_t set, before, after;

	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	assert_int_equal(worker_run("Testing", -1, work, &job), SIGINT);
	await_stop(&job);
	pthread_sigmask(SIG_SETMASK, &before, &after);
	assert_true(sigismember(&after, SIGINT));
	assert_false(sigismember(&after, SIGTERM));
}

static void what_is_ignored_stays_ignored(void **state)
{
	struct job job = { .raise = { SIGINT }, .steps = 50 };
	struct sigaction after;

	(void)state;
	signal(SIGINT, SIG_IGN);
	assert_int_equal(worker_run("Testing", -1, work, &job), 0);
	assert_int_equal(job.done, 50);
	sigaction(SIGINT, NULL, &after);
	assert_true(after.sa_handler == SIG_IGN);
	signal(SIGINT, SIG_DFL);
}

static void handler(int signal)
{
	(void)signal;
}

static void actions_and_mask_are_restored(void **state)
{
	struct sigaction ours = { .sa_handler = handler, .sa_flags = SA_RESTART }, after;
	static struct job job = { .raise = { SIGTERM }, .steps = STEPS_MS };
	sigset_t mask;

	(void)state;
	sigaction(SIGTERM, &ours, NULL);
	assert_int_equal(worker_run("Testing", -1, work, &job), SIGTERM);
	sigaction(SIGTERM, NULL, &after);
	assert_true(after.sa_handler == handler && (after.sa_flags & SA_RESTART));
	sigaction(SIGINT, NULL, &after);
	assert_true(after.sa_handler == SIG_DFL);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGINT) || sigismember(&mask, SIGTERM));
	signal(SIGTERM, SIG_DFL);
	await_stop(&job);
}

/* A sample that lasts longer than the worker waits. */
struct deaf { atomic_bool has_begun, may_end, has_ended, was_let_go_on; };

static void be_deaf(void *data, struct worker *w)
{
	struct deaf *deaf = data;

	deaf->has_begun = true;
	kill(getpid(), SIGINT);
	while (!deaf->may_end)
		sleep_ms(1);
	deaf->was_let_go_on = worker_step(w, 1, 2);
	deaf->has_ended = true;
}

static void a_thread_that_does_not_listen_is_left_alone(void **state)
{
	static struct deaf deaf; /* it outlives the call */
	int64_t start_ns = stopwatch_os_ns(CLOCK_MONOTONIC), gone_ms;

	(void)state;
	assert_int_equal(worker_run("Testing", -1, be_deaf, &deaf), SIGINT);
	gone_ms = (stopwatch_os_ns(CLOCK_MONOTONIC) - start_ns) / MS;
	assert_true(deaf.has_begun && !deaf.has_ended);
	assert_in_range(gone_ms, PATIENCE_MS, BUSY_MS);
	deaf.may_end = true;
	for (int i = 0; i < BUSY_MS && !deaf.has_ended; i++)
		sleep_ms(1);
	assert_true(deaf.has_ended);
	assert_false(deaf.was_let_go_on);
}

static void without_a_worker_one_goes_on(void **state)
{
	(void)state;
	assert_true(worker_step(NULL, 0, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_by_itself),
		cmocka_unit_test(runs_on_the_cpu_that_is_named),
		cmocka_unit_test(a_cpu_that_is_not_there_is_an_error),
		cmocka_unit_test(signals_stop_it),
		cmocka_unit_test(a_signal_sent_twice_counts_once),
		cmocka_unit_test(a_signal_that_the_caller_blocks_is_heard),
		cmocka_unit_test(what_is_ignored_stays_ignored),
		cmocka_unit_test(actions_and_mask_are_restored),
		cmocka_unit_test(a_thread_that_does_not_listen_is_left_alone),
		cmocka_unit_test(without_a_worker_one_goes_on),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
