// SPDX-License-Identifier: MIT
/*
 * Threads read times and pass them to each other from the very first conversion on, while the library takes samples and
 * refines its conversion. No time is smaller than one that was read before it, by the same thread or by the thread that
 * sent it, but for what the processor's own counter goes back in the same messages.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "pin.h"
#include "own_counter.h"
#include "process.h"

/* Two on each of two CPUs: they take samples at the same time, and some are preempted in the middle of one. */
#define THREADS 4
#define CPUS    2

/* The default clock takes all its samples: at 1, 10 and 100 ms of age, at 1 s, and each second. */
#define ALL_SAMPLES_NS INT64_C(3200000000)

/* Fresh clocks take the early ones, often enough for threads to take them at the same time. */
#define FRESH_CLOCKS     20
#define EARLY_SAMPLES_NS INT64_C(130000000)

/* The alarm turns a hang into a failure. */
#define WATCHDOG_S 120

/* Each thread's latest time, for all threads: whichever two run at once, they exchange times. */
static struct {
	_Alignas(128) _Atomic int64_t ns;
	_Alignas(128) _Atomic int64_t tick;
} boxes[THREADS];

static _Alignas(128) pthread_barrier_t start;
static hpt_clock *clk;
static int64_t end_ns;
static bool has_counter;

struct reader {
	pthread_t thread;
	unsigned  index;
	int       cpu; /* -1: anywhere */
	uint64_t  reads, messages, went_back, from_future;
	int64_t   worst_ns, worst_ticks; /* of those from the future; of the counter itself */
};

static int64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Notes how much smaller a time is than one read before it. Returns true if it is. */
static bool is_back(int64_t before, int64_t now, int64_t *worst)
{
	if (now < before && before - now > *worst)
		*worst = before - now;
	return now < before;
}

/* The same with the counter, as soon as possible after the times. */
static void pass_ticks(struct reader *r, unsigned from)
{
	int64_t sent = atomic_load_explicit(&boxes[from].tick, memory_order_acquire), now = own_counter(clk);

	is_back(sent, now, &r->worst_ticks);
	atomic_store_explicit(&boxes[r->index].tick, now, memory_order_release);
}

static void *read_times(void *arg)
{
	struct reader *r = arg;
	int64_t last = INT64_MIN, heard[THREADS] = { 0 };

	if (r->cpu >= 0)
		pin(r->cpu); /* if refused, the thread runs on any CPU */
	pthread_barrier_wait(&start);
	do {
		unsigned from = r->reads % THREADS;
		int64_t sent = atomic_load_explicit(&boxes[from].ns, memory_order_acquire), now = hpt_now_ns(clk);

		r->went_back += now < last;
		r->from_future += is_back(sent, now, &r->worst_ns);
		atomic_store_explicit(&boxes[r->index].ns, now, memory_order_release);
		r->messages += from != r->index && sent != heard[from];
		heard[from] = sent;
		last = now;
		if (has_counter)
			pass_ticks(r, from);
	} while (++r->reads % 1024 || raw_ns() < end_ns);
	return NULL;
}

static bool start_threads(struct reader *readers)
{
	for (unsigned i = 0; i < THREADS; i++) {
		atomic_store(&boxes[i].ns, 0);
		atomic_store(&boxes[i].tick, 0);
		readers[i].index = i;
		readers[i].cpu = allowed_cpu((int)(i % CPUS));
		if (pthread_create(&readers[i].thread, NULL, read_times, &readers[i]))
			return false;
	}
	return true;
}

static void add(struct reader *sum, const struct reader *r)
{
	sum->reads += r->reads;
	sum->messages += r->messages;
	sum->went_back += r->went_back;
	sum->from_future += r->from_future;
	if (r->worst_ns > sum->worst_ns)
		sum->worst_ns = r->worst_ns;
	if (r->worst_ticks > sum->worst_ticks)
		sum->worst_ticks = r->worst_ticks;
}

/* fresh: a clock that has not converted yet; NULL: the default clock. */
static void read_from_the_first(hpt_clock *fresh, int64_t duration_ns, struct reader *sum)
{
	struct reader readers[THREADS] = { 0 };

	clk = fresh;
	end_ns = raw_ns() + duration_ns;
	if (!start_threads(readers)) {
		fprintf(stderr, "no thread\n");
		exit(1); /* the others wait at the barrier */
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(readers[i].thread, NULL);
		add(sum, &readers[i]);
	}
}

static void report(const char *what, const struct reader *sum)
{
	printf("%s: %llu reads, %llu messages; went back %llu, came from the future %llu\n", what,
	       (unsigned long long)sum->reads, (unsigned long long)sum->messages,
	       (unsigned long long)sum->went_back, (unsigned long long)sum->from_future);
	printf("from the future by %lld ns at worst, the counter itself by %lld ticks\n", (long long)sum->worst_ns,
	       (long long)sum->worst_ticks);
	CHECK(!sum->went_back && sum->worst_ns <= excused_ns(NULL, sum->worst_ticks),
	      "a time was smaller than one that was read before it");
}

static void check_fresh_clocks(void)
{
	struct reader sum = { 0 };
	hpt_clock *fresh;

	for (unsigned i = 0; i < FRESH_CLOCKS; i++) {
		int r = hpt_clock_open(HPT_SOURCE_AUTO, 0, &fresh);

		CHECK(!r, "a second clock on the default's source: %d", r);
		if (r)
			return;
		read_from_the_first(fresh, EARLY_SAMPLES_NS, &sum);
		hpt_clock_close(fresh);
	}
	report("fresh clocks", &sum);
}

int main(void)
{
	struct reader sum = { 0 };

	alarm(WATCHDOG_S);
	has_counter = has_own_counter();
	pthread_barrier_init(&start, NULL, THREADS);
	read_from_the_first(NULL, ALL_SAMPLES_NS, &sum);
	report("default clock", &sum);
	check_fresh_clocks();
	return failures != 0;
}
