// SPDX-License-Identifier: MIT
/* Starts the measuring thread, then draws the bar and waits for its end or a signal: tools/bench/worker.h. */
#include "bench/worker.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/cpus.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "cli/util.h"

/* The period at which the waiting thread draws the bar: long enough not to affect the results. */
#define BAR_STEP_NS (500 * NS_PER_MS)

/* No estimate is shown above this, a month: the first steps are not representative. */
#define LEFT_MAX_NS (30.0 * 86400 * 1e9)

/* The time for the measuring thread to end its current sample after it was asked to stop. */
#define PATIENCE_NS (300 * NS_PER_MS)

struct worker {
	void (*measure)(void *data, struct worker *w);
	void *data;
	const char *what;
	int cpu;
	int error;
	int64_t from_ns, from;          /* time and amount of the first progress: estimates count from there */
	_Atomic int64_t done, total;
	_Atomic bool is_stopped;
	int ended_fd;                   /* readable when measure() has returned */
};

bool worker_step(struct worker *w, int64_t done, int64_t total)
{
	if (!w)
		return true;
	atomic_store_explicit(&w->total, total, memory_order_relaxed);
	atomic_store_explicit(&w->done, done, memory_order_relaxed);
	return !atomic_load_explicit(&w->is_stopped, memory_order_relaxed);
}

/* ---- The measuring thread -------------------------------------------------------------------------------------- */

/* Binds the thread to a CPU: results across a move would mix two CPUs. */
static int stay(int cpu)
{
	return cpus_move_to(cpu < 0 ? sched_getcpu() : cpu);
}

static void *thread(void *arg)
{
	struct worker *w = arg;

	w->error = stay(w->cpu);
	if (!w->error)
		w->measure(w->data, w);
	eventfd_write(w->ended_fd, 1);
	return NULL;
}

/* ---- The waiting thread ---------------------------------------------------------------------------------------- */

/* The signal actions and mask before take_signals(). */
struct before {
	struct signals signals;
	sigset_t mask;
};

static sigset_t our_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNALS_COUNT; i++)
		sigaddset(&set, signals_all[i]);
	return set;
}

/*
 * Signals arrive only while this thread waits for them, and never on the measuring thread, which starts with them
 * blocked.
 */
static void take_signals(struct before *ret)
{
	sigset_t set = our_signals();

	pthread_sigmask(SIG_BLOCK, &set, &ret->mask);
	signals_catch(NULL, &ret->signals);
}

static void give_signals_back(const struct before *before)
{
	static const struct timespec at_once;
	sigset_t set = our_signals();

	/*
	 * timeout(1) signals this process and then its group: the second signal would end it before it prints its
	 * results.
	 */
	while (signals_caught() && sigtimedwait(&set, NULL, &at_once) > 0)
		;
	signals_release(&before->signals);
	pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
}

static void draw(struct worker *w)
{
	int64_t done = atomic_load_explicit(&w->done, memory_order_relaxed);
	int64_t total = atomic_load_explicit(&w->total, memory_order_relaxed);
	int64_t now_ns = stopwatch_os_ns(CLOCK_MONOTONIC);
	double left_ns = -1;

	if (!total)
		return;
	if (!w->from_ns && done) {
		w->from_ns = now_ns;
		w->from = done;
	}
	if (done > w->from)
		left_ns = (double)(now_ns - w->from_ns) / (double)(done - w->from) * (double)(total - done);
	progress_show(w->what, done, total, left_ns < LEFT_MAX_NS ? (int64_t)left_ns : -1);
}

/*
 * Waits until the thread has ended, a signal came, or for @ns (-1: without limit). Returns true if the thread has
 * ended. Also true where ppoll() is forbidden: then the thread is joined without a bar and without reacting to signals,
 * instead of polling in a loop.
 */
static bool await_end(const struct worker *w, int64_t ns, const sigset_t *mask)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };
	struct pollfd p = { .fd = w->ended_fd, .events = POLLIN };

	int r = ppoll(&p, 1, ns < 0 ? NULL : &ts, mask);

	return r == 1 || (r < 0 && errno != EINTR);
}

static bool watch(struct worker *w, const struct before *before)
{
	bool is_shown = progress_is_shown(), has_ended = false;
	sigset_t heard = before->mask;

	for (size_t i = 0; i < SIGNALS_COUNT; i++)
		sigdelset(&heard, signals_all[i]);
	while (!has_ended && !signals_caught()) {
		if (is_shown)
			draw(w);
		has_ended = await_end(w, is_shown ? BAR_STEP_NS : -1, &heard);
	}
	if (!has_ended) {
		atomic_store_explicit(&w->is_stopped, true, memory_order_relaxed);
		has_ended = await_end(w, PATIENCE_NS, NULL);
	}
	if (is_shown)
		progress_clear();
	return has_ended;
}

/* The state of an abandoned thread, which still uses it: reachable for leak checkers. */
static struct worker *volatile left_alone;

static int run(struct worker *w)
{
	struct before before;
	pthread_t id;
	bool has_ended = true;
	int r;

	take_signals(&before);
	r = -pthread_create(&id, NULL, thread, w);
	if (!r)
		has_ended = watch(w, &before);
	give_signals_back(&before);
	if (!r && has_ended)
		pthread_join(id, NULL);
	if (!r)
		r = has_ended && w->error ? w->error : signals_caught();
	if (!has_ended) {
		left_alone = w;
		return r;
	}
	close(w->ended_fd);
	free(w);
	return r;
}

int worker_run(const char *what, int cpu, void (*measure)(void *data, struct worker *w), void *data)
{
	struct worker *w = xcalloc(1, sizeof(*w));

	*w = (struct worker){ .measure = measure, .data = data, .what = what, .cpu = cpu };
	w->ended_fd = eventfd(0, EFD_CLOEXEC);
	if (w->ended_fd < 0) {
		int r = -errno;

		free(w);
		return r;
	}
	return run(w);
}
