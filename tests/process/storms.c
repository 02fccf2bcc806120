// SPDX-License-Identifier: MIT
/*
 * Forks, signals and threads at full speed, while one thread makes the library publish new records all the time. No
 * reader waits for another, and within a generation no time is smaller than one before it.
 *
 * usage: storms fork CHILDREN | signal SIGNALS | threads MILLISECONDS
 * A busy machine may end a storm before it has made all of them. A storm that does not end is killed and fails.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define NS_PER_S INT64_C(1000000000) /* so an error in ppb is as many nanoseconds a second */

/* A storm ends after ENOUGH_S with whatever it has made; after LIMIT_S it counts as hung. */
#define ENOUGH_S      120
#define LIMIT_S       240
#define CHILD_LIMIT_S 30

/* Allowance for the slew of CLOCK_REALTIME since the latest sample. */
#define UNIX_SLACK_NS 1000000

/* ---- Faults --------------------------------------------------------------------------------------------- */

/* One bit each in a child's exit status. */
enum fault { WENT_BACK, NOT_CONVERTED, UNIX_TIME, GENERATION, ERRNO, N_FAULTS };

static const char *const fault_texts[N_FAULTS] = {
	[WENT_BACK] = "a time was smaller than one before it",
	[NOT_CONVERTED] = "a time or duration did not convert",
	[UNIX_TIME] = "Unix time was not CLOCK_REALTIME's",
	[GENERATION] = "the generation was smaller than before, or absurd",
	[ERRNO] = "errno was touched",
};

static _Atomic uint64_t faults[N_FAULTS];
static _Atomic bool stop;

static void note(bool bad, enum fault fault)
{
	if (bad)
		atomic_fetch_add(&faults[fault], 1);
}

static unsigned fault_bits(void)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < N_FAULTS; i++)
		bits |= (unsigned)(atomic_load(&faults[i]) > 0) << i;
	return bits;
}

static int report(void)
{
	for (unsigned i = 0; i < N_FAULTS; i++)
		CHECK(!atomic_load(&faults[i]), "%llu times: %s", (unsigned long long)atomic_load(&faults[i]),
		      fault_texts[i]);
	return failures != 0;
}

/* ---- One pass of checks ----------------------------------------------------------------------------------- */

/* A thread's latest time. A signal handler may interrupt its writer: generation 0 means nothing to compare with. */
struct seen {
	_Atomic uint64_t generation;
	_Atomic int64_t  ns;
};

static void remember(struct seen *s, uint64_t generation, int64_t ns)
{
	atomic_store(&s->generation, 0);
	atomic_store(&s->ns, ns);
	atomic_store(&s->generation, generation);
}

/* The least time that the clock may return by now in that generation. */
static int64_t floor_ns(struct seen *s, uint64_t generation)
{
	int64_t ns = atomic_load(&s->ns);

	return atomic_load(&s->generation) == generation ? ns : INT64_MIN;
}

static int64_t realtime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void check_unix_time(void)
{
	int64_t before = realtime_ns() - UNIX_SLACK_NS, now = hpt_now_unix_ns(NULL), converted = 0, after;

	note(hpt_time_to_unix_ns(NULL, hpt_now(NULL), &converted) != 0, NOT_CONVERTED);
	after = realtime_ns() + UNIX_SLACK_NS;
	note(now < before || now > after || converted < before || converted > after, UNIX_TIME);
}

static int64_t rate_error_ppb(void)
{
	struct hpt_clock_info info = { 0 };

	note(hpt_clock_get_info(NULL, &info, sizeof(info)) != 0, NOT_CONVERTED);
	return info.frequency_error_ppb;
}

/* The rate may be refined in between: before and after it is off by its error at most. Half a tick is lost. */
static void check_durations(void)
{
	int64_t open_ns = rate_error_ppb() + hpt_ticks_to_ns(NULL, 1) + 1;
	int64_t ns = hpt_ticks_to_ns(NULL, hpt_ns_to_ticks(NULL, NS_PER_S));

	open_ns += rate_error_ppb();
	note(ns < NS_PER_S - open_ns || ns > NS_PER_S + open_ns, NOT_CONVERTED);
}

/* mine: this thread's latest time; others: a time that another thread, handler or process is known to have seen. */
static void check_times(struct seen *mine, struct seen *others)
{
	uint64_t generation = hpt_clock_generation(NULL);
	int64_t least = floor_ns(mine, generation), more = others ? floor_ns(others, generation) : INT64_MIN, ns, next;

	ns = hpt_now_ns(NULL);
	check_unix_time();
	check_durations();
	next = hpt_now_ns(NULL);
	note(generation < atomic_load(&mine->generation) || !generation, GENERATION);
	if (hpt_clock_generation(NULL) != generation)
		return;
	note(ns < least || ns < more || next < ns, WENT_BACK);
	remember(mine, generation, next);
}

static void *keep_reading(void *arg)
{
	struct seen seen = { 0 };

	while (!atomic_load(&stop))
		check_times(&seen, NULL);
	return arg;
}

static void check_clock(void)
{
	int state = hpt_clock_check(NULL, NULL);

	note(state < (int)HPT_STATE_OK || state > (int)HPT_STATE_DEMOTED, GENERATION);
}

static void *keep_checking(void *arg)
{
	while (!atomic_load(&stop))
		check_clock();
	return arg;
}

static void *keep_getting_info(void *arg)
{
	struct hpt_clock_info info;
	uint64_t last = 0;

	while (!atomic_load(&stop)) {
		note(hpt_clock_get_info(NULL, &info, sizeof(info)) != 0, NOT_CONVERTED);
		note(info.generation < last, GENERATION);
		last = info.generation;
	}
	return arg;
}

/* ---- A time without events ----------------------------------------------------------------------------------- */

static int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int64_t unix_offset_ns(void)
{
	int64_t ns = monotonic_ns();

	return realtime_ns() - ns;
}

struct quiet {
	uint64_t generation;
	int64_t  offset_ns, start_ns;
};

static struct quiet begin_quiet(void)
{
	return (struct quiet){ hpt_clock_generation(NULL), unix_offset_ns(), monotonic_ns() };
}

static bool goes_on(const struct quiet *since, long done, long wanted)
{
	return done < wanted && monotonic_ns() - since->start_ns < ENOUGH_S * NS_PER_S;
}

/* A new generation is right only where the wall clock was set meanwhile. */
static void end_quiet(const struct quiet *then, long done)
{
	int64_t change_ns = unix_offset_ns() - then->offset_ns;

	printf("%ld in %lld ms\n", done, (long long)(monotonic_ns() - then->start_ns) / 1000000);

	if (change_ns < UNIX_SLACK_NS && change_ns > -UNIX_SLACK_NS)
		CHECK(hpt_clock_generation(NULL) == then->generation,
		      "nothing happened, but generation %llu became %llu", (unsigned long long)then->generation,
		      (unsigned long long)hpt_clock_generation(NULL));
}

/* ---- Threads --------------------------------------------------------------------------------------------------- */

typedef void *thread_fn(void *arg);

#define THREADS_MAX 8
static pthread_t threads[THREADS_MAX];
static unsigned n_threads;

static void start(thread_fn *fn)
{
	if (n_threads < THREADS_MAX && !pthread_create(&threads[n_threads], NULL, fn, NULL))
		n_threads++;
	else
		CHECK(false, "no thread");
}

static void join_all(void)
{
	atomic_store(&stop, true);
	while (n_threads)
		pthread_join(threads[--n_threads], NULL);
}

static int threads_storm(long milliseconds)
{
	static thread_fn *const all[] = { keep_reading, keep_reading,  keep_reading,
					  keep_reading, keep_checking, keep_getting_info };
	struct timespec pause = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
	struct quiet quiet;

	hpt_now_ns(NULL);
	quiet = begin_quiet();
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		start(all[i]);
	while (nanosleep(&pause, &pause))
		;
	join_all();
	end_quiet(&quiet, (long)(sizeof(all) / sizeof(all[0])));
	return report();
}

/* ---- Signals --------------------------------------------------------------------------------------------------- */

static struct seen main_seen, handler_seen;
static _Atomic long handled;

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	errno = EXDEV;
	check_times(&handler_seen, &main_seen);
	note(errno != EXDEV, ERRNO);
	atomic_fetch_add(&handled, 1);
	errno = saved;
}

static int signal_storm(long signals)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_interval.tv_usec = 100, .it_value.tv_usec = 1 }, off = { 0 };
	struct quiet quiet;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	quiet = begin_quiet();
	errno = ELOOP;
	while (goes_on(&quiet, atomic_load(&handled), signals)) {
		check_times(&main_seen, &handler_seen);
		check_clock();
	}
	note(errno != ELOOP, ERRNO);
	setitimer(ITIMER_REAL, &off, NULL);
	end_quiet(&quiet, atomic_load(&handled));
	return report();
}

/* ---- Forks ----------------------------------------------------------------------------------------------------- */

/* Pauses, to leave time to the children and to the thread that publishes. */
static void *read_now_and_then(void *arg)
{
	struct seen seen = { 0 };

	while (!atomic_load(&stop)) {
		for (int i = 0; i < 20; i++)
			check_times(&seen, NULL);
		usleep(1000);
	}
	return arg;
}

/* Most children check 10 times, one in 100 checks 1000 times; one in 16 publishes a record of its own. */
static _Noreturn void be_child(long n, struct seen *before)
{
	struct seen seen = { 0 };
	int passes = n % 100 ? 10 : 1000;

	/* SIGALRM has its default action here: it kills the child, which the parent sees. */
	alarm(CHILD_LIMIT_S);
	remember(&seen, atomic_load(&before->generation), atomic_load(&before->ns));
	for (int i = 0; i < passes; i++)
		check_times(&seen, before);
	if (n % 16 == 0)
		check_clock();
	check_times(&seen, before);
	/* The wall clock may be set meanwhile: that adds one generation. */
	note(hpt_clock_generation(NULL) > atomic_load(&before->generation) + 1, GENERATION);
	_exit((int)fault_bits());
}

static void reap(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status)) {
		CHECK(false, "a child was killed by signal %d", WTERMSIG(status));
		return;
	}
	for (unsigned i = 0; i < N_FAULTS; i++)
		note(WEXITSTATUS(status) >> i & 1, (enum fault)i);
}

static void fork_one(long n)
{
	struct seen before = { 0 };
	pid_t pid;

	check_times(&before, NULL);
	pid = fork();
	if (!pid)
		be_child(n, &before);
	CHECK(pid > 0, "no child %ld: %s", n, strerror(errno));
	if (pid > 0)
		reap(pid);
}

static int fork_storm(long children)
{
	struct quiet quiet;
	long n = 0;

	hpt_now_ns(NULL);
	quiet = begin_quiet();
	start(keep_checking);
	start(read_now_and_then);
	start(read_now_and_then);
	for (; goes_on(&quiet, n, children) && failures < 10; n++)
		fork_one(n);
	join_all();
	end_quiet(&quiet, n);
	return report();
}

/* ---- The watchdog ---------------------------------------------------------------------------------------------- */

typedef int storm_fn(long amount);

static pid_t start_storm(storm_fn *storm, long amount)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	exit(storm(amount));
}

static int watch(storm_fn *storm, long amount)
{
	struct timespec limit = { .tv_sec = LIMIT_S };
	int status = 0;
	sigset_t ended;
	pid_t pid;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, NULL);
	pid = start_storm(storm, amount);
	if (sigtimedwait(&ended, NULL, &limit) < 0) {
		CHECK(false, "the storm did not end within %d s", LIMIT_S);
		kill(-pid, SIGKILL);
	}
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x", (unsigned)status);
	return failures != 0;
}

static const struct {
	const char *name;
	storm_fn   *storm;
} storms[] = { { "fork", fork_storm }, { "signal", signal_storm }, { "threads", threads_storm } };

int main(int argc, char **argv)
{
	long amount = argc == 3 ? atol(argv[2]) : 0;

	for (size_t i = 0; amount > 0 && i < sizeof(storms) / sizeof(storms[0]); i++)
		if (!strcmp(argv[1], storms[i].name))
			return watch(storms[i].storm, amount);
	fprintf(stderr, "usage: storms fork CHILDREN | signal SIGNALS | threads MILLISECONDS\n");
	return 2;
}
