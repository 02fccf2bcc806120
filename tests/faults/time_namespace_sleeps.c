// SPDX-License-Identifier: MIT
/*
 * Sleeps of processes that are forked into a time namespace, after their parent has used the clock. Each sleep is the
 * first use of the clock in its process. It has its length, and returns 0.
 *
 * usage: time_namespace_sleeps OFFSET_S
 */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "namespaces.h"
#include "process.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

static int for_ns(int64_t ns)
{
	return hpt_sleep_ns(NULL, ns);
}

static int until(int64_t ns)
{
	return hpt_sleep_until_ticks(NULL, hpt_now(NULL) + hpt_ns_to_ticks(NULL, ns) + 1);
}

static int until_ns(int64_t ns)
{
	return hpt_sleep_until_ns(NULL, hpt_now_ns(NULL) + ns);
}

static int until_unix_ns(int64_t ns)
{
	return hpt_sleep_until_unix_ns(NULL, hpt_now_unix_ns(NULL) + ns);
}

static int on_waiter(int64_t ns)
{
	hpt_waiter *w;

	return hpt_waiter_new(NULL, 0, &w) ? -1 : hpt_waiter_sleep_ns(w, ns);
}

static int to_tick(int64_t ns)
{
	int64_t start_ns = clock_ns(CLOCK_MONOTONIC_RAW), periods;
	uint64_t missed = 0;
	hpt_ticker *t;
	int r = hpt_ticker_new(NULL, ns, 0, &t) ? -1 : hpt_ticker_wait(t, &missed);

	periods = (clock_ns(CLOCK_MONOTONIC_RAW) - start_ns) / ns;
	CHECK((int64_t)missed < (periods > 1 ? periods : 1), "%llu ticks missed", (unsigned long long)missed);
	return r;
}

static const struct kind {
	const char *name;
	int (*sleep)(int64_t ns);
	clockid_t id;
} kinds[] = {
	{ "ns", for_ns, CLOCK_MONOTONIC_RAW },
	{ "until", until, CLOCK_MONOTONIC_RAW }, { "until_ns", until_ns, CLOCK_MONOTONIC_RAW },
	{ "until_unix_ns", until_unix_ns, CLOCK_REALTIME }, { "waiter", on_waiter, CLOCK_MONOTONIC_RAW },
	{ "ticker", to_tick, CLOCK_MONOTONIC_RAW },
};

static const int64_t lengths_ns[] = { 50000, 100000000, 1200000000 };

/* The limits of a library that counts by the parent's CLOCK_MONOTONIC are seconds away: offsets are 5 s or more. */
static int check_sleep(const struct kind *k, int64_t length_ns)
{
	int64_t start_ns = clock_ns(k->id), took_ns;
	int r = k->sleep(length_ns);

	took_ns = clock_ns(k->id) - start_ns;
	CHECK(!r && took_ns >= length_ns && took_ns < length_ns + 3000000000, "%s of %lld ns: %d after %lld ns",
	      k->name, (long long)length_ns, r, (long long)took_ns);
	return failures != 0;
}

/* The children sleep at the same time. */
static void sleep_in_children(void)
{
	const size_t n_kinds = sizeof(kinds) / sizeof(kinds[0]);
	const size_t n_lengths = sizeof(lengths_ns) / sizeof(lengths_ns[0]);
	int status;

	for (size_t i = 0; i < n_kinds * n_lengths; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(check_sleep(&kinds[i % n_kinds], lengths_ns[i / n_kinds]));
		CHECK(pid > 0, "no child");
	}
	for (size_t i = 0; i < n_kinds * n_lengths; i++)
		CHECK(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status), "a child failed");
}

int main(int argc, char **argv)
{
	int64_t offset_s = argc == 2 ? atoll(argv[1]) : 0;
	struct timespec ts = { .tv_nsec = 100000000 };
	char text[64];

	if (!offset_s)
		return 2;
	if (clock_ns(CLOCK_MONOTONIC) / 1000000000 + offset_s < 1)
		return skip("the machine has not been up for long enough to set its clock back");
	if (enter_namespaces(CLONE_NEWTIME))
		return skip("no permission for a time namespace here");
	snprintf(text, sizeof(text), "monotonic %lld 0\n", (long long)offset_s);
	if (write_text("/proc/self/timens_offsets", text))
		return skip("the clocks of a time namespace cannot be set here");
	/* From then on the clock samples at most once in 100 ms, so that the children meet the old record. */
	hpt_now_ns(NULL);
	nanosleep(&ts, NULL);
	hpt_now_ns(NULL);
	sleep_in_children();
	return failures != 0;
}
