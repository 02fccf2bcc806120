// SPDX-License-Identifier: MIT
/*
 * Signals that arrive in sleeps: each function ends with EINTR and the remaining time, as the kernel's own does.
 * Signals that are ignored or blocked, and SIGSTOP with SIGCONT, end none. Handlers may sleep, and leave by
 * siglongjmp().
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "sleeper.h"

#define ALARM_NS  (20 * MS)
#define LENGTH_NS (150 * MS)

/* The thread may lose its CPU between the alarm and the sleep: then more time remains, and it is tried again. */
#define TRIES     10
#define ROUND_NS  (2 * MS)

static volatile int handled;

static void on_alarm(int sig)
{
	(void)sig;
	handled++;
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &a, NULL);
}

static struct timeval timeval_of(int64_t ns)
{
	return (struct timeval){ .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
}

static void alarm_after(int64_t ns)
{
	struct itimerval it = { .it_value = timeval_of(ns) };

	setitimer(ITIMER_REAL, &it, NULL);
}

/* Again and again, until alarms_end(): the first may come before the sleep that it is for. */
static void alarms_after(int64_t ns, int64_t interval_ns)
{
	struct itimerval it = { .it_value = timeval_of(ns), .it_interval = timeval_of(interval_ns) };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void alarms_end(void)
{
	alarm_after(0);
}

/* ---- EINTR and the remaining time ---------------------------------------------------------------------------- */

struct ended {
	int r, err;
	int64_t left_ns, took_ns;
};

static struct ended interrupted(const struct sleeper *s, int64_t length_ns)
{
	struct ended e;
	int64_t began_ns = sleeper_clock_ns(s);

	handled = 0;
	alarm_after(ALARM_NS);
	e.r = s->sleep(length_ns, &e.left_ns);
	e.took_ns = sleeper_clock_ns(s) - began_ns;
	return e;
}

/* The remaining time is what the sleep lacked, or more. *is_near: it is also no more than remained at the alarm. */
static void check_left(const struct sleeper *s, const struct ended *e, int64_t length_ns, bool *is_near)
{
	int64_t unit_ns = s->unit_ns == S ? S : US;

	if (!s->writes_left) {
		CHECK(e->left_ns == UNTOLD, "%s wrote %lld back", s->name, (long long)e->left_ns);
		*is_near = true;
		return;
	}
	CHECK(e->left_ns > length_ns - e->took_ns - unit_ns && e->left_ns <= length_ns,
	      "%s of %lld ns has %lld left after %lld", s->name, (long long)length_ns, (long long)e->left_ns,
	      (long long)e->took_ns);
	*is_near = e->left_ns <= length_ns - ALARM_NS + ROUND_NS;
}

static void check_interrupted(const struct sleeper *s, int flags)
{
	int64_t length_ns = s->unit_ns == S ? 2 * S : LENGTH_NS;
	bool is_near = false;

	handle(SIGALRM, on_alarm, flags);
	for (int i = 0; i < TRIES && !is_near; i++) {
		struct ended e = interrupted(s, length_ns);

		/* Of a thread without a CPU the sleep may end before the signal. */
		if (e.took_ns >= length_ns)
			continue;
		CHECK(e.r == EINTR && handled == 1, "%s with flags %x: %d, %d signals", s->name, (unsigned)flags, e.r,
		      handled);
		CHECK(e.took_ns >= ALARM_NS - US, "%s ended before the signal", s->name);
		check_left(s, &e, length_ns, &is_near);
	}
	CHECK(is_near, "%s has too much left", s->name);
}

static void each_is_interrupted(void)
{
	for (int i = 0; i < sleepers_n; i++) {
		check_interrupted(&sleepers[i], 0);
		check_interrupted(&sleepers[i], SA_RESTART);
	}
}

/* The remaining time of a sleep of centuries is not lost in an overflow. */
static void centuries_are_interrupted(void)
{
	static const time_t seconds[] = { 1 << 30, sizeof(time_t) > 4 ? (time_t)1 << 33 : INT32_MAX };

	handle(SIGALRM, on_alarm, 0);
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		struct timespec ts = { .tv_sec = seconds[i], .tv_nsec = 999999999 }, left = { 0 };

		alarms_after(ALARM_NS, ALARM_NS);
		CHECK(nanosleep(&ts, &left) == -1 && errno == EINTR, "not interrupted: %s", strerror(errno));
		alarms_end();
		CHECK(left.tv_sec >= seconds[i] - 3 && left.tv_sec <= seconds[i], "left %lld of %lld s",
		      (long long)left.tv_sec, (long long)seconds[i]);
	}
}

/* The kernel cuts what it cannot count: 292 years after the machine was started. */
static void check_endless(clockid_t id, int flags)
{
	struct timespec ts = { .tv_sec = sizeof(time_t) > 4 ? (time_t)INT64_MAX : INT32_MAX }, left = { .tv_sec = 7 };
	int r;

	r = clock_nanosleep(id, flags, &ts, &left);
	CHECK(r == EINTR, "clock %d, flags %d: %d", (int)id, flags, r);
	if (flags)
		CHECK(left.tv_sec == 7, "%lld s left of an absolute time", (long long)left.tv_sec);
	else
		CHECK(left.tv_sec > 1000000000 && (int64_t)left.tv_sec <= INT64_MAX / S && left.tv_nsec >= 0 &&
		      left.tv_nsec < S, "%lld s left", (long long)left.tv_sec);
}

static void endless_sleeps_are_interrupted(void)
{
	struct timespec ts = { .tv_sec = sizeof(time_t) > 4 ? (time_t)INT64_MAX : INT32_MAX, .tv_nsec = 999999999 };
	struct timeval tv = { .tv_sec = ts.tv_sec };

	handle(SIGALRM, on_alarm, 0);
	alarms_after(ALARM_NS, ALARM_NS);
	check_endless(CLOCK_MONOTONIC, 0);
	check_endless(CLOCK_MONOTONIC, TIMER_ABSTIME);
	check_endless(CLOCK_REALTIME, 0);
	check_endless(CLOCK_REALTIME, TIMER_ABSTIME);
	CHECK(select(0, NULL, NULL, NULL, &tv) == -1 && errno == EINTR, "select: %s", strerror(errno));
	CHECK(ppoll(NULL, 0, &ts, NULL) == -1 && errno == EINTR, "ppoll: %s", strerror(errno));
	CHECK(pselect(0, NULL, NULL, NULL, &ts, NULL) == -1 && errno == EINTR, "pselect: %s", strerror(errno));
	CHECK(poll(NULL, 0, INT32_MAX) == -1 && errno == EINTR, "poll: %s", strerror(errno));
	CHECK(poll(NULL, 0, -1) == -1 && errno == EINTR, "poll without an end: %s", strerror(errno));
	CHECK(select(0, NULL, NULL, NULL, NULL) == -1 && errno == EINTR, "select without an end: %s", strerror(errno));
	CHECK(sleep(UINT32_MAX) >= UINT32_MAX - 3 && errno == EINTR, "sleep: %s", strerror(errno));
	CHECK(usleep(UINT32_MAX) == -1 && errno == EINTR, "usleep: %s", strerror(errno));
	alarms_end();
}

/* ---- Signals that end no sleep ---------------------------------------------------------------------------- */

/* The child sends the signals to its parent, a few milliseconds apart. */
static pid_t send_signals(const int *signals, int n)
{
	pid_t parent = getpid(), child = fork();

	if (child)
		return child;
	for (int i = 0; i < n; i++) {
		struct timespec ts = { .tv_nsec = 3000000 };

		nanosleep(&ts, NULL);
		kill(parent, signals[i]);
	}
	_exit(0);
}

static void check_undisturbed(const struct sleeper *s, const int *signals, int n)
{
	int64_t left_ns, length_ns = sleeper_round(s, 40 * MS), began_ns, took_ns;
	pid_t child = send_signals(signals, n);
	int r;

	began_ns = sleeper_clock_ns(s);
	r = s->sleep(length_ns, &left_ns);
	took_ns = sleeper_clock_ns(s) - began_ns;
	CHECK(!r && took_ns >= length_ns, "%s: %d after %lld ns", s->name, r, (long long)took_ns);
	waitpid(child, NULL, 0);
}

/* First the ignored ones, while none is pending. */
static void ignored_and_blocked_signals_end_nothing(void)
{
	static const int signals[] = { SIGUSR1, SIGCHLD, SIGUSR1, SIGURG, SIGWINCH, SIGUSR1, SIGUSR2, SIGUSR2 };
	sigset_t set;

	handle(SIGUSR1, SIG_IGN, 0);
	handle(SIGUSR2, on_alarm, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	for (int i = 0; i < sleepers_n; i++) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		handled = 0;
		check_undisturbed(&sleepers[i], signals, 8);
		CHECK(!handled, "%s let a blocked signal in", sleepers[i].name);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		CHECK(handled == 1, "%s lost a blocked signal", sleepers[i].name);
	}
}

/* poll() and select() are not restarted by the kernel after SIGSTOP: signal(7) lists them. */
static void stopped_sleeps_go_on(void)
{
	static const int signals[] = { SIGSTOP, SIGCONT };

	for (int i = 0; i < sleepers_n; i++)
		if (strcmp(sleepers[i].name, "sleep"))
			check_undisturbed(&sleepers[i], signals, 2);
}

/* ---- Handlers ------------------------------------------------------------------------------------------------ */

#define NESTED    3
#define NESTED_NS (10 * MS)

/* When one more signal comes, for a sleep that began after the handlers. */
#define REMIND_NS (200 * MS)

static const struct sleeper *in_handler;
static volatile int nested;

static void sleep_in_handler(int sig)
{
	int saved = errno, r, level = ++nested;
	int64_t left_ns, began_ns = sleeper_clock_ns(in_handler);

	(void)sig;
	if (level > NESTED)
		return;
	if (level < NESTED)
		alarms_after(4 * MS, REMIND_NS);
	r = in_handler->sleep(NESTED_NS, &left_ns);
	CHECK(r == 0 ? sleeper_clock_ns(in_handler) - began_ns >= NESTED_NS : r == EINTR && nested > level,
	      "%s in a handler: %d", in_handler->name, r);
	errno = saved;
}

/* Of a thread without a CPU the handlers may run before the sleep: then one more ends it, and it is tried again. */
static void check_nested(const struct sleeper *s)
{
	for (int i = 0; i == 0 || (i < TRIES && nested > NESTED); i++) {
		int64_t left_ns;
		int r;

		nested = 0;
		alarms_after(5 * MS, REMIND_NS);
		r = s->sleep(10 * S, &left_ns);
		alarms_end();
		CHECK(r == EINTR && nested >= NESTED, "%s: %d, %d handlers of %s", s->name, r, nested,
		      in_handler->name);
	}
	CHECK(nested == NESTED, "%s goes on after handlers that slept", s->name);
}

static void handlers_sleep(void)
{
	handle(SIGALRM, sleep_in_handler, SA_NODEFER);
	for (int i = 0; i < sleepers_n; i++)
		for (int k = 0; k < sleepers_n; k++) {
			if (sleepers[i].unit_ns == S || sleepers[k].unit_ns == S || (i + k) % 4)
				continue;
			in_handler = &sleepers[i];
			check_nested(&sleepers[k]);
		}
}

static sigjmp_buf before_sleep;

static void leave(int sig)
{
	(void)sig;
	siglongjmp(before_sleep, 1);
}

/* From the kernel's wait, and from a spin. */
static void handlers_leave_by_a_jump(void)
{
	static const int64_t alarms_ns[] = { 5 * MS, 30 * US, 60 * US, 100 * US, 400 * US };
	int slack = prctl(PR_GET_TIMERSLACK);

	handle(SIGALRM, leave, 0);
	for (int volatile i = 0; i < 10 * sleepers_n; i++) {
		const struct sleeper *s = &sleepers[i % sleepers_n];
		int64_t left_ns, began_ns;

		if (!sigsetjmp(before_sleep, 1)) {
			alarm_after(alarms_ns[i % 5]);
			for (;;)
				s->sleep(sleeper_round(s, i % 3 ? 100 * US : 20 * MS), &left_ns);
		}
		if (s->unit_ns == S)
			continue;
		began_ns = sleeper_clock_ns(s);
		CHECK(!s->sleep(3 * MS, &left_ns) && sleeper_clock_ns(s) - began_ns >= 3 * MS,
		      "%s after a jump", s->name);
	}
	CHECK(prctl(PR_GET_TIMERSLACK) == slack, "the slack was %d and is %d", slack, prctl(PR_GET_TIMERSLACK));
}

/* ---- Masks ---------------------------------------------------------------------------------------------------- */

/* The mask holds in the wait and not after it: the signal that it lets in ends the wait. */
static void masks_hold_in_the_wait(void)
{
	struct timespec length = timespec_of(50 * MS), longer = timespec_of(10 * S);
	sigset_t blocked, open;

	handle(SIGALRM, on_alarm, 0);
	sigemptyset(&open);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	for (int i = 0; i < 2; i++) {
		int64_t began_ns;
		int r;

		handled = 0;
		alarm_after(5 * MS);
		r = i ? ppoll(NULL, 0, &longer, &open) : pselect(0, NULL, NULL, NULL, &longer, &open);
		CHECK(r == -1 && errno == EINTR && handled == 1, "%s: %d, %d signals", i ? "ppoll" : "pselect",
		      r, handled);
		alarm_after(5 * MS);
		began_ns = kernel_ns(CLOCK_MONOTONIC);
		r = i ? ppoll(NULL, 0, &length, &blocked) : pselect(0, NULL, NULL, NULL, &length, &blocked);
		CHECK(!r && handled == 1 && kernel_ns(CLOCK_MONOTONIC) - began_ns >= ns_of(&length),
		      "%s with the signal blocked: %d, %d signals", i ? "ppoll" : "pselect", r, handled);
		sigprocmask(SIG_UNBLOCK, &blocked, NULL);
		CHECK(handled == 2, "a signal is lost");
		sigprocmask(SIG_BLOCK, &blocked, NULL);
	}
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
}

/* ---- Storms ---------------------------------------------------------------------------------------------------- */

#define THREADS 8

static _Atomic long slept, disturbed, wrong;
static _Atomic bool is_over;

static void *sleep_on(void *arg)
{
	for (int i = (int)(intptr_t)arg; !atomic_load(&is_over); i++) {
		const struct sleeper *s = &sleepers[i % sleepers_n];
		int64_t left_ns, length_ns = (20 + i * 37 % 900) * US, began_ns;
		int r;

		if (s->unit_ns == S)
			continue;
		length_ns = sleeper_round(s, length_ns);
		began_ns = sleeper_clock_ns(s);
		r = s->sleep(length_ns, &left_ns);
		if (r == EINTR)
			atomic_fetch_add(&disturbed, 1);
		else if (r || sleeper_clock_ns(s) - began_ns < length_ns)
			atomic_fetch_add(&wrong, 1);
		atomic_fetch_add(&slept, 1);
	}
	return NULL;
}

/* On a busy machine it takes longer until there are enough. */
static bool storm_is_seen(void)
{
	return atomic_load(&slept) > 100 && atomic_load(&disturbed) > 10;
}

/* The wall clock may be set meanwhile; then a sleep until a time of it is shorter. */
static void storms_break_nothing(void)
{
	int64_t end_ns = kernel_ns(CLOCK_MONOTONIC) + 400 * MS;
	pthread_t threads[THREADS];
	sigset_t set;

	handle(SIGUSR1, on_alarm, SA_RESTART);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, sleep_on, (void *)i);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; kernel_ns(CLOCK_MONOTONIC) < end_ns || !storm_is_seen(); i++) {
		pthread_kill(threads[i % THREADS], SIGUSR1);
		if (i % 16 == 0)
			usleep(50);
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	CHECK(!wrong, "of %ld sleeps %ld were interrupted, %ld wrong", slept, disturbed, wrong);
}

int main(void)
{
	each_is_interrupted();
	centuries_are_interrupted();
	endless_sleeps_are_interrupted();
	ignored_and_blocked_signals_end_nothing();
	stopped_sleeps_go_on();
	handlers_sleep();
	handlers_leave_by_a_jump();
	masks_hold_in_the_wait();
	storms_break_nothing();
	return failures != 0;
}
