// SPDX-License-Identifier: MIT
/* HPT_WAIT_EINTR: a signal handler that runs while a waiter, a gate or a ticker sleeps in the kernel ends the sleep. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define LIMIT_S 100
#define ROUNDS  50
#define HOUR_NS INT64_C(3600000000000)

static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;
static uint32_t ticket;

static _Atomic pid_t tid;
static _Atomic int result;
static _Atomic long begun, ended, may_begin;
static int (*volatile sleep_now)(void);

static int on_waiter(void)
{
	return hpt_waiter_sleep_until_ticks(waiter, INT64_MAX);
}

static int on_waiter_ns(void)
{
	return hpt_waiter_sleep_until_ns(waiter, INT64_MAX);
}

static int on_waiter_unix_ns(void)
{
	return hpt_waiter_sleep_until_unix_ns(waiter, INT64_MAX);
}

static int on_gate(void)
{
	return hpt_gate_wait_until_ticks(gate, ticket, INT64_MAX);
}

static int on_ticker(void)
{
	return hpt_ticker_wait(ticker, NULL);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void *sleep_each_round(void *arg)
{
	atomic_store(&tid, (pid_t)syscall(SYS_gettid));
	for (long n = 1;; n++) {
		while (atomic_load(&may_begin) < n)
			sched_yield();
		if (!sleep_now)
			return arg;
		atomic_store(&begun, n);
		atomic_store(&result, sleep_now());
		atomic_store(&ended, n);
	}
}

/* According to the kernel. Once it has begun the round only its sleep makes the thread wait. */
static bool is_asleep(void)
{
	char path[64], text[256] = "";
	const char *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", (long)atomic_load(&tid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		_exit(skip("no /proc"));
	close(fd);
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

static void begin_round(int (*sleep)(void), long n)
{
	sleep_now = sleep;
	atomic_store(&may_begin, n);
	while (sleep && (atomic_load(&begun) < n || !is_asleep()))
		sched_yield();
}

static void await_end(long n, int expected, const char *what)
{
	while (atomic_load(&ended) < n)
		sched_yield();
	CHECK(result == expected, "round %ld, %s: %d", n, what, result);
}

static void check_kinds(pthread_t sleeper)
{
	static int (*const sleeps[])(void) = { on_waiter, on_waiter_ns, on_waiter_unix_ns, on_gate, on_ticker };
	long n = 0;

	for (int i = 0; i < ROUNDS; i++)
		for (size_t k = 0; k < sizeof(sleeps) / sizeof(sleeps[0]); k++) {
			begin_round(sleeps[k], ++n);
			CHECK(!pthread_kill(sleeper, SIGUSR1), "no signal");
			await_end(n, -EINTR, "signal");
		}
	/* A ticket is valid still, and so is an interrupt after all that. */
	begin_round(on_gate, ++n);
	hpt_gate_notify_all(gate);
	await_end(n, 0, "gate");
	begin_round(NULL, ++n);
}

/*
 * While a clock is younger than a millisecond its rate is a guess, so that a sleep until a tick has many short waits: a
 * handler that runs between two of them ends nothing. The number of ticks in a second is no guess.
 */
static bool settle(void)
{
	struct hpt_clock_info info;

	return !hpt_clock_get_info(NULL, &info, sizeof(info)) && info.frequency_uhz;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t sleeper;

	alarm(LIMIT_S);
	sigaction(SIGUSR1, &action, NULL);
	if (!settle() || hpt_waiter_new(NULL, HPT_WAIT_EINTR, &waiter) || hpt_gate_new(NULL, HPT_WAIT_EINTR, &gate) ||
	    hpt_ticker_new(NULL, HOUR_NS, HPT_WAIT_EINTR, &ticker) ||
	    pthread_create(&sleeper, NULL, sleep_each_round, NULL))
		return 1;
	ticket = hpt_gate_ticket(gate);
	while (!atomic_load(&tid))
		sched_yield();
	check_kinds(sleeper);
	pthread_join(sleeper, NULL);
	hpt_waiter_free(waiter);
	hpt_gate_free(gate);
	hpt_ticker_free(ticker);
	return failures != 0;
}
