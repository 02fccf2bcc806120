// SPDX-License-Identifier: MIT
/*
 * How soon an interrupt ends a sleep on another CPU: in the spin beside a bare flag, and out of the kernel beside
 * eventfd with ppoll and a bare futex, by turns in random order.
 *
 * usage: bench_wake [ROUNDS [SEED]]
 *
 * Latency: from before the waker's call to behind the sleeper's, which has taken the event too: eventfd was read.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hpt/sleep.h>

#include "../process/cpus.h"
#include "stamp.h"
#include "stats.h"

/* No sleep ends by itself. */
#define SLEEP_NS 2000000000

#define BLOCKS     10
#define WAYS_MAX   3
#define ROUNDS_MAX 1000000

#define SPIN_TARGET_NS 150.0
#define KERNEL_TARGET  1.1

/* A way to sleep and to be woken; both are called by one thread each. */
struct way {
	const char *name;
	void      (*sleep)(void);
	void      (*wake)(void);
};

static hpt_clock *clk;
static hpt_waiter *spinner, *waiter;
static int event_fd;
static _Alignas(128) _Atomic uint32_t futex_word;
static _Alignas(128) _Atomic uint32_t flag;

/* One sleep after another: the waker sets the way and the turn, the sleeper says where it is. */
static const struct way *way;
static _Alignas(128) _Atomic unsigned turn;
static _Alignas(128) _Atomic unsigned begun, ended;
static int64_t woken_tick;
static _Atomic unsigned lost; /* sleeps that ended otherwise, and wakes that failed */

/* ---- Ways ----------------------------------------------------------------------------------------------- */

static void sleep_spinner(void)
{
	lost += hpt_waiter_sleep_ns(spinner, SLEEP_NS) != -ECANCELED;
}

static void wake_spinner(void)
{
	hpt_waiter_interrupt(spinner);
}

static void sleep_flag(void)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		arch_relax();
	atomic_exchange(&flag, 0);
}

static void wake_flag(void)
{
	atomic_exchange(&flag, 1);
}

static void sleep_waiter(void)
{
	lost += hpt_waiter_sleep_ns(waiter, SLEEP_NS) != -ECANCELED;
}

static void wake_waiter(void)
{
	hpt_waiter_interrupt(waiter);
}

static void sleep_eventfd(void)
{
	struct pollfd p = { .fd = event_fd, .events = POLLIN };
	struct timespec timeout = { .tv_sec = SLEEP_NS / 1000000000 };
	uint64_t events;

	lost += ppoll(&p, 1, &timeout, NULL) != 1 || read(event_fd, &events, sizeof(events)) != sizeof(events);
}

static void wake_eventfd(void)
{
	uint64_t one = 1;

	lost += write(event_fd, &one, sizeof(one)) != sizeof(one);
}

static void sleep_futex(void)
{
	while (!atomic_exchange(&futex_word, 0))
		syscall(SYS_futex, &futex_word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void wake_futex(void)
{
	atomic_store(&futex_word, 1);
	syscall(SYS_futex, &futex_word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static const struct way in_spin[] = {
	{ "hpt_waiter_interrupt", sleep_spinner, wake_spinner },
	{ "bare flag", sleep_flag, wake_flag }, /* what these two CPUs take to tell each other anything */
};

enum { WAITER, EVENTFD };

static const struct way in_kernel[] = {
	[WAITER] = { "hpt_waiter_interrupt", sleep_waiter, wake_waiter },
	[EVENTFD] = { "eventfd and ppoll", sleep_eventfd, wake_eventfd },
	{ "bare futex", sleep_futex, wake_futex },
};

/* ---- Sleeper and waker ---------------------------------------------------------------------------------- */

static void *sleeper(void *arg)
{
	if (!pin(*(const int *)arg))
		abort();
	for (unsigned i = 1;; i++) {
		while (atomic_load_explicit(&turn, memory_order_acquire) != i)
			arch_relax();
		if (!way)
			return NULL;
		atomic_store_explicit(&begun, i, memory_order_release);
		way->sleep();
		woken_tick = bench_stamp(clk);
		atomic_store_explicit(&ended, i, memory_order_release);
	}
}

static void begin(const struct way *next)
{
	way = next;
	atomic_fetch_add_explicit(&turn, 1, memory_order_release);
}

static void await(const _Atomic unsigned *who)
{
	while (atomic_load_explicit(who, memory_order_acquire) != turn)
		arch_relax();
}

/* The last 0.2 ms awake, so that the waker is warm however long the other sleeps. */
static void pass(int64_t ns)
{
	int64_t until = bench_stamp(clk) + hpt_ns_to_ticks(clk, ns);

	if (ns > 1000000)
		bench_sleep_until(bench_ns() + ns - 200000);
	while (bench_stamp(clk) < until)
		arch_relax();
}

struct reading {
	int64_t latency, cost; /* ticks: until the sleeper returned, and until the waker's call did */
};

static void take(const struct way *w, int64_t asleep_ns, struct reading *ret)
{
	int64_t before;

	begin(w);
	await(&begun);
	pass(asleep_ns + random() % (asleep_ns / 4 + 1));
	before = bench_stamp(clk);
	w->wake();
	ret->cost = bench_stamp(clk) - before;
	await(&ended);
	ret->latency = woken_tick - before;
}

/* ---- Phases --------------------------------------------------------------------------------------------- */

struct phase {
	const char       *name;
	const struct way *ways;
	unsigned          n, rounds;
	int64_t           asleep_ns;
	struct reading   *readings; /* a way: one each round */
	double           *scratch;
};

static void measure(struct phase *p)
{
	unsigned order[WAYS_MAX];

	for (unsigned i = 0; i < p->n; i++)
		order[i] = i;
	for (unsigned round = 0; round < p->rounds; round++) {
		bench_shuffle(order, p->n);
		for (unsigned i = 0; i < p->n; i++)
			take(&p->ways[order[i]], p->asleep_ns, &p->readings[(size_t)order[i] * p->rounds + round]);
	}
}

static struct bench_stats stats_of(const struct phase *p, unsigned which, bool is_cost, unsigned first, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct reading *r = &p->readings[(size_t)which * p->rounds + first + i];

		p->scratch[i] = (double)hpt_ticks_to_ns(clk, 1000 * (is_cost ? r->cost : r->latency)) / 1000;
	}
	return bench_stats_of(p->scratch, n, 1000);
}

static void print_table(const struct phase *p, bool is_cost)
{
	char title[96];

	snprintf(title, sizeof(title), "\n%s: %s", p->name, is_cost ? "cost to the waker" : "latency");
	bench_stats_print_head(title, "> 1 us");
	for (unsigned i = 0; i < p->n; i++) {
		struct bench_stats s = stats_of(p, i, is_cost, 0, p->rounds);

		bench_stats_print(p->ways[i].name, &s);
	}
}

static double ratio_of(const struct phase *p, unsigned first, unsigned n)
{
	return stats_of(p, WAITER, false, first, n).median / stats_of(p, EVENTFD, false, first, n).median;
}

static void judge_kernel(const struct phase *p)
{
	double ratios[BLOCKS];
	unsigned n = p->rounds / BLOCKS;
	double ratio = ratio_of(p, 0, p->rounds);

	for (unsigned i = 0; i < BLOCKS; i++)
		ratios[i] = ratio_of(p, i * n, n);
	printf("median %.3f x eventfd's (quartiles of %d parts of the run %.3f, %.3f), target %.1f %s\n", ratio, BLOCKS,
	       bench_quantile(ratios, BLOCKS, 0.25), bench_quantile(ratios, BLOCKS, 0.75), KERNEL_TARGET,
	       bench_verdict(ratio, KERNEL_TARGET));
}

static void judge_spin(const struct phase *p)
{
	double medians[BLOCKS], median = stats_of(p, 0, false, 0, p->rounds).median;
	unsigned n = p->rounds / BLOCKS;

	for (unsigned i = 0; i < BLOCKS; i++)
		medians[i] = stats_of(p, 0, false, i * n, n).median;
	printf("median %.0f ns (quartiles of %d parts of the run %.0f, %.0f), target %.0f %s\n", median, BLOCKS,
	       bench_quantile(medians, BLOCKS, 0.25), bench_quantile(medians, BLOCKS, 0.75), SPIN_TARGET_NS,
	       bench_verdict(median, SPIN_TARGET_NS));
}

static void run_phase(struct phase *p)
{
	p->readings = calloc((size_t)p->n * p->rounds, sizeof(*p->readings));
	p->scratch = calloc(p->rounds, sizeof(*p->scratch));
	measure(p);
	print_table(p, false);
	if (p->ways == in_spin)
		judge_spin(p);
	else
		judge_kernel(p);
	print_table(p, true);
	fflush(stdout);
	free(p->readings);
	free(p->scratch);
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

static void run_phases(unsigned rounds)
{
	const unsigned ways = sizeof(in_kernel) / sizeof(in_kernel[0]);
	struct phase phases[] = {
		{ .name = "spinning", .ways = in_spin, .n = sizeof(in_spin) / sizeof(in_spin[0]),
		  .rounds = 10 * rounds, .asleep_ns = 4000 },
		{ .name = "in the kernel for 0.3 ms", .ways = in_kernel, .n = ways, .rounds = 5 * rounds,
		  .asleep_ns = 300000 },
		{ .name = "in the kernel for 10 ms", .ways = in_kernel, .n = ways, .rounds = rounds,
		  .asleep_ns = 10000000 },
	};

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		run_phase(&phases[i]);
}

static bool make_objects(void)
{
	event_fd = eventfd(0, EFD_CLOEXEC);
	return event_fd >= 0 && !hpt_waiter_new(clk, &spinner) && !hpt_waiter_new(clk, &waiter) &&
	       !hpt_waiter_set_policy(spinner, HPT_SLEEP_SPIN, 0, 0);
}

static int run(unsigned rounds, unsigned seed)
{
	int cpu = allowed_cpu(0), sleeper_cpu = allowed_cpu(1);
	pthread_t thread;

	if (sleeper_cpu < 0) {
		printf("one CPU only: nobody can be woken from another\n");
		return 77;
	}
	clk = bench_stamp_clock();
	if (!clk)
		return 77;
	if (!make_objects() || !pin(cpu) || pthread_create(&thread, NULL, sleeper, &sleeper_cpu)) {
		fprintf(stderr, "bench_wake: no waiters, or no thread on CPU %d\n", cpu);
		return 1;
	}
	bench_await_rate(clk);
	bench_print_rate(clk);
	printf("from CPU %d to CPU %d, %u rounds asleep long, 5 times as many briefly, 10 times spinning: about %.0f s\n",
	       cpu, sleeper_cpu, rounds, rounds * (3 * 0.0113 + 15 * 0.00037));
	bench_print_conditions(seed);
	run_phases(rounds);
	begin(NULL);
	pthread_join(thread, NULL);
	hpt_waiter_free(spinner);
	hpt_waiter_free(waiter);
	if (lost)
		printf("%u sleeps ended otherwise than by being woken\n", atomic_load(&lost));
	return lost != 0;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 300, seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

	if (rounds < 3 * BLOCKS || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench_wake [ROUNDS [SEED]], at least %d rounds\n", 3 * BLOCKS);
		return 2;
	}
	return run(rounds, seed);
}
