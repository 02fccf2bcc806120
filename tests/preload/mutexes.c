// SPDX-License-Identifier: MIT
/*
 * Waits with a time-out beside what else mutexes, condition variables and semaphores do: dead owners, other processes,
 * cancellation, fork() and the end of a condition variable. Nothing is early, and the mutex is held after each wait.
 *
 * usage: mutexes ROUNDS
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "process.h"
#include "sleeper.h"

/* A wait that does not end is killed. */
#define LIMIT_S 100

/* Most of it is a margin, or spun. */
#define LENGTH_NS (300 * US)

/* Of a wait that something else ends. */
#define LONG_NS   (20 * S)

static int rounds;
static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static int64_t random_below(int64_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)n);
}

static void spin_for(int64_t ns)
{
	int64_t until_ns = kernel_ns(CLOCK_MONOTONIC) + ns;

	while (kernel_ns(CLOCK_MONOTONIC) < until_ns)
		;
}

static void make_mutex(int type, int protocol, int robust)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setrobust(&a, robust);
	CHECK(!pthread_mutexattr_setprotocol(&a, protocol) && !pthread_mutex_init(&mutex, &a), "no mutex");
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, run, arg))
		return thread;
	fprintf(stderr, "no thread\n");
	exit(1);
}

/* The result of one wait, which is not early. */
static int wait_for(pthread_cond_t *c, pthread_mutex_t *m, int64_t ns)
{
	int64_t at_ns = kernel_ns(CLOCK_REALTIME) + ns;
	struct timespec until = timespec_of(at_ns);
	int err = pthread_cond_timedwait(c, m, &until);

	CHECK(err != ETIMEDOUT || kernel_ns(CLOCK_REALTIME) >= at_ns, "a wait of %lld ns was early", (long long)ns);
	return err;
}

/* ---- Kinds of mutexes ---------------------------------------------------------------------------------------- */

static long turns; /* with the mutex */

/* Answers each odd turn by an even one. */
static void *answer(void *arg)
{
	(void)arg;
	for (int i = 0; i < rounds;) {
		pthread_mutex_lock(&mutex);
		if (turns % 2) {
			turns++;
			i++;
			pthread_cond_signal(&cond);
		}
		pthread_mutex_unlock(&mutex);
		sched_yield();
	}
	return NULL;
}

/* A mutex that both threads had at a time would lose turns. */
static void check_turns(const char *name)
{
	pthread_t other;

	turns = 0;
	other = start(answer, NULL);
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < rounds; i++) {
		turns++;
		while (turns % 2) {
			int err = wait_for(&cond, &mutex, 1 + random_below(LENGTH_NS));

			CHECK(!err || err == ETIMEDOUT, "%s: %s", name, strerror(err));
		}
	}
	CHECK(!pthread_mutex_unlock(&mutex), "%s: the mutex is not held", name);
	pthread_join(other, NULL);
	CHECK(turns == 2L * rounds, "%s: %ld turns", name, turns);
}

static void each_mutex_is_released_and_taken(void)
{
	static const struct {
		const char *name;
		int type, protocol, robust;
	} kinds[] = {
		{ "normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED },
		{ "robust", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST },
		{ "inheriting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED },
		{ "inheriting, robust", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ROBUST },
		{ "error-checking", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED },
		{ "recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED },
		{ "adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		make_mutex(kinds[i].type, kinds[i].protocol, kinds[i].robust);
		check_turns(kinds[i].name);
	}
}

/* Without the mutex the error is the wait's, however much of it would be spun. */
static void errors_are_checked(void)
{
	static const int64_t lengths_ns[] = { 5 * MS, MS, 60 * US, 1 };

	make_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	for (int i = 0; i < 4; i++) {
		int err = wait_for(&cond, &mutex, lengths_ns[i]);

		CHECK(err == EPERM, "a wait without the mutex: %s", strerror(err));
		pthread_mutex_lock(&mutex);
		err = wait_for(&cond, &mutex, lengths_ns[i]);
		CHECK(err == ETIMEDOUT, "a wait with the mutex: %s", strerror(err));
		CHECK(pthread_mutex_lock(&mutex) == EDEADLK, "the mutex is not held");
		CHECK(!pthread_mutex_unlock(&mutex), "the mutex cannot be released");
	}
}

static _Atomic bool is_waiting;

/* A wait of a thread that has the mutex twice does not release it, so that no other thread can signal with it. */
static void *signal_when_waiting(void *arg)
{
	(void)arg;
	while (!atomic_load(&is_waiting))
		sched_yield();
	while (atomic_load(&is_waiting)) {
		pthread_cond_signal(&cond);
		sched_yield();
	}
	return NULL;
}

static int check_twice(int64_t ns)
{
	int err = wait_for(&cond, &mutex, ns);

	CHECK(err == ETIMEDOUT || !err, "a wait with the mutex held twice: %s", strerror(err));
	CHECK(!pthread_mutex_unlock(&mutex) && !pthread_mutex_unlock(&mutex), "it was held twice");
	CHECK(pthread_mutex_unlock(&mutex) == EPERM, "it was held more than twice");
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	return err;
}

static void a_mutex_is_held_twice(void)
{
	pthread_t other;

	make_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < rounds; i++)
		check_twice(1 + random_below(LENGTH_NS));
	other = start(signal_when_waiting, NULL);
	atomic_store(&is_waiting, true);
	CHECK(!check_twice(LONG_NS), "no signal ends a wait with the mutex held twice");
	atomic_store(&is_waiting, false);
	pthread_join(other, NULL);
}

/* ---- Dead owners --------------------------------------------------------------------------------------------- */

static bool is_dead; /* with the mutex */

static void *die_as_owner(void *arg)
{
	spin_for((intptr_t)arg);
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&mutex);
	is_dead = true;
	return NULL;
}

/* The owner dies while the thread waits, or after that. */
static void check_dead_owner(void)
{
	pthread_t owner = start(die_as_owner, (void *)(intptr_t)random_below(LENGTH_NS));
	int err = wait_for(&cond, &mutex, LENGTH_NS);

	CHECK(err == (is_dead ? EOWNERDEAD : ETIMEDOUT) || (!err && !is_dead), "a dead owner %d: %s", is_dead,
	      strerror(err));
	if (err == EOWNERDEAD)
		pthread_mutex_consistent(&mutex);
	CHECK(!pthread_mutex_unlock(&mutex), "the mutex is not held");
	pthread_join(owner, NULL);
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&mutex);
	is_dead = false;
}

static void owners_die(void)
{
	for (int k = 0; k < 2; k++) {
		make_mutex(PTHREAD_MUTEX_NORMAL, k ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
		pthread_mutex_lock(&mutex);
		for (int i = 0; i < rounds; i++)
			check_dead_owner();
		pthread_mutex_unlock(&mutex);
	}
}

/* ---- Other processes ----------------------------------------------------------------------------------------- */

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int64_t due_ns, signalled_ns; /* 0: not set */
};

static struct shared *map_shared(void)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t a;
	pthread_condattr_t c;

	pthread_mutexattr_init(&a);
	pthread_condattr_init(&c);
	if (s == MAP_FAILED || pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) ||
	    pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) || pthread_mutex_init(&s->mutex, &a) ||
	    pthread_cond_init(&s->cond, &c))
		return NULL;
	return s;
}

/* The deadline of the wait that has not had its signal. A child that sleeps gets a CPU soon once its time has come. */
static int64_t await_due_ns(struct shared *s)
{
	int64_t due_ns = 0;

	while (!due_ns) {
		usleep(20);
		pthread_mutex_lock(&s->mutex);
		due_ns = s->signalled_ns ? 0 : s->due_ns;
		pthread_mutex_unlock(&s->mutex);
	}
	return due_ns;
}

/* A signal to each wait of the parent, near its deadline. */
static void signal_from_child(struct shared *s)
{
	for (int i = 0; i < rounds; i++) {
		struct timespec at = timespec_of(await_due_ns(s) + 10 * US - random_below(150 * US));

		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);
		pthread_mutex_lock(&s->mutex);
		pthread_cond_signal(&s->cond);
		s->signalled_ns = kernel_ns(CLOCK_REALTIME);
		pthread_mutex_unlock(&s->mutex);
	}
	_exit(0);
}

static void wait_for_child(struct shared *s)
{
	struct timespec until;
	int err = 0;

	pthread_mutex_lock(&s->mutex);
	s->signalled_ns = 0;
	s->due_ns = kernel_ns(CLOCK_REALTIME) + MS;
	until = timespec_of(s->due_ns);
	while (!s->signalled_ns && !err)
		err = pthread_cond_timedwait(&s->cond, &s->mutex, &until);
	if (err)
		CHECK(err == ETIMEDOUT && kernel_ns(CLOCK_REALTIME) >= s->due_ns &&
		      (!s->signalled_ns || s->signalled_ns >= s->due_ns),
		      "%s, %lld ns after the deadline, a signal %lld ns before", strerror(err),
		      (long long)(kernel_ns(CLOCK_REALTIME) - s->due_ns), (long long)(s->due_ns - s->signalled_ns));
	while (!s->signalled_ns)
		pthread_cond_wait(&s->cond, &s->mutex);
	s->due_ns = 0;
	pthread_mutex_unlock(&s->mutex);
}

static void another_process_signals(void)
{
	struct shared *s = map_shared();
	int status = 0;
	pid_t child;

	if (!s)
		return;
	child = fork();
	if (!child)
		signal_from_child(s);
	for (int i = 0; i < rounds; i++)
		wait_for_child(s);
	CHECK(child > 0 && waitpid(child, &status, 0) == child && !status, "the child: %d", status);
}

/* ---- Cancellation -------------------------------------------------------------------------------------------- */

static _Atomic bool is_ready;
static _Atomic long taken;
static sem_t sem;
static int cleaned; /* clean-up handlers that had the mutex */

/* Only the thread that has the mutex gets EDEADLK. */
static void release(void *arg)
{
	(void)arg;
	cleaned += pthread_mutex_lock(&mutex) == EDEADLK;
	cleaned -= pthread_mutex_unlock(&mutex) != 0;
}

static void *wait_for_ever(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(release, NULL);
	atomic_store(&is_ready, true);
	for (;;)
		wait_for(&cond, &mutex, LENGTH_NS);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *take_for_ever(void *arg)
{
	(void)arg;
	atomic_store(&is_ready, true);
	for (;;) {
		struct timespec until = timespec_of(kernel_ns(CLOCK_REALTIME) + LENGTH_NS);

		if (!sem_timedwait(&sem, &until))
			atomic_fetch_add(&taken, 1);
	}
	return NULL;
}

/* At any moment of a wait, and just after a post or signal. */
static void cancel_soon(void *(*run)(void *), bool is_sem)
{
	pthread_t thread;
	void *result;

	atomic_store(&is_ready, false);
	thread = start(run, NULL);
	while (!atomic_load(&is_ready))
		sched_yield();
	spin_for(random_below(2 * LENGTH_NS));
	if (is_sem)
		CHECK(!sem_post(&sem), "post");
	else
		pthread_cond_signal(&cond);
	pthread_cancel(thread);
	CHECK(!pthread_join(thread, &result) && result == PTHREAD_CANCELED, "it is not cancelled");
}

static void waits_are_cancelled(void)
{
	int left;

	make_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	sem_init(&sem, 0, 0);
	for (int i = 0; i < rounds; i++) {
		cancel_soon(wait_for_ever, false);
		cancel_soon(take_for_ever, true);
	}
	CHECK(cleaned == rounds, "of %d cancelled threads %d had the mutex", rounds, cleaned);
	sem_getvalue(&sem, &left);
	CHECK(taken + left == rounds, "%d posts, %ld taken, %d left", rounds, atomic_load(&taken), left);
}

/* ---- fork() -------------------------------------------------------------------------------------------------- */

static _Atomic bool is_over;

static void *wait_until_over(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	while (!atomic_load(&is_over))
		wait_for(&cond, &mutex, LENGTH_NS);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *signal_child(void *arg)
{
	pthread_cond_t *c = arg;

	pthread_mutex_lock(&mutex);
	pthread_cond_signal(c);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* It has the mutex, as its parent had, but none of the other threads that wait. */
static void wait_in_child(void)
{
	pthread_cond_t own = PTHREAD_COND_INITIALIZER;
	pthread_t thread;
	int err;

	failures = 0;
	alarm(LIMIT_S);
	do
		err = wait_for(&own, &mutex, MS);
	while (!err);
	CHECK(err == ETIMEDOUT, "a wait in the child: %s", strerror(err));
	thread = start(signal_child, &own);
	err = wait_for(&own, &mutex, LONG_NS);
	CHECK(!err, "a signal in the child: %s", strerror(err));
	CHECK(!pthread_mutex_unlock(&mutex), "the child does not have the mutex");
	pthread_join(thread, NULL);
	_exit(failures != 0);
}

static void fork_once(void)
{
	int status = 0;
	pid_t child;

	spin_for(random_below(LENGTH_NS));
	pthread_mutex_lock(&mutex);
	child = fork();
	if (!child)
		wait_in_child();
	pthread_mutex_unlock(&mutex);
	CHECK(child > 0 && waitpid(child, &status, 0) == child && !status, "the child: %d", status);
}

static void children_wait(void)
{
	pthread_t waiters[2];

	make_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	for (int i = 0; i < 2; i++)
		waiters[i] = start(wait_until_over, NULL);
	for (int i = 0; i < rounds; i++)
		fork_once();
	atomic_store(&is_over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(waiters[i], NULL);
}

/* ---- The end of a condition variable ------------------------------------------------------------------------- */

#define WAITERS 2

static pthread_cond_t *brief_cond;
static int waiting, left_n; /* with the mutex */
static bool is_ended;

/* The variable may be gone once the wait returns. */
static void *wait_for_end(void *arg)
{
	int64_t at_ns = kernel_ns(CLOCK_REALTIME) + (intptr_t)arg;
	struct timespec until = timespec_of(at_ns);
	int err = 0;

	pthread_mutex_lock(&mutex);
	waiting++;
	while (!is_ended && !err)
		err = pthread_cond_timedwait(brief_cond, &mutex, &until);
	CHECK(!err || err == ETIMEDOUT, "%s", strerror(err));
	CHECK(!err || kernel_ns(CLOCK_REALTIME) >= at_ns, "early");
	left_n++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void await_waiters(void)
{
	bool is_there = false;

	while (!is_there) {
		sched_yield();
		pthread_mutex_lock(&mutex);
		is_there = waiting == WAITERS;
		pthread_mutex_unlock(&mutex);
	}
}

/* Its memory is taken away: a thread that reads or writes it after that is killed. */
static void end_cond(size_t bytes)
{
	pthread_mutex_lock(&mutex);
	is_ended = true;
	pthread_cond_broadcast(brief_cond);
	pthread_mutex_unlock(&mutex);
	CHECK(!pthread_cond_destroy(brief_cond), "destroy");
	memset(brief_cond, 0xff, sizeof(*brief_cond));
	CHECK(!mprotect(brief_cond, bytes, PROT_NONE), "mprotect");
}

static void check_end(size_t bytes)
{
	pthread_t threads[WAITERS];

	brief_cond = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(brief_cond != MAP_FAILED && !pthread_cond_init(brief_cond, NULL), "no condition variable");
	is_ended = false;
	waiting = left_n = 0;
	for (int i = 0; i < WAITERS; i++)
		threads[i] = start(wait_for_end, (void *)(intptr_t)(1 + random_below(LENGTH_NS)));
	await_waiters();
	spin_for(random_below(LENGTH_NS));
	end_cond(bytes);
	for (int i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	CHECK(left_n == WAITERS, "%d of %d left", left_n, WAITERS);
	munmap(brief_cond, bytes);
}

static void condition_variables_end(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);

	make_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	for (int i = 0; i < rounds; i++)
		check_end(bytes);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	rounds = atoi(argv[1]);
	alarm(LIMIT_S);
	each_mutex_is_released_and_taken();
	errors_are_checked();
	a_mutex_is_held_twice();
	owners_die();
	another_process_signals();
	waits_are_cancelled();
	children_wait();
	condition_variables_end();
	return failures != 0;
}
