// SPDX-License-Identifier: MIT
/*
 * A thread that waits on several stacks: it changes them between waits, or a signal handler does so in the middle of
 * one; or the handler leaves the wait by a jump. Of the events that another thread makes meanwhile none is lost, and
 * no time-out is early.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <ucontext.h>

#include "process.h"
#include "waiters.h"

/* A lost event leaves the thread waiting: it is killed. */
#define LIMIT_S 100

#define EVENTS      300
#define STACK_BYTES 262144

/* ---- Waits for an event of each kind ----------------------------------------------------------------------------- */

static int pipes[4][2], epfd;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static long signalled; /* with the mutex */
static _Atomic bool may_leave;

/* Nothing is taken from a pipe by the wait for it, so that it may be left before it returns. */
static int wait_by_poll(int64_t ns)
{
	return poll(&(struct pollfd){ .fd = pipes[0][0], .events = POLLIN }, 1, (int)(ns / MS));
}

static int wait_by_ppoll(int64_t ns)
{
	struct timespec ts = timespec_of(ns);

	return ppoll(&(struct pollfd){ .fd = pipes[1][0], .events = POLLIN }, 1, &ts, NULL);
}

static int wait_by_select(int64_t ns)
{
	struct timeval tv = { .tv_sec = (time_t)(ns / S), .tv_usec = (suseconds_t)(ns % S / US) };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipes[2][0], &set);
	return select(pipes[2][0] + 1, &set, NULL, NULL, &tv);
}

static int wait_by_epoll(int64_t ns)
{
	struct epoll_event event;

	return epoll_wait(epfd, &event, 1, (int)(ns / MS));
}

static int wait_by_sem(int64_t ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);

	return !sem_timedwait(&sem, &until) ? 1 : errno == ETIMEDOUT ? 0 : -1;
}

static int wait_by_cond(int64_t ns)
{
	struct timespec until = time_after(CLOCK_REALTIME, ns);
	int r = 0;

	pthread_mutex_lock(&mutex);
	while (!signalled && !r)
		r = pthread_cond_timedwait(&cond, &mutex, &until);
	r = signalled > 0;
	signalled -= r;
	pthread_mutex_unlock(&mutex);
	return r;
}

enum { PIPES = 4, SEM = PIPES, COND, KINDS };

static int (*const waits[KINDS])(int64_t ns) = {
	wait_by_poll, wait_by_ppoll, wait_by_select, wait_by_epoll, wait_by_sem, wait_by_cond,
};

static bool prepare(void)
{
	struct epoll_event event = { .events = EPOLLIN };

	for (int i = 0; i < PIPES; i++)
		if (pipe(pipes[i]) || fcntl(pipes[i][0], F_SETFL, O_NONBLOCK))
			return false;
	epfd = epoll_create1(0);
	return epfd >= 0 && !epoll_ctl(epfd, EPOLL_CTL_ADD, pipes[3][0], &event) && !sem_init(&sem, 0, 0);
}

/* ---- Events, and signals, of other threads ----------------------------------------------------------------------- */

static _Atomic bool is_over;
static pthread_t waiting_thread;

static void make_event(int kind)
{
	if (kind < PIPES) {
		CHECK(write(pipes[kind][1], "x", 1) == 1, "no event");
	} else if (kind == SEM) {
		sem_post(&sem);
	} else {
		pthread_mutex_lock(&mutex);
		signalled++;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&mutex);
	}
}

/* In no order: some wait for others. */
static void *make_events(void *kinds)
{
	uint32_t draw = 1;

	for (int i = 0; i < EVENTS; i++)
		for (int k = 0; k < *(int *)kinds; k++) {
			draw = draw * 1103515245 + 12345;
			if (draw >> 30)
				usleep(draw >> 16 & 255);
			make_event(k);
		}
	return NULL;
}

static void *make_signals(void *arg)
{
	uint32_t draw = 1;

	while (!atomic_load(&is_over)) {
		draw = draw * 1103515245 + 12345;
		usleep(50 + (draw >> 16 & 511));
		pthread_kill(waiting_thread, SIGUSR1);
	}
	return arg;
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(how, &set, NULL);
}

/* The signal is for the waiting thread alone. */
static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;
	sigset_t before;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	block(SIG_BLOCK);
	CHECK(!pthread_create(&thread, NULL, run, arg), "no thread");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return thread;
}

/* ---- Waits ------------------------------------------------------------------------------------------------------- */

static long taken[KINDS];

/* A byte is taken after the wait alone: another stack may have it. */
static void count(int kind)
{
	char c;

	taken[kind] += kind >= PIPES || read(pipes[kind][0], &c, 1) == 1;
}

static void wait_once(int kind, int64_t ns)
{
	clockid_t id = kind >= PIPES ? CLOCK_REALTIME : CLOCK_MONOTONIC; /* as the waits are */
	int64_t began_ns = kernel_ns(id);
	int r;

	atomic_store(&may_leave, true);
	r = waits[kind](ns);
	atomic_store(&may_leave, false);
	CHECK(r >= 0 || errno == EINTR, "kind %d: %d", kind, errno);
	CHECK(r || kernel_ns(id) - began_ns >= ns, "kind %d: %lld ns are early", kind, (long long)ns);
	if (r > 0)
		count(kind);
}

static int64_t draw_ns(int kind)
{
	static uint32_t draw = 1;

	draw = draw * 1103515245 + 12345;
	return waits[kind] == wait_by_poll || waits[kind] == wait_by_epoll ? MS : (1 + (draw >> 8) % 1000) * US;
}

static void check_all_are_taken(int kinds, const char *how)
{
	for (int i = 0; i < kinds; i++) {
		CHECK(taken[i] == EVENTS, "kind %d, %s: %ld events", i, how, taken[i]);
		taken[i] = 0;
	}
}

/* ---- Stacks ------------------------------------------------------------------------------------------------------ */

/* Two for each kind, but for the one whose mutex is not for two stacks of a thread. */
#define STACKS (2 * KINDS - 1)

static struct {
	ucontext_t context;
	bool is_over;
} stacks[STACKS];

static ucontext_t at_end;
static int current;
static bool is_cooperative;

/* To the next one that has not ended, with the signal blocked. */
static void change_stack(void)
{
	int before = current, saved = errno;

	for (int i = 1; i <= STACKS; i++) {
		current = (before + i) % STACKS;
		if (!stacks[current].is_over)
			break;
	}
	if (stacks[current].is_over)
		setcontext(&at_end);
	if (current != before)
		swapcontext(&stacks[before].context, &stacks[current].context);
	errno = saved;
}

static void on_change(int sig)
{
	(void)sig;
	change_stack();
}

static void wait_on_stack(int stack)
{
	int kind = stack % KINDS;

	block(SIG_UNBLOCK);
	while (taken[kind] < EVENTS) {
		wait_once(kind, draw_ns(kind));
		if (is_cooperative) {
			block(SIG_BLOCK);
			change_stack();
			block(SIG_UNBLOCK);
		}
	}
	block(SIG_BLOCK);
	stacks[stack].is_over = true;
	change_stack();
}

static void wait_on_stacks(void)
{
	static char room[STACKS][STACK_BYTES];
	static volatile bool has_begun;

	has_begun = false;
	for (int i = 0; i < STACKS; i++) {
		getcontext(&stacks[i].context);
		stacks[i].context.uc_stack.ss_sp = room[i];
		stacks[i].context.uc_stack.ss_size = STACK_BYTES;
		stacks[i].is_over = false;
		makecontext(&stacks[i].context, (void (*)(void))wait_on_stack, 1, i);
	}
	getcontext(&at_end);
	if (!has_begun) {
		has_begun = true;
		current = 0;
		setcontext(&stacks[0].context);
	}
}

static void handle(void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler };

	sigaction(SIGUSR1, &a, NULL);
}

static void stacks_change(bool is_between)
{
	int kinds = KINDS;
	pthread_t maker, signaller;

	is_cooperative = is_between;
	block(SIG_BLOCK);
	handle(on_change);
	atomic_store(&is_over, is_between);
	maker = start(make_events, &kinds);
	signaller = start(make_signals, NULL);
	wait_on_stacks();
	atomic_store(&is_over, true);
	pthread_join(maker, NULL);
	pthread_join(signaller, NULL);
	handle(SIG_IGN);
	block(SIG_UNBLOCK);
	check_all_are_taken(KINDS, is_between ? "between waits" : "within waits");
}

/* ---- Jumps ------------------------------------------------------------------------------------------------------- */

static sigjmp_buf before_wait;
static volatile sig_atomic_t jumps;

static void on_jump(int sig)
{
	(void)sig;
	if (!atomic_exchange(&may_leave, false))
		return;
	jumps++;
	siglongjmp(before_wait, 1);
}

/* Nothing but waits for pipes is left that way. */
static void waits_are_left_by_jumps(void)
{
	static int volatile kind;
	int kinds = PIPES;
	pthread_t maker, signaller;

	handle(on_jump);
	atomic_store(&is_over, false);
	maker = start(make_events, &kinds);
	signaller = start(make_signals, NULL);
	sigsetjmp(before_wait, 1);
	for (; taken[0] + taken[1] + taken[2] + taken[3] < PIPES * EVENTS; kind = (kind + 1) % PIPES)
		wait_once(kind, draw_ns(kind));
	atomic_store(&is_over, true);
	pthread_join(maker, NULL);
	pthread_join(signaller, NULL);
	check_all_are_taken(PIPES, "with jumps");
}

int main(void)
{
	if (!prepare())
		return skip("no descriptors here");
	alarm(LIMIT_S);
	waiting_thread = pthread_self();
	stacks_change(true);
	stacks_change(false);
	waits_are_left_by_jumps();
	return failures != 0;
}
