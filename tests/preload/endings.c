// SPDX-License-Identifier: MIT
/*
 * Signal handlers that do not return to the wait that they interrupt, in the kernel or in a spin: they end the process
 * or the thread, or begin another program. What the process or thread leaves is what it leaves without the object.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "process.h"
#include "waiters.h"

#define STATUS 7

/* Most of it is a margin, or spun. The functions for milliseconds wait for one. */
#define LENGTH_NS (300 * US)

static void wait_for_ever(const struct sleeper *s)
{
	int64_t left_ns;

	for (;;)
		s->sleep(sleeper_round(s, LENGTH_NS), &left_ns);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler };

	sigaction(sig, &a, NULL);
}

/* ---- Processes ------------------------------------------------------------------------------------------------- */

static const char *own_path;

static void say(const char *text)
{
	CHECK(write(STDOUT_FILENO, text, strlen(text)) > 0, "no pipe");
}

/* The process still waits: not for a condition variable, since the handler may have come while its mutex was held. */
static void at_exit(void)
{
	static const char *const names[] = { "poll-fd", "sem_timedwait", "epoll_wait", "select-fd" };
	int64_t left_ns;

	for (int i = 0; i < 4; i++)
		if (waiter_named(names[i])->sleep(MS, &left_ns))
			say("a wait at exit failed, ");
	say("at exit, ");
}

static void at_quick_exit_only(void)
{
	say("at quick exit");
}

static void by_exit(int sig)
{
	(void)sig;
	exit(STATUS);
}

static void by_exit_at_once(int sig)
{
	(void)sig;
	_exit(STATUS);
}

static void by_quick_exit(int sig)
{
	(void)sig;
	quick_exit(STATUS);
}

static void by_abort(int sig)
{
	(void)sig;
	abort();
}

static void by_exec(int sig)
{
	(void)sig;
	execl(own_path, own_path, "again", (char *)NULL);
	_exit(1);
}

static const struct {
	void (*handler)(int);
	const char *left; /* on its standard output */
	int status;       /* of its exit, or the negative signal */
} endings[] = {
	{ by_exit, "at exit, buffered", STATUS },
	{ by_exit_at_once, "", STATUS },
	{ by_quick_exit, "at quick exit", STATUS },
	{ by_abort, "", -SIGABRT },
	{ by_exec, "again", STATUS },
};

/* The signal comes after a while, wherever the thread is then. */
static void signal_after(int64_t ns)
{
	struct itimerval it = { .it_value.tv_usec = (suseconds_t)(ns / US) };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void wait_to_the_end(const struct sleeper *s, void (*handler)(int), int64_t ns, int out)
{
	struct rlimit none = { 0 };

	setrlimit(RLIMIT_CORE, &none);
	dup2(out, STDOUT_FILENO);
	if (atexit(at_exit) || at_quick_exit(at_quick_exit_only) || fputs("buffered", stdout) < 0)
		_exit(1);
	handle(SIGALRM, handler);
	signal_after(ns);
	wait_for_ever(s);
}

static void read_all(int fd, char *text, size_t size)
{
	size_t n = 0;
	ssize_t r;

	while (n < size - 1 && (r = read(fd, text + n, size - 1 - n)) > 0)
		n += (size_t)r;
	text[n] = '\0';
}

static void check_ending(const struct sleeper *s, size_t i, int64_t ns)
{
	int ends[2], status = 0, ended;
	char left[100];
	pid_t child;

	CHECK(!pipe(ends), "no pipe");
	child = fork();
	if (!child)
		wait_to_the_end(s, endings[i].handler, ns, ends[1]);
	close(ends[1]);
	read_all(ends[0], left, sizeof(left));
	close(ends[0]);
	CHECK(waitpid(child, &status, 0) == child, "no child");
	ended = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
	CHECK(ended == endings[i].status, "%s, ending %zu: status %d", s->name, i, ended);
	CHECK(!strcmp(left, endings[i].left), "%s, ending %zu left \"%s\"", s->name, i, left);
}

static void handlers_end_the_process(void)
{
	for (int i = 0; i < waiters_n; i++)
		for (size_t k = 0; waiter_is_here(&waiters[i]) && k < sizeof(endings) / sizeof(endings[0]); k++)
			for (int64_t ns = MS; ns < 6 * MS; ns += 1300 * US)
				check_ending(&waiters[i], k, ns + i * 71 * US);
}

/* ---- Threads --------------------------------------------------------------------------------------------------- */

#define ROUNDS 8

static char result_of_thread;
static _Atomic bool is_there;
static _Atomic int cleaned;

static void by_thread_exit(int sig)
{
	(void)sig;
	pthread_exit(&result_of_thread);
}

static void clean(void *arg)
{
	(void)arg;
	atomic_fetch_add(&cleaned, 1);
}

static void *wait_in_thread(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_cleanup_push(clean, NULL);
	atomic_store(&is_there, true);
	wait_for_ever(arg);
	pthread_cleanup_pop(0);
	return NULL;
}

static void spin_for(int64_t ns)
{
	int64_t until_ns = kernel_ns(CLOCK_MONOTONIC) + ns;

	while (kernel_ns(CLOCK_MONOTONIC) < until_ns)
		;
}

static void *end_thread(pthread_t thread, int i, bool is_cancelled)
{
	void *result = NULL;

	while (!atomic_load(&is_there))
		sched_yield();
	spin_for(i * 37 * US);
	CHECK(!(is_cancelled ? pthread_cancel(thread) : pthread_kill(thread, SIGUSR2)), "no signal");
	CHECK(!pthread_join(thread, &result), "no thread to join");
	return result;
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	atomic_store(&is_there, false);
	if (!pthread_create(&thread, NULL, run, arg))
		return thread;
	fprintf(stderr, "no thread\n");
	exit(1);
}

static void check_thread(const struct sleeper *s, int i, bool is_cancelled)
{
	void *result;

	atomic_store(&cleaned, 0);
	result = end_thread(start(wait_in_thread, (void *)(uintptr_t)s), i, is_cancelled);
	CHECK(result == (is_cancelled ? PTHREAD_CANCELED : &result_of_thread), "%s: another result", s->name);
	CHECK(atomic_load(&cleaned) == 1, "%s: %d clean-ups", s->name, atomic_load(&cleaned));
}

/* By a handler, or a cancellation that is asynchronous. A condition variable's mutex may stay taken. */
static void handlers_end_the_thread(void)
{
	int64_t left_ns;

	for (int i = 0; i < waiters_n; i++)
		for (int k = 0; waiter_is_here(&waiters[i]) && !waiter_is_condition(&waiters[i]) && k < ROUNDS; k++)
			check_thread(&waiters[i], k, k % 2);
	CHECK(!waiter_named("poll-fd")->sleep(3 * MS, &left_ns), "a wait after all that");
}

/* ---- Threads that wait for a condition variable ------------------------------------------------------------------ */

/* Of each thread its own: it may be left in the midst of a call. */
struct place {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
};

static struct place places[10 * ROUNDS];
static _Atomic int released;

/* Only the thread that has the mutex can release it. */
static void release(void *arg)
{
	struct place *p = arg;

	if (!pthread_mutex_unlock(&p->mutex))
		atomic_fetch_add(&released, 1);
}

static void *wait_in_place(void *arg)
{
	struct place *p = arg;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_mutex_lock(&p->mutex);
	pthread_cleanup_push(release, p);
	atomic_store(&is_there, true);
	for (;;) {
		struct timespec until = time_after(CLOCK_REALTIME, LENGTH_NS);

		pthread_cond_timedwait(&p->cond, &p->mutex, &until);
	}
	pthread_cleanup_pop(0);
	return NULL;
}

/*
 * Clean-up handlers have the mutex, as after the C library's own wait, but for the few that end just where it takes the
 * mutex.
 */
static void clean_ups_have_the_mutex(void)
{
	const int n = sizeof(places) / sizeof(places[0]);
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	for (int i = 0; i < n; i++) {
		CHECK(!pthread_mutex_init(&places[i].mutex, &a), "no mutex");
		CHECK(!pthread_cond_init(&places[i].cond, NULL), "no condition variable");
		end_thread(start(wait_in_place, &places[i]), i % 16, i % 2);
	}
	CHECK(atomic_load(&released) >= n - n / 8, "of %d threads %d had the mutex", n, atomic_load(&released));
}

/* The library by which threads end is loaded at the first. */
static void *end_at_once(void *arg)
{
	pthread_exit(arg);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		fputs(argv[1], stdout);
		return STATUS;
	}
	own_path = argv[0];
	if (!waiters_open())
		return skip("no descriptors here");
	handlers_end_the_process();
	pthread_join(start(end_at_once, NULL), NULL);
	handle(SIGUSR2, by_thread_exit);
	handlers_end_the_thread();
	clean_ups_have_the_mutex();
	return failures != 0;
}
