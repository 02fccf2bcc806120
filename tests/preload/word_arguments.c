// SPDX-License-Identifier: MIT
/*
 * Waits for semaphores, condition variables and words in memory with odd and bad arguments: what the C library and the
 * kernel answer. Each is true of the functions as they are.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>

#include "odd.h"
#include "process.h"
#include "waiters.h"

/* Further away than the kernel can count. */
#define LAST_S (sizeof(time_t) > 4 ? (time_t)INT64_MAX : INT32_MAX)

static const struct timespec past_times[] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 0, 999999999 } };
static const struct timespec bad_times[] = { { 0, S }, { 0, -1 }, { LAST_S, S }, { LAST_S, -1 }, { 1, LONG_MAX } };
static const struct timespec last = { LAST_S, 999999999 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Events of another thread, again and again until the wait has ended -------------------------------------- */

static _Atomic bool is_over;

struct teller {
	pthread_t thread;
	void (*tell)(void);
};

static void *tell_on(void *arg)
{
	const struct teller *t = arg;

	while (!atomic_load(&is_over)) {
		t->tell();
		usleep(1000);
	}
	return NULL;
}

static void tell(struct teller *t, void (*how)(void))
{
	t->tell = how;
	atomic_store(&is_over, false);
	CHECK(!pthread_create(&t->thread, NULL, tell_on, t), "no thread");
}

static void end_telling(struct teller *t)
{
	atomic_store(&is_over, true);
	pthread_join(t->thread, NULL);
}

/* ---- Semaphores ----------------------------------------------------------------------------------------------- */

static sem_t sem;

static int by_timedwait(const struct timespec *until)
{
	return sem_timedwait(&sem, until);
}

static int by_clockwait_real(const struct timespec *until)
{
	return waiter_sem_clockwait(&sem, CLOCK_REALTIME, until);
}

static int by_clockwait_monotonic(const struct timespec *until)
{
	return waiter_sem_clockwait(&sem, CLOCK_MONOTONIC, until);
}

static const struct {
	int (*wait)(const struct timespec *until);
	clockid_t id;
} sems[] = {
	{ by_timedwait, CLOCK_REALTIME }, { by_clockwait_real, CLOCK_REALTIME },
	{ by_clockwait_monotonic, CLOCK_MONOTONIC },
};

static size_t sems_n = COUNT(sems);

static int value(void)
{
	int ret;

	sem_getvalue(&sem, &ret);
	return ret;
}

/* With any valid time. */
static void a_value_is_taken(size_t i)
{
	for (size_t k = 0; k < COUNT(past_times); k++) {
		sem_post(&sem);
		errno = EXDEV;
		CHECK(!sems[i].wait(&past_times[k]) && errno == EXDEV && !value(), "%zu, %zu: errno %d, %d left", i, k,
		      errno, value());
	}
	sem_post(&sem);
	CHECK(!sems[i].wait(&last) && !value(), "%zu, until the last time", i);
	sem_post(&sem);
	for (size_t k = 0; k < COUNT(bad_times); k++)
		CHECK(failed_with(sems[i].wait(&bad_times[k]), EINVAL) && value() == 1, "%zu, %zu: errno %d, %d left",
		      i, k, errno, value());
	CHECK(!sem_trywait(&sem), "no value");
}

static void semaphores_time_out(size_t i)
{
	for (size_t k = 0; k < COUNT(past_times); k++)
		CHECK(failed_with(sems[i].wait(&past_times[k]), ETIMEDOUT), "%zu, %zu: errno %d", i, k, errno);
	for (size_t k = 0; k < COUNT(bad_times); k++)
		CHECK(failed_with(sems[i].wait(&bad_times[k]), EINVAL), "%zu, %zu: errno %d", i, k, errno);
	CHECK(failed_with(sems[i].wait(&(struct timespec){ -1, 5 }), ETIMEDOUT), "%zu before 1970: %d", i, errno);
	for (int64_t ns = 1; ns < 5 * MS; ns = ns * 3 + 7 * US) {
		struct timespec until = time_after(sems[i].id, ns);

		CHECK(failed_with(sems[i].wait(&until), ETIMEDOUT) && kernel_ns(sems[i].id) >= ns_of(&until),
		      "%zu for %lld ns", i, (long long)ns);
	}
	CHECK(!value(), "a value of %d", value());
}

static void post(void)
{
	if (!value())
		sem_post(&sem);
}

static void post_by_signal(int sig)
{
	(void)sig;
	post();
}

static void posts_end_the_longest_waits(size_t i)
{
	struct itimerval often = { { .tv_usec = 5000 }, { .tv_usec = 5000 } }, never = { 0 };
	struct teller t;
	int r;

	errno = EXDEV;
	tell(&t, post);
	r = sems[i].wait(&last);
	CHECK(!r && errno == EXDEV, "%zu: %d, errno %d", i, r, errno);
	end_telling(&t);
	while (!sem_trywait(&sem))
		;
	/* The signal itself may be what ends it. */
	signal(SIGALRM, post_by_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	r = sems[i].wait(&last);
	CHECK(!r || failed_with(r, EINTR), "%zu by a signal: %d, errno %d", i, r, errno);
	setitimer(ITIMER_REAL, &never, NULL);
	while (!sem_trywait(&sem))
		;
}

static void semaphores(void)
{
	CHECK(!sem_init(&sem, 0, 0), "no semaphore");
	if (!waiter_is_here(waiter_named("sem_clockwait")))
		sems_n = 1;
	for (size_t i = 0; i < sems_n; i++) {
		a_value_is_taken(i);
		semaphores_time_out(i);
		posts_end_the_longest_waits(i);
	}
	sem_post(&sem);
	for (size_t k = 0; k < COUNT(past_times) && sems_n > 1; k++)
		CHECK(failed_with(waiter_sem_clockwait(&sem, CLOCK_BOOTTIME, &past_times[k]), EINVAL) && value() == 1,
		      "another clock: errno %d", errno);
}

/* ---- Condition variables -------------------------------------------------------------------------------------- */

static pthread_cond_t cond, monotonic, shared;
static pthread_mutex_t mutex, recursive, checking;

static int by_cond(pthread_mutex_t *m, const struct timespec *until)
{
	return pthread_cond_timedwait(&cond, m, until);
}

static int by_monotonic(pthread_mutex_t *m, const struct timespec *until)
{
	return pthread_cond_timedwait(&monotonic, m, until);
}

static int by_shared(pthread_mutex_t *m, const struct timespec *until)
{
	return pthread_cond_timedwait(&shared, m, until);
}

static int by_clock(pthread_mutex_t *m, const struct timespec *until)
{
	return waiter_cond_clockwait(&cond, m, CLOCK_MONOTONIC, until);
}

/* Of one that has the other clock: what is given holds. */
static int by_other_clock(pthread_mutex_t *m, const struct timespec *until)
{
	return waiter_cond_clockwait(&monotonic, m, CLOCK_REALTIME, until);
}

static const struct {
	int (*wait)(pthread_mutex_t *m, const struct timespec *until);
	pthread_cond_t *cond;
	clockid_t id;
} conds[] = {
	{ by_cond, &cond, CLOCK_REALTIME }, { by_monotonic, &monotonic, CLOCK_MONOTONIC },
	{ by_shared, &shared, CLOCK_REALTIME }, { by_clock, &cond, CLOCK_MONOTONIC },
	{ by_other_clock, &monotonic, CLOCK_REALTIME },
};

static size_t conds_n = COUNT(conds);

static void make_conds(void)
{
	pthread_mutexattr_t kind;
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_cond_init(&cond, NULL);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&monotonic, &attr);
	pthread_condattr_init(&attr);
	pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared, &attr);
	pthread_mutex_init(&mutex, NULL);
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checking, &kind);
}

/* The thread has the mutex, and lets it go. */
static void check_held(size_t i)
{
	CHECK(pthread_mutex_lock(&checking) == EDEADLK && !pthread_mutex_unlock(&checking), "%zu lost its mutex", i);
}

static void conditions_time_out(size_t i)
{
	errno = EXDEV;
	for (size_t k = 0; k < COUNT(past_times); k++) {
		pthread_mutex_lock(&checking);
		CHECK(conds[i].wait(&checking, &past_times[k]) == ETIMEDOUT, "%zu, %zu", i, k);
		check_held(i);
	}
	for (size_t k = 0; k < COUNT(bad_times); k++) {
		pthread_mutex_lock(&checking);
		CHECK(conds[i].wait(&checking, &bad_times[k]) == EINVAL, "%zu, %zu", i, k);
		check_held(i);
	}
	for (int64_t ns = 1; ns < 5 * MS; ns = ns * 3 + 7 * US) {
		struct timespec until = time_after(conds[i].id, ns);

		pthread_mutex_lock(&checking);
		CHECK(conds[i].wait(&checking, &until) == ETIMEDOUT && kernel_ns(conds[i].id) >= ns_of(&until),
		      "%zu for %lld ns", i, (long long)ns);
		check_held(i);
	}
	CHECK(errno == EXDEV, "%zu: errno %d", i, errno);
}

/* Near and far. The mutex stays as it is. */
static void mutexes_that_are_not_held(size_t i)
{
	static const int64_t lengths_ns[] = { 50 * US, 300 * US, 700 * US, MS, 3 * MS, 60 * S };

	for (size_t k = 0; k < COUNT(lengths_ns); k++) {
		struct timespec until = time_after(conds[i].id, lengths_ns[k]);

		CHECK(conds[i].wait(&checking, &until) == EPERM, "%zu for %lld ns", i, (long long)lengths_ns[k]);
		CHECK(!pthread_mutex_trylock(&checking) && !pthread_mutex_unlock(&checking), "%zu took the mutex", i);
	}
	CHECK(conds[i].wait(&checking, &last) == EPERM, "%zu until the last time", i);
}

/* One that the thread holds twice is not released, and held twice afterwards. */
static void mutexes_that_are_held_twice(size_t i)
{
	struct timespec until = time_after(conds[i].id, 3 * MS);

	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&recursive);
	CHECK(conds[i].wait(&recursive, &until) == ETIMEDOUT && kernel_ns(conds[i].id) >= ns_of(&until), "%zu", i);
	CHECK(!pthread_mutex_unlock(&recursive) && !pthread_mutex_unlock(&recursive) &&
	      pthread_mutex_unlock(&recursive) == EPERM, "%zu: held another number of times", i);
}

static pthread_cond_t *awaited;

static void signal_one(void)
{
	pthread_mutex_lock(&checking);
	pthread_cond_signal(awaited);
	pthread_mutex_unlock(&checking);
}

static void signal_all(void)
{
	pthread_cond_broadcast(awaited);
}

static void signals_end_the_longest_waits(size_t i)
{
	static void (*const ways[])(void) = { signal_one, signal_all };

	awaited = conds[i].cond;
	for (size_t k = 0; k < 2; k++) {
		struct teller t;
		int r;

		errno = EXDEV;
		pthread_mutex_lock(&checking);
		tell(&t, ways[k]);
		r = conds[i].wait(&checking, &last);
		CHECK(!r && errno == EXDEV, "%zu: %d, errno %d", i, r, errno);
		check_held(i);
		end_telling(&t);
	}
}

static void conditions(void)
{
	make_conds();
	if (!waiter_is_here(waiter_named("cond_clockwait")))
		conds_n = 3;
	for (size_t i = 0; i < conds_n; i++) {
		conditions_time_out(i);
		mutexes_that_are_not_held(i);
		mutexes_that_are_held_twice(i);
		signals_end_the_longest_waits(i);
	}
	pthread_mutex_lock(&checking);
	for (size_t k = 0; k < COUNT(past_times) && conds_n > 3; k++)
		CHECK(waiter_cond_clockwait(&cond, &checking, CLOCK_BOOTTIME, &past_times[k]) == EINVAL,
		      "another clock");
	check_held(conds_n);
}

/* ---- Those of C ----------------------------------------------------------------------------------------------- */

static cnd_t cnd;
static mtx_t mtx;

static void signal_cnd(void)
{
	mtx_lock(&mtx);
	cnd_signal(&cnd);
	mtx_unlock(&mtx);
}

static void conditions_of_c(void)
{
	struct teller t;

	CHECK(cnd_init(&cnd) == thrd_success && mtx_init(&mtx, mtx_plain) == thrd_success, "no cnd_t");
	mtx_lock(&mtx);
	errno = EXDEV;
	for (size_t k = 0; k < COUNT(past_times); k++)
		CHECK(cnd_timedwait(&cnd, &mtx, &past_times[k]) == thrd_timedout, "cnd_timedwait %zu", k);
	for (size_t k = 0; k < COUNT(bad_times); k++)
		CHECK(cnd_timedwait(&cnd, &mtx, &bad_times[k]) == thrd_error, "cnd_timedwait %zu", k);
	for (int64_t ns = 1; ns < 5 * MS; ns = ns * 3 + 7 * US) {
		struct timespec until = time_after(CLOCK_REALTIME, ns);

		CHECK(cnd_timedwait(&cnd, &mtx, &until) == thrd_timedout && kernel_ns(CLOCK_REALTIME) >= ns_of(&until),
		      "cnd_timedwait for %lld ns", (long long)ns);
	}
	tell(&t, signal_cnd);
	CHECK(cnd_timedwait(&cnd, &mtx, &last) == thrd_success && errno == EXDEV, "cnd_timedwait: errno %d", errno);
	mtx_unlock(&mtx);
	end_telling(&t);
}

/* ---- Words in memory ------------------------------------------------------------------------------------------ */

static _Atomic uint32_t word;

static int futex(void *at, int op, uint32_t expected, const struct timespec *time, uint32_t mask)
{
	return (int)syscall(SYS_futex, at, op, expected, time, NULL, mask);
}

static const struct {
	int op;
	clockid_t id; /* of the time until which it waits */
	bool is_for;  /* or that it waits for that long */
} words[] = {
	{ FUTEX_WAIT, CLOCK_MONOTONIC, true }, { FUTEX_WAIT_PRIVATE, CLOCK_MONOTONIC, true },
	{ FUTEX_WAIT_BITSET, CLOCK_MONOTONIC, false }, { FUTEX_WAIT_BITSET_PRIVATE, CLOCK_MONOTONIC, false },
	{ FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, CLOCK_REALTIME, false },
};

static const int64_t lengths_ns[] = { -1, 1, 10 * US, 100 * US, 300 * US, 700 * US, MS, 3 * MS, 60 * S, INT_MAX * MS };

/* NULL: without an end. */
static const struct timespec *time_of(size_t i, int64_t ns, struct timespec *ts)
{
	*ts = words[i].is_for ? timespec_of(ns) : time_after(words[i].id, ns);
	return ns < 0 ? NULL : ts;
}

static void check_refused(size_t i, const struct timespec *time, void *gone)
{
	char *bytes = (char *)(void *)&word;
	int r;

	r = futex((void *)&word, words[i].op, 7, time, 1);
	CHECK(failed_with(r, EAGAIN), "%zu, another value: %d, errno %d", i, r, errno);
	CHECK(failed_with(futex(gone, words[i].op, 0, time, 1), EFAULT), "%zu, no memory: %d", i, errno);
	CHECK(failed_with(futex(NULL, words[i].op, 0, time, 1), EFAULT), "%zu, NULL: %d", i, errno);
	CHECK(failed_with(futex((void *)&word, words[i].op, word, gone, 1), EFAULT), "%zu, no time: %d", i, errno);
	CHECK(failed_with(futex(bytes + 1, words[i].op, 0, time, 1), EINVAL), "%zu, misaligned: %d", i, errno);
	CHECK(words[i].is_for || failed_with(futex((void *)&word, words[i].op, 0, time, 0), EINVAL),
	      "%zu, no mask: %d", i, errno);
}

static void bad_words_are_refused(size_t i)
{
	void *gone = page_for(PROT_NONE);
	struct timespec ts;

	for (size_t k = 0; k < COUNT(lengths_ns); k++)
		check_refused(i, time_of(i, lengths_ns[k], &ts), gone);
	check_refused(i, &last, gone);
	munmap(gone, PAGE);
}

/* One that can only be read is enough for a word that no other process has. */
static void words_time_out(size_t i)
{
	void *page = page_for(PROT_READ), *fixed = words[i].op & FUTEX_PRIVATE_FLAG ? page : (void *)&word;

	CHECK(failed_with(futex(fixed, words[i].op, 0, &(struct timespec){ 0, 0 }, 1), ETIMEDOUT), "%zu of 0", i);
	for (size_t k = 0; k < COUNT(past_times) && !words[i].is_for; k++)
		CHECK(failed_with(futex(fixed, words[i].op, 0, &past_times[k], 1), ETIMEDOUT), "%zu, %zu", i, k);
	for (size_t k = 0; k < COUNT(bad_times); k++)
		CHECK(failed_with(futex(fixed, words[i].op, 0, &bad_times[k], 1), EINVAL), "%zu, %zu", i, k);
	CHECK(failed_with(futex(fixed, words[i].op, 0, &(struct timespec){ -1, 0 }, 1), EINVAL), "%zu of -1 s", i);
	for (size_t k = 1; lengths_ns[k] < S; k++) {
		int64_t end_ns = kernel_ns(words[i].id) + lengths_ns[k];
		struct timespec ts;

		CHECK(failed_with(futex(fixed, words[i].op, 0, time_of(i, lengths_ns[k], &ts), 1), ETIMEDOUT) &&
		      kernel_ns(words[i].id) >= end_ns, "%zu for %lld ns", i, (long long)lengths_ns[k]);
	}
	munmap(page, PAGE);
}

static void wake(void)
{
	futex((void *)&word, FUTEX_WAKE, 1, NULL, 0);
	futex((void *)&word, FUTEX_WAKE_PRIVATE, 1, NULL, 0);
}

static void change_and_wake(void)
{
	atomic_store(&word, 1);
	wake();
}

/* A wake ends a wait, whether the word changes or not. A change may be seen by the call itself. */
static void wakes_end_the_longest_waits(size_t i)
{
	static void (*const ways[])(void) = { wake, change_and_wake };
	const struct timespec *const times[] = { NULL, &last };

	for (size_t k = 0; k < 4; k++) {
		struct teller t;
		int r;

		errno = EXDEV;
		tell(&t, ways[k / 2]);
		r = futex((void *)&word, words[i].op, 0, times[k % 2], 1);
		CHECK((!r && errno == EXDEV) || (k / 2 && failed_with(r, EAGAIN)), "%zu: %d, errno %d", i, r, errno);
		end_telling(&t);
		atomic_store(&word, 0);
	}
}

static void other_commands(void)
{
	CHECK(!futex((void *)&word, FUTEX_WAKE, 1, NULL, 0), "a wake of nothing");
	CHECK(failed_with(futex((void *)&word, 77, 0, &last, 0), ENOSYS), "an unknown command: errno %d", errno);
	CHECK(failed_with(futex((void *)&word, FUTEX_UNLOCK_PI, 0, NULL, 0), EPERM), "not its own: errno %d", errno);
}

int main(void)
{
	if (!waiters_open())
		return skip("no descriptors here");
	semaphores();
	conditions();
	conditions_of_c();
	for (size_t i = 0; i < COUNT(words); i++) {
		bad_words_are_refused(i);
		words_time_out(i);
		wakes_end_the_longest_waits(i);
	}
	other_commands();
	return failures != 0;
}
