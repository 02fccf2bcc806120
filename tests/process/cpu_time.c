// SPDX-License-Identifier: MIT
/*
 * Where the kernel limits CPU time. `rttime`: a real-time thread that sleeps by whatever function, briefly and often,
 * outlives RLIMIT_RTTIME. `quota`, `deadline`: in a control group with a small quota, and in SCHED_DEADLINE, sleeps
 * that are otherwise all spin wait in the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define BRIEF_NS 20000

/* A child ends so where the kernel does not permit what it needs. */
#define NOT_PERMITTED 3

/* The child's exit status, negative: a signal. */
static int in_child(int (*fn)(void *arg), void *arg)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(fn(arg));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- RLIMIT_RTTIME ----------------------------------------------------------------------------------------- */

/* As rtkit sets it; the thread runs for more than twice as long. */
#define RTTIME_US 200000
#define CPU_NS    INT64_C(500000000)
#define WALL_NS   INT64_C(20000000000)

static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;
static int64_t at_ns;

static void by_ns(void)
{
	hpt_sleep_ns(NULL, BRIEF_NS);
}

/* Over before the kernel can be asked for a wait. */
static void by_100_ns(void)
{
	hpt_sleep_ns(NULL, 100);
}

static void by_1_ns(void)
{
	hpt_sleep_ns(NULL, 1);
}

static void by_3000_ns(void)
{
	hpt_sleep_ns(NULL, 3000);
}

static void until_a_tick(void)
{
	hpt_sleep_until_ticks(NULL, hpt_now(NULL) + hpt_ns_to_ticks(NULL, BRIEF_NS));
}

/* Two of three deadlines are past. */
static void until_ns_or_past(void)
{
	static unsigned n;

	at_ns = n++ % 3 ? at_ns : hpt_now_ns(NULL) + BRIEF_NS;
	hpt_sleep_until_ns(NULL, at_ns);
}

static void until_unix_ns(void)
{
	hpt_sleep_until_unix_ns(NULL, hpt_now_unix_ns(NULL) + BRIEF_NS);
}

/* Most of the CPU time is the program's own. */
static void beside_work(void)
{
	int64_t until_ns = hpt_now_ns(NULL) + 200000;

	while (hpt_now_ns(NULL) < until_ns)
		;
	hpt_sleep_ns(NULL, BRIEF_NS);
}

static void on_waiter(void)
{
	hpt_waiter_sleep_until_ns(waiter, hpt_now_ns(NULL) + BRIEF_NS);
}

static void on_gate(void)
{
	hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), hpt_now(NULL) + hpt_ns_to_ticks(NULL, BRIEF_NS));
}

static void on_ticker(void)
{
	hpt_ticker_wait(ticker, NULL);
}

static const struct kind {
	const char *name;
	void (*sleep)(void);
	uint32_t policy;
} kinds[] = {
	{ "hpt_sleep_ns, BALANCED", by_ns, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_ns, FRUGAL", by_ns, HPT_SLEEP_FRUGAL },
	{ "hpt_sleep_ns, STRICT", by_ns, HPT_SLEEP_STRICT },
	{ "hpt_sleep_ns of 100", by_100_ns, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_ns of 1", by_1_ns, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_ns of 3000, NOSPIN", by_3000_ns, HPT_SLEEP_NOSPIN },
	{ "hpt_sleep_ns of 3000", by_3000_ns, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_until_ticks", until_a_tick, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_until_ns, some past", until_ns_or_past, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_until_unix_ns", until_unix_ns, HPT_SLEEP_BALANCED },
	{ "hpt_sleep_ns beside work", beside_work, HPT_SLEEP_BALANCED },
	{ "a waiter", on_waiter, HPT_SLEEP_BALANCED },
	{ "a gate", on_gate, HPT_SLEEP_BALANCED },
	{ "a ticker", on_ticker, HPT_SLEEP_BALANCED },
};

static int run_kind(void *arg)
{
	const struct rlimit limit = { RTTIME_US, RTTIME_US };
	const struct sched_param param = { .sched_priority = 1 };
	const struct kind *kind = arg;
	int64_t start_ns;

	if (hpt_waiter_new(NULL, 0, &waiter) || hpt_gate_new(NULL, 0, &gate) ||
	    hpt_ticker_new(NULL, BRIEF_NS, 0, &ticker) || hpt_sleep_set_policy(kind->policy, 0))
		return 1;
	if (setrlimit(RLIMIT_RTTIME, &limit) || sched_setscheduler(0, SCHED_RR, &param))
		return NOT_PERMITTED;
	start_ns = clock_ns(CLOCK_MONOTONIC);
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < CPU_NS && clock_ns(CLOCK_MONOTONIC) - start_ns < WALL_NS)
		for (int i = 0; i < 100; i++)
			kind->sleep();
	return 0;
}

static int check_rttime(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int r = in_child(run_kind, (void *)&kinds[i]);

		if (r == NOT_PERMITTED)
			return skip("SCHED_RR is not permitted");
		CHECK(!r, "%s: %s %d", kinds[i].name, r < 0 ? "killed by signal" : "exit", r < 0 ? -r : r);
	}
	return failures != 0;
}

/* ---- No spin ------------------------------------------------------------------------------------------------ */

#define SLEEPS 200

static uint64_t waits(void)
{
	struct hpt_sleep_info info;

	CHECK(!hpt_sleep_get_info(&info, sizeof(info)), "no info");
	return info.waits;
}

/* Each sleep waits, also those of 2 us, once the thread has asked for its limits. */
static int all_sleeps_wait(void)
{
	uint64_t before;

	for (int i = 0; i < 12; i++)
		hpt_sleep_ns(NULL, 2000000);
	before = waits();
	for (int i = 0; i < SLEEPS; i++)
		hpt_sleep_ns(NULL, i % 2 ? BRIEF_NS : 2000);
	before = waits() - before;
	/* Those of 2 us are over at once where a sanitizer slows the library, others where the thread stalls. */
	CHECK(before >= SLEEPS / 4, "%d waits of %d sleeps", (int)before, SLEEPS);
	return failures != 0;
}

static bool put(const char *group, const char *name, const char *text)
{
	char path[200];
	int fd;
	bool is_put;

	snprintf(path, sizeof(path), "%s/%s", group, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	is_put = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return is_put;
}

static int run_quota(void *group)
{
	char pid[20];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (!put(group, "cgroup.procs", pid))
		return NOT_PERMITTED;
	return all_sleeps_wait();
}

static int check_quota(void)
{
	static const char *const roots[] = { "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup" };
	int r = NOT_PERMITTED;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]) && r == NOT_PERMITTED; i++) {
		char group[100];

		snprintf(group, sizeof(group), "%s/hpt test %d", roots[i], (int)getpid());
		if (mkdir(group, 0700))
			continue;
		if (put(group, "cpu.cfs_quota_us", "20000") || put(group, "cpu.max", "20000 100000"))
			r = in_child(run_quota, group);
		CHECK(!rmdir(group), "%s stays", group);
	}
	if (r == NOT_PERMITTED)
		return failures ? 1 : skip("no control group with a CPU quota can be made");
	CHECK(!r, "a child ended by %d", r);
	return failures != 0;
}

struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t  nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

static int run_deadline(void *arg)
{
	struct attributes a = { .size = sizeof(a), .policy = 6, .runtime_ns = 5000000, .deadline_ns = 20000000,
				.period_ns = 20000000 };

	(void)arg;
	if (syscall(SYS_sched_setattr, 0, &a, 0))
		return NOT_PERMITTED;
	return all_sleeps_wait();
}

static int check_deadline(void)
{
	int r = in_child(run_deadline, NULL);

	if (r == NOT_PERMITTED)
		return skip("SCHED_DEADLINE is not permitted");
	CHECK(!r, "a child ended by %d", r);
	return failures != 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "rttime"))
		return check_rttime();
	if (argc == 2 && !strcmp(argv[1], "quota"))
		return check_quota();
	if (argc == 2 && !strcmp(argv[1], "deadline"))
		return check_deadline();
	return 2;
}
