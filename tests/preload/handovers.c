// SPDX-License-Identifier: MIT
/*
 * Waits with a time-out among real threads: each event ends a wait or is there for the next one, whatever the waiting
 * thread does at that moment, and no time-out is early by the clock that it is for.
 *
 * usage: handovers KIND EVENTS
 * A lost event leaves a thread waiting: the alarm kills the test.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "handover.h"
#include "process.h"
#include "sleeper.h"

#define LIMIT_S 100

/* Of events: on a busy machine there are fewer. */
#define MAKING_NS (8 * S)

/* Deadlines and events come after a random part of this: about as long as a margin. */
#define DELAY_NS (200 * US)

/* One wait in 16 is longer by this: the kernel waits for most of it. */
#define FAR_NS   (2 * MS)

/* Half of the events come in this time, which ends shortly after a deadline. */
#define AIM_NS   (25 * US)
#define AFTER_NS (5 * US)

#define CONSUMERS_MAX 3

/* How many may be there at once where several threads take from a queue. */
#define QUEUE_MAX 64

static const struct handover *kind;
static _Atomic long events;

/* xorshift64, each thread by a state of its own. */
static int64_t random_below(uint64_t *state, int64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (int64_t)(*state % (uint64_t)n);
}

/* ---- The producer -------------------------------------------------------------------------------------------- */

static _Atomic int64_t due_ns; /* the latest deadline, by the kind's clock */
static _Atomic long seen;      /* events that ended waits, by all consumers */
static _Atomic long made;
static int64_t made_ns;        /* when the latest event had been made; the reader sees it by `made` */

static int64_t draw_delay_ns(uint64_t *state)
{
	return random_below(state, kind->unit_ns == MS ? MS + DELAY_NS / 2 : DELAY_NS);
}

/* When an event is to come. Where nothing waits, there is a next deadline soon. */
static int64_t draw_moment_ns(uint64_t *state)
{
	int64_t at_ns, now_ns = kernel_ns(kind->id);

	if (random_below(state, 2))
		return now_ns + draw_delay_ns(state);
	while ((at_ns = atomic_load(&due_ns)) < now_ns)
		sched_yield();
	return at_ns + AFTER_NS - random_below(state, AIM_NS);
}

/* Half of the delays are spun, so that the CPU stays warm. */
static void pause_until(int64_t at_ns, bool is_slept)
{
	struct timespec until = timespec_of(at_ns);

	if (is_slept)
		clock_nanosleep(kind->id, TIMER_ABSTIME, &until, NULL);
	while (kernel_ns(kind->id) < at_ns)
		;
}

static void await_room(long n)
{
	long room = kind->is_queue ? n - QUEUE_MAX : (n - 1) * kind->consumers;

	while (atomic_load(&seen) < room)
		sched_yield();
}

static bool is_over(int64_t since_ns, long n)
{
	if (n <= atomic_load(&events) && kernel_ns(CLOCK_MONOTONIC) - since_ns < MAKING_NS)
		return false;
	atomic_store(&events, n - 1);
	return true;
}

/* An event, once all have seen the one before it. To a queue mostly some events together. */
static void *produce(void *arg)
{
	int64_t since_ns = kernel_ns(CLOCK_MONOTONIC);
	uint64_t state = 88172645463325252u;

	(void)arg;
	for (long n = 1; !is_over(since_ns, n); n++) {
		await_room(n);
		if (!kind->is_queue || !random_below(&state, 3))
			pause_until(draw_moment_ns(&state), n & 1);
		kind->make(n);
		made_ns = kernel_ns(kind->id);
		atomic_store(&made, n);
	}
	return NULL;
}

/* ---- Consumers ----------------------------------------------------------------------------------------------- */

/*
 * A wait for descriptors may look for the last time shortly before its deadline, and find what comes later the next
 * time. A thread that was off the CPU since its last look is late, or comes back just at the deadline, which is rare.
 */
#define UNSEEN_NS        (30 * US)
#define MISSED_ONE_IN    50
#define MISSED_BY_CHANCE 5

struct consumer {
	pthread_t thread;
	uint64_t state;
	long taken, expired, missed;
	int64_t expired_at_ns, late_ns; /* of the latest time-out since an event; 0: there was none */
};

static struct consumer consumers[CONSUMERS_MAX];

static struct timeout draw_timeout(uint64_t *state)
{
	int64_t ns = 1 + random_below(state, DELAY_NS);
	struct timeout t;

	if (kind->is_queue)
		ns += 60 * US;
	if (!random_below(state, 16))
		ns += FAR_NS;
	t.length_ns = (ns + kind->unit_ns - 1) / kind->unit_ns * kind->unit_ns;
	t.at_ns = kernel_ns(kind->id) + t.length_ns;
	return t;
}

/* Of an event: was it there when a wait before this one ended by its time-out? */
static void note_missed(struct consumer *c, int64_t event_ns)
{
	int64_t before_ns = c->expired_at_ns - event_ns;

	if (kind->is_exact)
		MUST(before_ns <= 0, "a time-out, but an event came %lld ns before the deadline",
		     (long long)before_ns);
	else if (before_ns > UNSEEN_NS && c->late_ns < UNSEEN_NS)
		c->missed++;
}

static void note_event(struct consumer *c)
{
	c->taken++;
	while (!kind->is_queue && atomic_load(&made) < c->taken)
		sched_yield();
	if (!kind->is_queue)
		note_missed(c, made_ns);
	c->expired_at_ns = 0;
	atomic_fetch_add(&seen, 1);
}

static void note_timeout(struct consumer *c, const struct timeout *t)
{
	int64_t late_ns = kernel_ns(kind->id) - t->at_ns;

	MUST(late_ns >= 0, "%lld ns early of %lld", (long long)-late_ns, (long long)t->length_ns);
	c->expired_at_ns = t->at_ns;
	c->late_ns = late_ns;
	c->expired++;
}

static bool is_done(const struct consumer *c)
{
	return (kind->is_queue ? atomic_load(&seen) : c->taken) >= atomic_load(&events);
}

static void *consume(void *arg)
{
	struct consumer *c = arg;

	while (!is_done(c)) {
		struct timeout t = draw_timeout(&c->state);

		atomic_store(&due_ns, t.at_ns);
		if (kind->wait(&t, c->taken + 1))
			note_event(c);
		else
			note_timeout(c, &t);
	}
	return NULL;
}

/* ---- The run ------------------------------------------------------------------------------------------------- */

/* The main thread is the first consumer. */
static void run(void)
{
	pthread_t producer;

	for (int i = 0; i < kind->consumers; i++) {
		consumers[i].state = 362436069362436069u + (uint64_t)i;
		if (i)
			MUST(!pthread_create(&consumers[i].thread, NULL, consume, &consumers[i]), "no thread");
	}
	MUST(!pthread_create(&producer, NULL, produce, NULL), "no thread");
	consume(&consumers[0]);
	for (int i = 1; i < kind->consumers; i++)
		pthread_join(consumers[i].thread, NULL);
	pthread_join(producer, NULL);
}

static void check_counts(void)
{
	long taken = 0, expired = 0, missed = 0, n = atomic_load(&events);

	for (int i = 0; i < kind->consumers; i++) {
		taken += consumers[i].taken;
		expired += consumers[i].expired;
		missed += consumers[i].missed;
	}
	MUST(taken == n * (kind->is_queue ? 1 : kind->consumers), "%ld of %ld taken", taken, n);
	MUST(missed <= n / MISSED_ONE_IN + MISSED_BY_CHANCE, "waits saw %ld of %ld events too late", missed, n);
	printf("%ld events, %ld taken, %ld time-outs, %ld seen late\n", n, taken, expired, missed);
}

static const struct handover *named(const struct handover *h, const char *name)
{
	while (h->name && strcmp(h->name, name))
		h++;
	return h->name ? h : NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	kind = named(handover_words, argv[1]);
	if (!kind)
		kind = named(handover_fds, argv[1]);
	if (!kind)
		return 2;
	atomic_store(&events, atol(argv[2]));
	alarm(LIMIT_S);
	if (kind->prepare && !kind->prepare())
		return skip("there is no such wait here");
	run();
	check_counts();
	return 0;
}
