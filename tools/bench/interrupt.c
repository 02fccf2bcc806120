// SPDX-License-Identifier: MIT
/*
 * Wakes a sleeper on another CPU, while it spins and while it waits in the kernel, by the candidates in random order.
 * Latency: from before the waker's call until after the sleeper's call, which includes consuming the event: a read of
 * the eventfd.
 */
#include "bench/interrupt.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "bench/shuffle.h"
#include "bench/wakes_run.h"
#include "cli/cpus.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/* Timeout of a sleep that is not woken: two hundred times the longest sleep. */
#define SLEEP_S 2

/* Pauses between two checks of the time by the flag's sleeper: 1 ms or more, while it is woken after 5 us. */
#define PAUSES 65536

/* A phase ends after this many lost sleeps, which take SLEEP_S each. */
#define LOST_MAX 5

/* A warm waker spins for this time before it wakes, so that its own CPU is awake however long the sleeper slept. */
#define WARM_NS (200 * NS_PER_US)

/* Measured time of a round beyond the sleep itself, or once more the sleep where that is less: for the progress bar. */
#define ROUND_TRIP_NS (60 * NS_PER_US)

/* Two cache lines, for processors fetch them in pairs. */
#define APART 128

/*
 * A way to sleep, which returns true if it was woken, and to wake, which returns true if that worked. One thread calls
 * sleep(), the other wake().
 */
struct way {
	const char *name;
	bool      (*sleep)(void);
	bool      (*wake)(void);
};

static hpt_waiter *spinner, *waiter;
static int event_fd;
static struct { _Alignas(APART) _Atomic uint32_t word; } futex, flag;

/* The waker sets the way and then the turn's number. A way of NULL ends the sleeper. */
static struct {
	_Alignas(APART) _Atomic uint32_t number;
	const struct way *way;
} turn;

/* The sleeper reports which turn it has begun and ended, and how the turn ended. */
static struct {
	_Alignas(APART) _Atomic uint32_t begun;
	_Atomic uint32_t ended;
	int64_t woken_tick;
	bool was_woken;
} said;

/* ---- Ways ------------------------------------------------------------------------------------------------------- */

static bool sleep_spinner(void)
{
	return hpt_waiter_sleep_ns(spinner, SLEEP_S * NS_PER_S) == -ECANCELED;
}

static bool wake_spinner(void)
{
	return !hpt_waiter_interrupt(spinner);
}

static bool sleep_flag(void)
{
	int64_t end_ns = stopwatch_os_ns(CLOCK_MONOTONIC) + SLEEP_S * NS_PER_S;

	for (uint32_t i = 1; !atomic_load_explicit(&flag.word, memory_order_acquire); i++) {
		arch_relax();
		if (!(i % PAUSES) && stopwatch_os_ns(CLOCK_MONOTONIC) >= end_ns)
			return false;
	}
	atomic_exchange(&flag.word, 0);
	return true;
}

static bool wake_flag(void)
{
	atomic_exchange(&flag.word, 1);
	return true;
}

static bool sleep_waiter(void)
{
	return hpt_waiter_sleep_ns(waiter, SLEEP_S * NS_PER_S) == -ECANCELED;
}

static bool wake_waiter(void)
{
	return !hpt_waiter_interrupt(waiter);
}

static bool sleep_eventfd(void)
{
	struct pollfd p = { .fd = event_fd, .events = POLLIN };
	struct timespec timeout = { .tv_sec = SLEEP_S };
	uint64_t events;

	return ppoll(&p, 1, &timeout, NULL) == 1 && read(p.fd, &events, sizeof(events)) == sizeof(events);
}

static bool wake_eventfd(void)
{
	uint64_t one = 1;

	return write(event_fd, &one, sizeof(one)) == sizeof(one);
}

/* SYS_futex takes a timespec of two longs, also on 32-bit machines. */
static bool sleep_futex(void)
{
	static const struct { long s, ns; } timeout = { SLEEP_S, 0 };

	while (!atomic_exchange(&futex.word, 0))
		if (syscall(SYS_futex, &futex.word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0) &&
		    errno != EAGAIN && errno != EINTR)
			return false;
	return true;
}

static bool wake_futex(void)
{
	atomic_store(&futex.word, 1);
	return syscall(SYS_futex, &futex.word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) >= 0;
}

/* After a lost sleep: a wake that came late must not end the next sleep. */
static void forget_wakes(void)
{
	uint64_t events;

	hpt_waiter_clear(spinner);
	hpt_waiter_clear(waiter);
	while (read(event_fd, &events, sizeof(events)) == sizeof(events))
		;
	atomic_store(&futex.word, 0);
	atomic_store(&flag.word, 0);
}

/* The last of each is the bare one, with which the others are compared. */
static const struct way in_spin[] = {
	{ "hpt_waiter_interrupt", sleep_spinner, wake_spinner },
	{ "bare flag", sleep_flag, wake_flag }, /* the time that a message between the two CPUs takes */
};

static const struct way in_kernel[] = {
	{ "hpt_waiter_interrupt", sleep_waiter, wake_waiter },
	{ "eventfd and ppoll", sleep_eventfd, wake_eventfd },
	{ "bare futex", sleep_futex, wake_futex },
};

#define N_WAYS(ways) ((unsigned)(sizeof(ways) / sizeof((ways)[0])))
#define N_WAYS_MAX   N_WAYS(in_kernel)

static const struct {
	const char *name;
	int64_t asleep_ns;
	bool is_cold;
	uint32_t factor;                /* rounds for each round of the plan */
	const struct way *ways;
	unsigned n_ways;
} phases[WAKES_PHASES] = {
	{ "spin", 4 * NS_PER_US, false, 10, in_spin, N_WAYS(in_spin) },
	{ "kernel 0.3 ms", 300 * NS_PER_US, false, 5, in_kernel, N_WAYS(in_kernel) },
	{ "kernel 10 ms", 10 * NS_PER_MS, false, 1, in_kernel, N_WAYS(in_kernel) },
	{ "kernel 10 ms cold", 10 * NS_PER_MS, true, 1, in_kernel, N_WAYS(in_kernel) },
};

/* ---- Sleeper and waker ------------------------------------------------------------------------------------------ */

static void *sleeper(void *arg)
{
	const struct stopwatch *watch = arg;
	hpt_clock *const clk = watch->clk;
	const bool is_tsc = watch->is_tsc;

	for (uint32_t i = 1;; i++) {
		bool woken;
		int64_t tick;

		while (atomic_load_explicit(&turn.number, memory_order_acquire) != i)
			arch_relax();
		if (!turn.way)
			return NULL;
		atomic_store_explicit(&said.begun, i, memory_order_release);
		woken = turn.way->sleep();
		tick = stopwatch_by(is_tsc, clk);
		said.woken_tick = tick;
		said.was_woken = woken;
		atomic_store_explicit(&said.ended, i, memory_order_release);
	}
}

static void begin(const struct way *next)
{
	turn.way = next;
	atomic_fetch_add_explicit(&turn.number, 1, memory_order_release);
}

static void await(const _Atomic uint32_t *count)
{
	uint32_t number = atomic_load_explicit(&turn.number, memory_order_relaxed);

	while (atomic_load_explicit(count, memory_order_acquire) != number)
		arch_relax();
}

/* All lengths are below a second. */
static void idle(int64_t ns)
{
	struct timespec ts = { 0, (long)ns };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* A cold waker sleeps until it wakes, and the state of its CPU is part of the result. */
static void pass(const struct wakes_run *run, int64_t ns, bool is_cold)
{
	int64_t until = stopwatch_by(run->is_tsc, run->clk) + hpt_ns_to_ticks(run->clk, ns);

	if (is_cold)
		idle(ns);
	else if (ns > 5 * WARM_NS)
		idle(ns - WARM_NS);
	while (stopwatch_by(run->is_tsc, run->clk) < until)
		arch_relax();
}

/* Up to a quarter longer, at random, so that wakes do not fall in step with a periodic event. */
static int64_t varied(struct wakes_run *run, int64_t ns)
{
	return ns + shuffle_below(&run->random, (uint32_t)(ns / 4 + 1));
}

/* False: the sleep was lost. */
static bool take(struct wakes_run *run, const struct way *w, const struct wakes_phase *p,
		 int64_t *ret_latency_ps, int64_t *ret_cost_ps)
{
	bool (*wake)(void) = w->wake, is_sent;
	int64_t before, cost;

	begin(w);
	await(&said.begun);
	pass(run, varied(run, p->asleep_ns), p->is_cold);
	before = stopwatch_by(run->is_tsc, run->clk);
	is_sent = wake();
	cost = stopwatch_by(run->is_tsc, run->clk) - before;
	await(&said.ended);
	if (!is_sent || !said.was_woken || said.woken_tick <= before) {
		forget_wakes();
		return false;
	}
	*ret_latency_ps = stopwatch_to_ps(run->clk, said.woken_tick - before);
	*ret_cost_ps = stopwatch_to_ps(run->clk, cost);
	return true;
}

/* ---- Phases ----------------------------------------------------------------------------------------------------- */

static int64_t round_ns(const struct wakes_phase *p)
{
	int64_t more_ns = p->asleep_ns < ROUND_TRIP_NS ? p->asleep_ns : ROUND_TRIP_NS;

	return p->n_ways * (p->asleep_ns + p->asleep_ns / 8 + more_ns);
}

/* Returns true if no sleep of the round was lost. */
static bool take_round(struct wakes_run *run, struct wakes_phase *p, const struct way *ways,
		       const unsigned *order)
{
	uint32_t round = atomic_load_explicit(&p->rounds_done, memory_order_relaxed);

	for (unsigned i = 0; i < p->n_ways; i++) {
		struct wakes_candidate *to = &p->ways[order[i]];

		if (!take(run, &ways[order[i]], p, &to->latency_ps[round], &to->cost_ps[round]))
			return false;
	}
	return true;
}

static bool measure_phase(struct wakes_run *run, struct wakes_phase *p, const struct way *ways)
{
	unsigned order[N_WAYS_MAX] = { 0, 1, 2 };
	uint32_t lost = 0;

	for (uint32_t i = 0; i < p->rounds && lost < LOST_MAX; i++) {
		bool is_whole;

		shuffle(&run->random, order, p->n_ways);
		is_whole = take_round(run, p, ways, order);
		if (!wakes_run_step(run, round_ns(p)))
			return false;
		if (is_whole) {
			atomic_fetch_add_explicit(&p->rounds_done, 1, memory_order_release);
		} else {
			lost++;
			run->s->lost++;
		}
	}
	return true;
}

static bool measure_phases(struct wakes_run *run)
{
	for (unsigned i = 0; i < run->s->n_phases; i++)
		if (!measure_phase(run, &run->s->phases[i], phases[i].ways))
			return false;
	return true;
}

/* The first allowed CPU other than @ours; -1: there is no other. */
static int other_cpu(const struct cpus *allowed, int ours)
{
	int first = cpus_next(allowed, -1);

	return first == ours ? cpus_next(allowed, first) : first;
}

/* If no sleeper can run on another CPU there are no rounds, and sleeper_cpu stays -1. */
bool interrupt_measure(struct wakes_run *run, const struct cpus *allowed)
{
	int cpu = other_cpu(allowed, run->s->cpu);
	pthread_t thread;
	bool go_on = true;

	atomic_store(&turn.number, 0);
	if (pthread_create(&thread, NULL, sleeper, &run->s->watch))
		return true;
	if (!cpus_bind_to(thread, cpu)) {
		run->s->sleeper_cpu = cpu;
		go_on = measure_phases(run);
	}
	begin(NULL);
	pthread_join(thread, NULL);
	return go_on;
}

int64_t interrupt_estimate_ns(const struct wakes *s)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < s->n_phases; i++)
		sum += s->phases[i].rounds * round_ns(&s->phases[i]);
	return sum;
}

/* ---- Objects to sleep on ---------------------------------------------------------------------------------------- */

static int make_objects(void)
{
	int r;

	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event_fd < 0)
		return -errno;
	r = hpt_waiter_new(NULL, 0, &spinner);
	if (!r)
		r = hpt_waiter_new(NULL, 0, &waiter);
	if (!r)
		r = hpt_waiter_set_policy(spinner, HPT_SLEEP_SPIN, 0);
	if (r)
		interrupt_end();
	return r;
}

void interrupt_end(void)
{
	hpt_waiter_free(spinner);
	hpt_waiter_free(waiter);
	spinner = waiter = NULL;
	close(event_fd);
}

int interrupt_prepare(struct wakes *s)
{
	int r = make_objects();

	if (r)
		return r;
	s->n_phases = WAKES_PHASES;
	for (unsigned i = 0; i < WAKES_PHASES; i++) {
		struct wakes_phase *p = &s->phases[i];

		p->name = phases[i].name;
		p->asleep_ns = phases[i].asleep_ns;
		p->is_cold = phases[i].is_cold;
		p->rounds = phases[i].factor * s->plan.rounds;
		p->n_ways = phases[i].n_ways;
		for (unsigned j = 0; j < p->n_ways; j++) {
			p->ways[j].name = phases[i].ways[j].name;
			p->ways[j].latency_ps = xcalloc(p->rounds, sizeof(int64_t));
			p->ways[j].cost_ps = xcalloc(p->rounds, sizeof(int64_t));
		}
	}
	return 0;
}
