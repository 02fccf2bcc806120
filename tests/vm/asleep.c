// SPDX-License-Identifier: MIT
/*
 * Sleeps inside the emulated machine: often and briefly, or by each function at once while a command changes the
 * machine's clocks. Built for 64 and for 32 bits.
 *
 * usage: asleep early SOURCE SLEEPS
 *        asleep kernel|spin SOURCE TIMELINE_MS WALL_MS COMMAND...
 * TIMELINE_MS is the length of sleeps by ticks and nanoseconds, WALL_MS that of the sleep by the wall clock. A waiter
 * sleeps until it is interrupted after the command.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <hpt/hpt.h>

#include "guest.h"

#define NS_PER_MS 1000000
#define SLACK_NS  12345

/* No sleep here takes this long unless it hangs. The time does not advance in a suspended machine. */
#define LIMIT_S 30

/* ---- Four sleepers at once ------------------------------------------------------------------------------ */

struct moment {
	int64_t ticks, ns, unix_ns, mono_ns, raw_ns, real_ns;
};

struct sleeper {
	const char *way;
	int64_t    (*sleep)(struct sleeper *s); /* returns the time left by its own clock: positive is early */
	hpt_clock  *clk;
	hpt_waiter *waiter;
	int64_t    amount_ns, deadline; /* the deadline in units of the function's own clock */
	int        result;
	pthread_t  thread;
};

static int64_t by_until(struct sleeper *s)
{
	s->deadline = hpt_now(s->clk) + hpt_ns_to_ticks(s->clk, s->amount_ns);
	s->result = hpt_sleep_until_ticks(s->clk, s->deadline);
	return s->deadline - hpt_now(s->clk);
}

static int64_t by_ns(struct sleeper *s)
{
	s->deadline = hpt_now_ns(s->clk) + s->amount_ns;
	s->result = hpt_sleep_ns(s->clk, s->amount_ns);
	return s->deadline - hpt_now_ns(s->clk);
}

static int64_t by_unix(struct sleeper *s)
{
	s->deadline = hpt_now_unix_ns(s->clk) + s->amount_ns;
	s->result = hpt_sleep_until_unix_ns(s->clk, s->deadline);
	return s->deadline - hpt_now_unix_ns(s->clk);
}

static int64_t by_waiter(struct sleeper *s)
{
	s->deadline = INT64_MAX;
	s->result = hpt_waiter_sleep_until_ticks(s->waiter, INT64_MAX);
	return 0;
}

static struct moment take_moment(hpt_clock *clk)
{
	return (struct moment){
		.ticks = hpt_now(clk), .ns = hpt_now_ns(clk), .unix_ns = hpt_now_unix_ns(clk),
		.mono_ns = clock_ns(CLOCK_MONOTONIC), .raw_ns = clock_ns(CLOCK_MONOTONIC_RAW),
		.real_ns = clock_ns(CLOCK_REALTIME),
	};
}

static bool has_slack(void)
{
	return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == SLACK_NS;
}

static void format_moment(char *text, size_t size, const struct moment *m)
{
	snprintf(text, size, "{\"ticks\": %" PRId64 ", \"ns\": %" PRId64 ", \"unix_ns\": %" PRId64
		 ", \"mono_ns\": %" PRId64 ", \"raw_ns\": %" PRId64 ", \"real_ns\": %" PRId64 "}", m->ticks, m->ns,
		 m->unix_ns, m->mono_ns, m->raw_ns, m->real_ns);
}

static const char *truth(bool is)
{
	return is ? "true" : "false";
}

static const char *source_of(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		exit(1);
	return hpt_source_name(info.source);
}

/* Prints by one call, so that the lines of several threads do not mix. */
static void print_sleep(const struct sleeper *s, const struct moment *from, const struct moment *to, bool errno_kept)
{
	char before[300], after[300];

	format_moment(before, sizeof(before), from);
	format_moment(after, sizeof(after), to);
	printf("{\"source\": \"%s\", \"way\": \"%s\", \"result\": %d, \"errno_kept\": %s, \"slack_kept\": %s"
	       ", \"deadline\": %" PRId64 ", \"before\": %s, \"after\": %s}\n", source_of(s->clk), s->way, s->result,
	       truth(errno_kept), truth(has_slack()), s->deadline, before, after);
}

static void *sleep_once(void *arg)
{
	struct sleeper *s = arg;
	struct moment before, after;
	bool errno_kept;

	/* A spinning thread leaves the CPUs to the command. With PRIO_PROCESS this affects the calling thread alone. */
	setpriority(PRIO_PROCESS, 0, 19);
	before = take_moment(s->clk);
	errno = EXDEV;
	s->sleep(s);
	errno_kept = errno == EXDEV;
	after = take_moment(s->clk);
	print_sleep(s, &before, &after, errno_kept);
	return NULL;
}

static void must(int r, const char *what)
{
	if (!r)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(r < 0 ? -r : r));
	exit(FAILED);
}

static int sleep_while_it_runs(hpt_clock *clk, int64_t timeline_ns, int64_t wall_ns, char *const command[])
{
	struct sleeper sleepers[] = {
		{ "until", by_until, .amount_ns = timeline_ns }, { "ns", by_ns, .amount_ns = timeline_ns },
		{ "unix", by_unix, .amount_ns = wall_ns },   { "waiter", by_waiter, .amount_ns = 0 },
	};
	size_t n = sizeof(sleepers) / sizeof(sleepers[0]);
	hpt_waiter *waiter;
	int status = 0;

	must(hpt_waiter_new(clk, 0, &waiter), "waiter");
	for (size_t i = 0; i < n; i++) {
		sleepers[i].clk = clk;
		sleepers[i].waiter = waiter;
		must(pthread_create(&sleepers[i].thread, NULL, sleep_once, &sleepers[i]), "thread");
	}
	waitpid(start(command), &status, 0);
	must(hpt_waiter_interrupt(waiter), "interrupt");
	for (size_t i = 0; i < n; i++)
		pthread_join(sleepers[i].thread, NULL);
	hpt_waiter_free(waiter);
	return finish(status);
}

/* ---- Many, one after the other --------------------------------------------------------------------------- */

struct tally {
	int64_t sleeps, early, diverged, refused, errnos, worst;
};

/* Vigna's xorshift64*. */
static uint64_t random_u64(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

/* Half of them up to 0.3 ms, one in eight up to 30 ms. */
static int64_t random_length_ns(void)
{
	uint64_t n = random_u64() >> 16;

	return (int64_t)(n / 8 % (n % 2 ? 300000 : n % 8 ? 3000000 : 30000000));
}

static void note(struct tally *t, int result, int64_t left)
{
	t->errnos += errno != EXDEV;
	t->sleeps++;
	t->refused += result < 0;
	t->diverged += result > 0;
	t->early += left > 0;
	if (left > t->worst)
		t->worst = left;
}

static int sleep_often(hpt_clock *clk, long n)
{
	struct sleeper ways[] = { { .sleep = by_until }, { .sleep = by_ns }, { .sleep = by_unix } };
	struct tally t = { 0 };

	for (long i = 0; i < n; i++) {
		struct sleeper *s = &ways[i % 3];
		int64_t left;

		s->clk = clk;
		s->amount_ns = random_length_ns();
		errno = EXDEV;
		left = s->sleep(s);
		note(&t, s->result, left);
	}
	printf("{\"source\": \"%s\", \"pointer_bits\": %zu, \"slack_kept\": %s, \"sleeps\": %" PRId64
	       ", \"early\": %" PRId64 ", \"worst\": %" PRId64 ", \"diverged\": %" PRId64 ", \"refused\": %" PRId64
	       ", \"errnos\": %" PRId64 "}\n", source_of(clk), 8 * sizeof(void *), truth(has_slack()), t.sleeps,
	       t.early, t.worst, t.diverged, t.refused, t.errnos);
	return 0;
}

/* ---- Program --------------------------------------------------------------------------------------------- */

static void give_up(int sig)
{
	static const char what[] = "a sleep does not end\n";
	ssize_t written = write(STDERR_FILENO, what, sizeof(what) - 1);

	(void)sig, (void)written;
	_exit(FAILED);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 3 ? argv[1] : "";

	signal(SIGALRM, give_up);
	alarm(LIMIT_S);
	setvbuf(stdout, NULL, _IOLBF, 0);
	prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);
	if (!strcmp(mode, "early"))
		return sleep_often(open_clock(argv[2]), atol(argv[3]));
	if (argc > 5 && (!strcmp(mode, "kernel") || !strcmp(mode, "spin"))) {
		if (mode[0] == 's')
			must(hpt_sleep_set_policy(HPT_SLEEP_SPIN, 0), "policy");
		return sleep_while_it_runs(open_clock(argv[2]), atoll(argv[3]) * NS_PER_MS,
					   atoll(argv[4]) * NS_PER_MS, argv + 5);
	}
	fprintf(stderr, "usage: asleep early SOURCE SLEEPS | kernel|spin SOURCE TIMELINE_MS WALL_MS COMMAND...\n");
	return FAILED;
}
