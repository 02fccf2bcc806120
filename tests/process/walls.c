// SPDX-License-Identifier: MIT
/*
 * Walls, beside threads that feed, update, wait and interrupt, signal handlers and forks. UTC is CLOCK_MONOTONIC_RAW
 * and a constant here: each interval contains it, and within a generation no earliest is before one that was read
 * before, by any thread.
 *
 * usage: walls threads MILLISECONDS | signals SIGNALS | fork CHILDREN | interrupts N | news N | teeth N
 * "teeth" feeds intervals that miss the truth, and must see that.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "process.h"

#define UTC_NS   INT64_C(1700000000000000000) /* UTC at CLOCK_MONOTONIC_RAW's zero */
#define NS_PER_S INT64_C(1000000000)

static hpt_wall *wall;
static hpt_hlc *hlc;
static _Atomic bool stop;
static _Atomic uint64_t n_reads, n_false, n_back, n_none, n_feeds;

/* The latest interval of all threads: generation and earliest, which are written as one. */
static pthread_mutex_t latest_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t latest_generation;
static int64_t latest_earliest_ns;

static int64_t utc_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW) + UTC_NS;
}

/* Sources that this machine may have would contradict this UTC. */
static const struct hpt_wall_config no_sources = {
	.clockbound_path = "/nonexistent/shm", .vmclock_path = "/nonexistent/vmclock", .phc_path = "/nonexistent/ptp",
	.chrony_address = "/nonexistent/chronyd",
};

static void open_wall(void)
{
	CHECK(!hpt_wall_open(NULL, &no_sources, sizeof(no_sources), 0, &wall), "no wall");
}

/* Off by up to 10 us on each side. */
static int feed(void)
{
	static _Atomic uint32_t salt;
	uint32_t n = atomic_fetch_add(&salt, 2654435761u);
	struct hpt_wall_sample s = { .before = hpt_now(NULL) };
	int64_t ns = utc_ns();

	s.after = hpt_now(NULL);
	s.earliest_ns = ns - (n >> 8) % 10000;
	s.latest_ns = ns + (n >> 20) % 10000;
	atomic_fetch_add(&n_feeds, 1);
	return hpt_wall_feed(wall, &s, sizeof(s));
}

/* Returns false if there is no bound. */
static bool read_once(void)
{
	int64_t before_ns = utc_ns(), after_ns;
	struct hpt_wall_time t;

	if (hpt_wall_now(wall, &t)) {
		atomic_fetch_add(&n_none, 1);
		return false;
	}
	after_ns = utc_ns();
	atomic_fetch_add(&n_reads, 1);
	if (t.earliest_ns > after_ns || t.latest_ns < before_ns)
		atomic_fetch_add(&n_false, 1);
	return true;
}

/* A read that happens after those whose interval is the latest. */
static void read_in_order(void)
{
	struct hpt_wall_time t;
	uint64_t generation;
	int64_t earliest_ns;

	pthread_mutex_lock(&latest_mutex);
	generation = latest_generation;
	earliest_ns = latest_earliest_ns;
	pthread_mutex_unlock(&latest_mutex);
	if (hpt_wall_now(wall, &t))
		return;
	if (t.generation == generation && t.earliest_ns < earliest_ns)
		atomic_fetch_add(&n_back, 1);
	pthread_mutex_lock(&latest_mutex);
	if (t.generation > latest_generation ||
	    (t.generation == latest_generation && t.earliest_ns > latest_earliest_ns)) {
		latest_generation = t.generation;
		latest_earliest_ns = t.earliest_ns;
	}
	pthread_mutex_unlock(&latest_mutex);
}

static void begin(void)
{
	open_wall();
	CHECK(!hpt_hlc_new(wall, NS_PER_S, 0, &hlc), "no hybrid clock");
	CHECK(!feed(), "the first sample");
}

static void end(void)
{
	hpt_hlc_free(hlc);
	hpt_wall_close(wall);
	printf("%llu reads, %llu without a bound, %llu samples\n", (unsigned long long)n_reads,
	       (unsigned long long)n_none, (unsigned long long)n_feeds);
	CHECK(!n_false, "%llu intervals without the truth", (unsigned long long)n_false);
	CHECK(!n_back, "%llu times earliest fell in a generation", (unsigned long long)n_back);
}

/* ---- Threads ------------------------------------------------------------------------------------------------- */

static void *reads(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		read_once();
		read_in_order();
	}
	return NULL;
}

static void *feeds(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		int r = feed();

		CHECK(!r || r == -EBUSY, "feed: %d", r);
		sched_yield();
	}
	return NULL;
}

static void *updates(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		CHECK(hpt_wall_update(wall) >= 0, "update");
		usleep(1000);
	}
	return NULL;
}

static void *stamps(void *arg)
{
	int64_t last = 0, ts;

	(void)arg;
	while (!atomic_load(&stop)) {
		int r = hpt_hlc_now(hlc, &ts);

		CHECK(!r && ts > last, "timestamp: %d", r);
		last = r ? last : ts;
	}
	return NULL;
}

static void *waits(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		struct hpt_wall_time t;
		int64_t ns;

		if (hpt_wall_now(wall, &t))
			continue;
		ns = t.latest_ns + 50000;
		CHECK(!hpt_wall_wait_after(wall, ns, NS_PER_S * 60), "wait");
		CHECK(utc_ns() > ns, "the wait ended early by %lld ns", (long long)(ns - utc_ns()));
	}
	return NULL;
}

static void threads(int ms)
{
	static void *(*const kinds[])(void *) = { reads, reads, feeds, updates, stamps, waits };
	pthread_t ids[sizeof(kinds) / sizeof(kinds[0])];

	begin();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		pthread_create(&ids[i], NULL, kinds[i], NULL);
	usleep((useconds_t)ms * 1000);
	while (!atomic_load(&n_reads))
		usleep(1000);
	atomic_store(&stop, true);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		pthread_join(ids[i], NULL);
	end();
}

/* ---- Signals ------------------------------------------------------------------------------------------------- */

static _Atomic int n_signals;

static void handler(int signal)
{
	int saved = errno, r;
	int64_t ts;

	(void)signal;
	read_once();
	r = feed();
	if ((r && r != -EBUSY) || hpt_hlc_now(hlc, &ts) || errno != saved)
		atomic_fetch_add(&n_false, 1);
	atomic_fetch_add(&n_signals, 1);
}

static void signals(int n)
{
	struct sigaction action = { .sa_handler = handler };
	struct itimerval timer = { .it_interval.tv_usec = 200, .it_value.tv_usec = 200 };

	begin();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (atomic_load(&n_signals) < n) {
		int r;

		read_once();
		read_in_order();
		r = feed();
		CHECK(!r || r == -EBUSY, "feed: %d", r);
	}
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	end();
}

/* ---- Forks --------------------------------------------------------------------------------------------------- */

/* In a child other threads' claims and waits are copies: all must work, but timestamps could be the parent's. */
static int child(int64_t floor_ns)
{
	int64_t ts = 0;

	alarm(30);
	CHECK(hpt_hlc_now(hlc, &ts) == -ESTALE && !ts, "a timestamp that could be the parent's");
	CHECK(!hpt_hlc_set_floor(hlc, floor_ns) && !hpt_hlc_now(hlc, &ts) && ts > floor_ns, "the floor");
	for (int i = 0; i < 20; i++) {
		CHECK(read_once(), "no bound");
		CHECK(!feed(), "feed");
	}
	CHECK(hpt_wall_update(wall) >= 0, "update");
	CHECK(!hpt_wall_wait_after(wall, utc_ns() + 20000, NS_PER_S * 10), "wait");
	CHECK(!n_false, "an interval without the truth");
	return failures != 0;
}

static void forks(int n)
{
	pthread_t ids[3];

	begin();
	pthread_create(&ids[0], NULL, feeds, NULL);
	pthread_create(&ids[1], NULL, waits, NULL);
	pthread_create(&ids[2], NULL, updates, NULL);
	for (int i = 0; i < n; i++) {
		int64_t ts;
		int status = 1;
		pid_t pid;

		CHECK(!hpt_hlc_now(hlc, &ts), "timestamp");
		pid = fork();
		if (!pid)
			_exit(child(ts + 1));
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "child %d: status %d", i, status);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	end();
}

/* ---- Interrupts ---------------------------------------------------------------------------------------------- */

static hpt_waiter *_Atomic waiter;

/* Each interrupt ends exactly one wait, which would last for ever: a lost one hangs. */
static void *interrupts(void *arg)
{
	int n = *(int *)arg;

	for (int i = 0; i < n; i++) {
		hpt_waiter *w;

		while (!(w = atomic_exchange(&waiter, NULL)))
			sched_yield();
		if (i % 2)
			for (volatile int spin = 0; spin < i % 5000; spin = spin + 1)
				;
		hpt_waiter_interrupt(w);
	}
	return NULL;
}

/* The waiter is freed as soon as its wait has ended: an interrupt that touched it afterwards would be seen by tools. */
static void interrupted(int n)
{
	pthread_t ids[2];

	begin();
	pthread_create(&ids[0], NULL, interrupts, &n);
	pthread_create(&ids[1], NULL, feeds, NULL);
	alarm(240);
	for (int i = 0; i < n; i++) {
		hpt_waiter *w = NULL;

		CHECK(!hpt_waiter_new(NULL, 0, &w), "no waiter");
		atomic_store(&waiter, w);
		CHECK(hpt_wall_wait_after_on(wall, w, utc_ns() + 3600 * NS_PER_S, INT64_MAX) == -ECANCELED, "wait");
		hpt_waiter_free(w);
	}
	pthread_join(ids[0], NULL);
	atomic_store(&stop, true);
	pthread_join(ids[1], NULL);
	end();
}

/* ---- Teeth --------------------------------------------------------------------------------------------------- */

/* A sample that is wrong by 50 us or more, however long it took: no other source contradicts it. */
static void teeth(int n)
{
	struct hpt_wall_sample s = { .latest_ns = utc_ns() - 50000 };
	uint64_t seen;

	open_wall();
	s.earliest_ns = s.latest_ns - 10000;
	s.before = s.after = hpt_now(NULL);
	CHECK(!hpt_wall_feed(wall, &s, sizeof(s)), "the first sample");
	for (int i = 0; i < n; i++)
		read_once();
	seen = atomic_exchange(&n_false, 0);
	printf("%llu of %d are seen\n", (unsigned long long)seen, n);
	CHECK(seen > (uint64_t)n / 2, "only %llu of %d false intervals are seen", (unsigned long long)seen, n);
	end();
}

/* ---- News ---------------------------------------------------------------------------------------------- */

/* What the event loop last saw: 1: a bound, 0: no bound, -1: nothing yet. */
static _Atomic int seen;

/* Another one that feeds and updates, so that the descriptor is rung by several threads. */
static void *ring_beside(void *unused)
{
	while (!stop) {
		hpt_wall_update(wall);
		read_once();
		sched_yield();
	}
	return unused;
}

/* An hour off: the bound is lost until the source states something again. */
static void contradict(void)
{
	struct hpt_wall_sample s = { .before = hpt_now(NULL) };

	s.after = s.before;
	s.earliest_ns = utc_ns() + 3600 * NS_PER_S;
	s.latest_ns = s.earliest_ns + 1000;
	while (hpt_wall_feed(wall, &s, sizeof(s)) == -EBUSY)
		;
}

/* The bound is gained by even ones, lost by odd ones. */
static void change(int number)
{
	if (number % 2)
		contradict();
	else
		while (feed() == -EBUSY)
			;
}

/* Each change is made once the loop has seen the one before: news that is lost hangs until the loop gives up. */
static void *change_in_turn(void *arg)
{
	int n = *(const int *)arg;

	for (int i = 0; i < n && !stop; i++) {
		change(i);
		while (seen != !(i % 2) && !stop)
			sched_yield();
	}
	stop = true;
	change(n); /* the loop waits */
	return arg;
}

static void news(int n)
{
	struct pollfd p = { .events = POLLIN };
	struct hpt_wall_info info;
	pthread_t changing, beside;
	int state;

	open_wall();
	p.fd = hpt_wall_fd(wall);
	seen = -1;
	pthread_create(&changing, NULL, change_in_turn, &n);
	pthread_create(&beside, NULL, ring_beside, NULL);
	while (!stop) {
		int r = poll(&p, 1, stop ? 0 : 5000);

		if (!r && !stop) {
			CHECK(false, "news was lost");
			stop = true;
		}
		state = hpt_wall_fd_clear(wall);
		seen = state == HPT_WALL_STATE_SYNCED || state == HPT_WALL_STATE_HOLDOVER;
	}
	pthread_join(changing, NULL);
	pthread_join(beside, NULL);
	CHECK(!hpt_wall_get_info(wall, &info, sizeof(info)) && info.gained + info.lost == (uint64_t)n + 1,
	      "%llu gained, %llu lost", (unsigned long long)info.gained, (unsigned long long)info.lost);
	hpt_wall_close(wall);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(int n);
	} modes[] = {
		{ "threads", threads }, { "signals", signals }, { "fork", forks }, { "interrupts", interrupted },
		{ "news", news }, { "teeth", teeth },
	};

	for (size_t i = 0; argc == 3 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run(atoi(argv[2]));
			return failures != 0;
		}
	return 2;
}
