// SPDX-License-Identifier: MIT
/* The measuring thread and who waits for it: worker.h. */
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

#include "bench/stopwatch.h"
#include "progress.h"
#include "units.h"
#include "util.h"

/* The bar is drawn by the waiting thread, seldom enough not to be seen in the figures. */
#define BAR_STEP_NS (500 * NS_PER_MS)

/* Who is shown more left than a month has not been told anything: the first steps are no measure yet. */
#define LEFT_MAX_NS (30.0 * 86400 * 1e9)

/* What a thread that is told to leave off gets for the sample it is in. */
#define PATIENCE_NS (300 * NS_PER_MS)

struct hpt_worker {
	void (*measure)(void *data, struct hpt_worker *w);
	void *data;
	const char *what;
	int cpu;
	int error;
	int64_t from_ns, from;          /* how far it was when that was seen first: what came before was no measuring */
	_Atomic int64_t done, total;
	_Atomic bool is_stopped;
	int ended_fd;                   /* readable when measure() has returned */
};

bool hpt_worker_step(struct hpt_worker *w, int64_t done, int64_t total)
{
	if (!w)
		return true;
	atomic_store_explicit(&w->total, total, memory_order_relaxed);
	atomic_store_explicit(&w->done, done, memory_order_relaxed);
	return !atomic_load_explicit(&w->is_stopped, memory_order_relaxed);
}

/* ---- The measuring thread -------------------------------------------------------------------------------------- */

/* A move to another CPU in the middle would compare two CPUs. */
static int stay(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		cpu = sched_getcpu();
	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static void *thread(void *arg)
{
	struct hpt_worker *w = arg;

	w->error = stay(w->cpu);
	if (!w->error)
		w->measure(w->data, w);
	eventfd_write(w->ended_fd, 1);
	return NULL;
}

/* ---- The waiting one ------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t caught;

static void on_signal(int signal)
{
	caught = signal;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* What was so before signals were ours. */
struct before {
	struct sigaction actions[N_SIGNALS];
	sigset_t mask;
};

static sigset_t our_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaddset(&set, signals[i]);
	return set;
}

/*
 * They come only while we wait for them, and never to the measuring thread, which begins with them blocked. Who was
 * started with them ignored goes on ignoring them.
 */
static void take_signals(struct before *ret)
{
	struct sigaction ours = { .sa_handler = on_signal };
	sigset_t set = our_signals();

	pthread_sigmask(SIG_BLOCK, &set, &ret->mask);
	caught = 0;
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (!sigaction(signals[i], NULL, &ret->actions[i]) && ret->actions[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &ours, NULL);
}

static void give_signals_back(const struct before *before)
{
	static const struct timespec at_once;
	sigset_t set = our_signals();

	/* timeout(1) signals us, and then the group that we are in: the second would end us before anything is told. */
	while (caught && sigtimedwait(&set, NULL, &at_once) > 0)
		;
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &before->actions[i], NULL);
	pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
}

static void draw(struct hpt_worker *w)
{
	int64_t done = atomic_load_explicit(&w->done, memory_order_relaxed);
	int64_t total = atomic_load_explicit(&w->total, memory_order_relaxed);
	int64_t now_ns = hpt_os_ns(CLOCK_MONOTONIC);
	double left_ns = -1;

	if (!total)
		return;
	if (!w->from_ns && done) {
		w->from_ns = now_ns;
		w->from = done;
	}
	if (done > w->from)
		left_ns = (double)(now_ns - w->from_ns) / (double)(done - w->from) * (double)(total - done);
	hpt_progress_show(w->what, done, total, left_ns < LEFT_MAX_NS ? (int64_t)left_ns : -1);
}

/*
 * Until the thread has ended, a signal came, or so long (-1: without end). True: it has ended. Where waiting so is forbidden
 * the thread is waited for without a bar and without hearing signals, rather than asked again and again.
 */
static bool await_end(const struct hpt_worker *w, int64_t ns, const sigset_t *mask)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };
	struct pollfd p = { .fd = w->ended_fd, .events = POLLIN };

	int r = ppoll(&p, 1, ns < 0 ? NULL : &ts, mask);

	return r == 1 || (r < 0 && errno != EINTR);
}

static bool watch(struct hpt_worker *w, const struct before *before)
{
	bool is_shown = hpt_progress_is_shown(), has_ended = false;
	sigset_t heard = before->mask;

	for (size_t i = 0; i < N_SIGNALS; i++)
		sigdelset(&heard, signals[i]);
	while (!has_ended && !caught) {
		if (is_shown)
			draw(w);
		has_ended = await_end(w, is_shown ? BAR_STEP_NS : -1, &heard);
	}
	if (!has_ended) {
		atomic_store_explicit(&w->is_stopped, true, memory_order_relaxed);
		has_ended = await_end(w, PATIENCE_NS, NULL);
	}
	if (is_shown)
		hpt_progress_clear();
	return has_ended;
}

/* Of a thread that was not waited for and still looks at what it was given: not lost, as tools that look for leaks see. */
static struct hpt_worker *volatile left_alone;

static int run(struct hpt_worker *w)
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
		r = has_ended && w->error ? w->error : caught;
	if (!has_ended) {
		left_alone = w;
		return r;
	}
	close(w->ended_fd);
	free(w);
	return r;
}

int hpt_worker_run(const char *what, int cpu, void (*measure)(void *data, struct hpt_worker *w), void *data)
{
	struct hpt_worker *w = hpt_calloc(1, sizeof(*w));

	*w = (struct hpt_worker){ .measure = measure, .data = data, .what = what, .cpu = cpu };
	w->ended_fd = eventfd(0, EFD_CLOEXEC);
	if (w->ended_fd < 0) {
		int r = -errno;

		free(w);
		return r;
	}
	return run(w);
}
