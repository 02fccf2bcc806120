// SPDX-License-Identifier: MIT
/*
 * Gates among real threads: one call wakes every sleeping thread, in the kernel and in the spin.
 *
 * usage: gates notify|shut|reopen|spin|hand-over|storm ROUNDS
 * A thread that is not woken sleeps for ever: the alarm kills the test.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define LIMIT_S  240
#define ENOUGH_S 60 /* next to load a turn costs a slice of the scheduler's */
#define SLEEPERS 8

static hpt_gate *gate;
static long rounds;
static _Atomic bool stop;

static struct sleeper {
	pthread_t     thread;
	_Atomic pid_t tid;
	_Atomic long  begun, ended; /* rounds */
	_Atomic int   result;
	_Atomic long  may_begin;
} sleepers[SLEEPERS];

/* ---- Sleepers ---------------------------------------------------------------------------------------------- */

static void *sleep_each_round(void *arg)
{
	struct sleeper *s = arg;

	atomic_store(&s->tid, (pid_t)syscall(SYS_gettid));
	for (long n = 1; n <= rounds; n++) {
		while (atomic_load(&s->may_begin) < n)
			sched_yield();
		atomic_store(&s->begun, n);
		atomic_store(&s->result, hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), INT64_MAX));
		atomic_store(&s->ended, n);
	}
	return NULL;
}

static void start_all(void *(*fn)(void *))
{
	for (int i = 0; i < SLEEPERS; i++)
		if (pthread_create(&sleepers[i].thread, NULL, fn, &sleepers[i])) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
}

static void join_all(void)
{
	for (int i = 0; i < SLEEPERS; i++)
		pthread_join(sleepers[i].thread, NULL);
}

static void begin_round(long n)
{
	for (int i = 0; i < SLEEPERS; i++)
		atomic_store(&sleepers[i].may_begin, n);
}

/* According to the kernel. Once a sleeper has begun a round, only the gate makes it sleep. */
static bool is_asleep(const struct sleeper *s, long n)
{
	char path[64], text[256] = "";
	const char *state;
	int fd;

	if (atomic_load(&s->begun) < n)
		return false;
	snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", (long)atomic_load(&s->tid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) {
		printf("skipped: no %s\n", path);
		_exit(SKIP);
	}
	close(fd);
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

static void await_asleep(long n)
{
	for (int i = 0; i < SLEEPERS; i++)
		while (!is_asleep(&sleepers[i], n))
			sched_yield();
}

static bool have_ended(long n)
{
	for (int i = 0; i < SLEEPERS; i++)
		if (atomic_load(&sleepers[i].ended) < n)
			return false;
	return true;
}

static void await_ended(long n)
{
	while (!have_ended(n))
		sched_yield();
}

static void check_results(long n, int expected, int or_expected)
{
	for (int i = 0; i < SLEEPERS; i++) {
		int r = atomic_load(&sleepers[i].result);

		CHECK(r == expected || r == or_expected, "round %ld: sleeper %d got %d", n, i, r);
	}
}

/* ---- One call for all -------------------------------------------------------------------------------------- */

static void notify(void)
{
	start_all(sleep_each_round);
	for (long n = 1; n <= rounds; n++) {
		begin_round(n);
		await_asleep(n);
		hpt_gate_notify_all(gate);
		await_ended(n);
		check_results(n, 0, 0);
	}
	join_all();
}

static void shut_all(void)
{
	start_all(sleep_each_round);
	for (long n = 1; n <= rounds; n++) {
		begin_round(n);
		await_asleep(n);
		hpt_gate_shut(gate);
		await_ended(n);
		check_results(n, -ESHUTDOWN, -ESHUTDOWN);
		CHECK(hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), INT64_MAX) == -ESHUTDOWN,
		      "a shut gate lets wait");
		hpt_gate_reopen(gate);
	}
	join_all();
}

/* Most sleepers run again only after the gate has reopened. */
static void reopen(void)
{
	start_all(sleep_each_round);
	for (long n = 1; n <= rounds; n++) {
		begin_round(n);
		await_asleep(n);
		hpt_gate_shut(gate);
		hpt_gate_reopen(gate);
		await_ended(n);
		check_results(n, 0, -ESHUTDOWN);
	}
	join_all();
}

/* A notification does not reach a thread that has not begun its wait, so notifications repeat until all have ended. */
static void *sleep_in_spin(void *arg)
{
	struct sleeper *s = arg;

	for (long n = 1; n <= rounds; n++) {
		int r = hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate),
					     hpt_now(NULL) + hpt_ns_to_ticks(NULL, INT64_C(3600000000000)));

		CHECK(r == 0, "a spinning sleeper got %d", r);
		atomic_store(&s->ended, n);
	}
	return NULL;
}

static void spin(void)
{
	hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0);
	start_all(sleep_in_spin);
	while (!have_ended(rounds)) {
		hpt_gate_notify_all(gate);
		sched_yield();
	}
	join_all();
}

/* ---- A condition -------------------------------------------------------------------------------------------- */

static _Atomic int turn; /* which of the two threads may go on */

static void delay(int64_t ns)
{
	hpt_time_t end = hpt_now(NULL) + hpt_ns_to_ticks(NULL, ns);

	while (ns && hpt_now(NULL) < end)
		;
}

/*
 * Ticket, condition, sleep: a change of the condition and its wake-up between any two of these is not lost. Now and
 * then the sleep begins late enough for that.
 */
static void await_turn(int self, long n)
{
	for (;;) {
		uint32_t ticket = hpt_gate_ticket(gate);
		int r;

		if (atomic_load(&turn) == self)
			return;
		delay(n % 16 ? 0 : n / 16 % 30 * 1000);
		r = hpt_gate_wait_until_ticks(gate, ticket, INT64_MAX);
		CHECK(r == 0, "a sleeper got %d", r);
	}
}

static void *take_turns(void *arg)
{
	int64_t enough_ns = clock_ns(CLOCK_MONOTONIC) + ENOUGH_S * INT64_C(1000000000);
	int self = (int)((struct sleeper *)arg - sleepers);
	bool is_over = false;

	for (long n = 0; n < rounds / 2 && !is_over; n++) {
		await_turn(self, n);
		/* The other one sees it at its next turn. */
		if (clock_ns(CLOCK_MONOTONIC) > enough_ns)
			atomic_store(&stop, true);
		is_over = atomic_load(&stop);
		atomic_store(&turn, !self);
		hpt_gate_notify_all(gate);
	}
	return NULL;
}

/* A lost wake-up leaves both threads asleep. */
static void hand_over(void)
{
	for (int i = 0; i < 2; i++)
		if (pthread_create(&sleepers[i].thread, NULL, take_turns, &sleepers[i])) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
	for (int i = 0; i < 2; i++)
		pthread_join(sleepers[i].thread, NULL);
}

/* ---- Storm ------------------------------------------------------------------------------------------------- */

/* Sleeps sometimes without end and sometimes for a short time. */
static void *sleep_all_the_time(void *arg)
{
	struct sleeper *s = arg;

	for (unsigned n = (unsigned)(s - sleepers); !atomic_load(&stop); n++) {
		hpt_time_t until = n % 3 ? INT64_MAX : hpt_now(NULL) + hpt_ns_to_ticks(NULL, n % 97 * 1000);
		int r = hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), until);

		CHECK(r == 0 || r == -ESHUTDOWN || (r == -ETIMEDOUT && until != INT64_MAX), "a sleeper got %d", r);
	}
	return NULL;
}

static void *shut_and_reopen(void *arg)
{
	for (long n = 0; n < rounds; n++) {
		hpt_gate_shut(gate);
		hpt_gate_reopen(gate);
		if (n % 16 == 0)
			hpt_sleep_ns(NULL, n % 200 * 1000);
	}
	return arg;
}

static void *notify_now_and_then(void *arg)
{
	for (long n = 0; n < rounds; n++) {
		hpt_gate_notify_all(gate);
		if (n % 16 == 0)
			hpt_sleep_ns(NULL, n % 300 * 1000);
	}
	return arg;
}

static void storm(void)
{
	void *(*const makers[])(void *) = { shut_and_reopen, shut_and_reopen, notify_now_and_then };
	pthread_t threads[3];

	start_all(sleep_all_the_time);
	for (int i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, makers[i], NULL), "no thread");
	for (int i = 0; i < 3 && !failures; i++)
		pthread_join(threads[i], NULL);
	atomic_store(&stop, true);
	hpt_gate_shut(gate);
	join_all();
	CHECK(hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), INT64_MAX) == -ESHUTDOWN,
	      "a shut gate lets wait");
	hpt_gate_reopen(gate);
	CHECK(hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), hpt_now(NULL) + 1000) == -ETIMEDOUT,
	      "an open gate does not let wait");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void      (*run)(void);
	} modes[] = {
		{ "notify", notify }, { "shut", shut_all }, { "reopen", reopen },
		{ "spin", spin },           { "hand-over", hand_over }, { "storm", storm },
	};

	rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	for (size_t i = 0; rounds > 0 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		alarm(LIMIT_S);
		CHECK(!hpt_gate_new(NULL, 0, &gate), "no gate");
		if (!failures)
			modes[i].run();
		hpt_gate_free(gate);
		return failures != 0;
	}
	fprintf(stderr, "usage: %s MODE ROUNDS\n", argv[0]);
	return 2;
}
