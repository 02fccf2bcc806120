// SPDX-License-Identifier: MIT
/* Finds the functions of the objects that are loaded after this one: lib/preload/next.h. */
#include "preload/next.h"

#include <errno.h>
#include <gnu/lib-names.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/sys_clock.h"
#include "preload/elf_object.h"
#include "preload/times.h"

typedef int clock_fn(clockid_t id, struct timespec *ret);

#define FUNCTION(NAME, MEMBER) { NAME, offsetof(struct hpt_functions, MEMBER) }

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	[HPT_NAME_NANOSLEEP] = FUNCTION("nanosleep", nanosleep),
	[HPT_NAME_NANOSLEEP_ALIAS] = FUNCTION("__nanosleep", nanosleep_alias),
	[HPT_NAME_CLOCK_NANOSLEEP] = FUNCTION("clock_nanosleep", clock_nanosleep),
	[HPT_NAME_USLEEP] = FUNCTION("usleep", usleep),
	[HPT_NAME_SLEEP] = FUNCTION("sleep", sleep),
	[HPT_NAME_THRD_SLEEP] = FUNCTION("thrd_sleep", thrd_sleep),
	[HPT_NAME_SELECT] = FUNCTION("select", select),
	[HPT_NAME_SELECT_ALIAS] = FUNCTION("__select", select_alias),
	[HPT_NAME_PSELECT] = FUNCTION("pselect", pselect),
	[HPT_NAME_POLL] = FUNCTION("poll", poll),
	[HPT_NAME_POLL_ALIAS] = FUNCTION("__poll", poll_alias),
	[HPT_NAME_POLL_CHK] = FUNCTION("__poll_chk", poll_chk),
	[HPT_NAME_PPOLL] = FUNCTION("ppoll", ppoll),
	[HPT_NAME_PPOLL_CHK] = FUNCTION("__ppoll_chk", ppoll_chk),
	[HPT_NAME_EPOLL_WAIT] = FUNCTION("epoll_wait", epoll_wait),
	[HPT_NAME_EPOLL_PWAIT] = FUNCTION("epoll_pwait", epoll_pwait),
	[HPT_NAME_EPOLL_PWAIT2] = FUNCTION("epoll_pwait2", epoll_pwait2),
	[HPT_NAME_SEM_TIMEDWAIT] = FUNCTION("sem_timedwait", sem_timedwait),
	[HPT_NAME_SEM_CLOCKWAIT] = FUNCTION("sem_clockwait", sem_clockwait),
	[HPT_NAME_COND_TIMEDWAIT] = FUNCTION("pthread_cond_timedwait", pthread_cond_timedwait),
	[HPT_NAME_COND_CLOCKWAIT] = FUNCTION("pthread_cond_clockwait", pthread_cond_clockwait),
	[HPT_NAME_COND_SIGNAL] = FUNCTION("pthread_cond_signal", pthread_cond_signal),
	[HPT_NAME_COND_BROADCAST] = FUNCTION("pthread_cond_broadcast", pthread_cond_broadcast),
	[HPT_NAME_CND_TIMEDWAIT] = FUNCTION("cnd_timedwait", cnd_timedwait),
	[HPT_NAME_CND_SIGNAL] = FUNCTION("cnd_signal", cnd_signal),
	[HPT_NAME_CND_BROADCAST] = FUNCTION("cnd_broadcast", cnd_broadcast),
	[HPT_NAME_SYSCALL] = FUNCTION("syscall", syscall),
	[HPT_NAME_PRCTL] = FUNCTION("prctl", prctl),
#if HPT_HAS_TIME64
	[HPT_NAME_NANOSLEEP64] = FUNCTION("__nanosleep64", nanosleep64),
	[HPT_NAME_CLOCK_NANOSLEEP64] = FUNCTION("__clock_nanosleep_time64", clock_nanosleep64),
	[HPT_NAME_THRD_SLEEP64] = FUNCTION("__thrd_sleep64", thrd_sleep64),
	[HPT_NAME_SELECT64] = FUNCTION("__select64", select64),
	[HPT_NAME_PSELECT64] = FUNCTION("__pselect64", pselect64),
	[HPT_NAME_PPOLL64] = FUNCTION("__ppoll64", ppoll64),
	[HPT_NAME_PPOLL64_CHK] = FUNCTION("__ppoll64_chk", ppoll64_chk),
	[HPT_NAME_EPOLL_PWAIT2_64] = FUNCTION("__epoll_pwait2_time64", epoll_pwait2_64),
	[HPT_NAME_SEM_TIMEDWAIT64] = FUNCTION("__sem_timedwait64", sem_timedwait64),
	[HPT_NAME_SEM_CLOCKWAIT64] = FUNCTION("__sem_clockwait64", sem_clockwait64),
	[HPT_NAME_COND_TIMEDWAIT64] = FUNCTION("__pthread_cond_timedwait64", pthread_cond_timedwait64),
	[HPT_NAME_COND_CLOCKWAIT64] = FUNCTION("__pthread_cond_clockwait64", pthread_cond_clockwait64),
	[HPT_NAME_CND_TIMEDWAIT64] = FUNCTION("__cnd_timedwait64", cnd_timedwait64),
	FUNCTION("__clock_gettime64", clock_gettime64),
#endif
	FUNCTION("clock_gettime", clock_gettime),
	FUNCTION("pthread_testcancel", pthread_testcancel),
	FUNCTION("sem_trywait", sem_trywait),
	FUNCTION("pthread_mutex_lock", pthread_mutex_lock),
	FUNCTION("pthread_mutex_unlock", pthread_mutex_unlock),
	FUNCTION("pthread_cond_init", pthread_cond_init),
	FUNCTION("pthread_condattr_init", pthread_condattr_init),
	FUNCTION("pthread_condattr_setclock", pthread_condattr_setclock),
	FUNCTION("pthread_condattr_setpshared", pthread_condattr_setpshared),
	FUNCTION("_pthread_cleanup_push", cleanup_push),
	FUNCTION("_pthread_cleanup_pop", cleanup_pop),
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

struct hpt_functions hpt_own, hpt_next_known;
bool hpt_is_own[HPT_NAMES];

static _Atomic bool is_found;

/* ---- The search ---------------------------------------------------------------------------------------------- */

struct search {
	bool is_after;             /* this object has been passed */
	void *next[FUNCTIONS];
	void *own[FUNCTIONS];
	bool is_own[FUNCTIONS];    /* next[] is of the C library */
};

/* Before glibc 2.34 sleeps were libpthread's too. */
static bool is_c_library(const char *soname)
{
	return !strcmp(soname, LIBC_SO) || !strcmp(soname, LIBPTHREAD_SO) || !strcmp(soname, LIBRT_SO);
}

static void take_functions(const struct hpt_elf_object *object, struct search *s)
{
	bool is_own = is_c_library(object->soname);

	for (size_t i = 0; i < FUNCTIONS; i++) {
		bool is_wanted = (s->is_after && !s->next[i]) || (is_own && !s->own[i]);
		void *found = is_wanted ? hpt_elf_object_find(object, functions[i].name) : NULL;

		if (found && is_own && !s->own[i])
			s->own[i] = found;
		if (found && s->is_after && !s->next[i]) {
			s->next[i] = found;
			s->is_own[i] = is_own;
		}
	}
}

/* Copied, because C converts no pointer to data into one to a function; by POSIX they have the same size. */
static void set(struct hpt_functions *ret, size_t i, void *function)
{
	__builtin_memcpy((char *)ret + functions[i].at, &function, sizeof(function));
}

#if HPT_HAS_TIME64

struct hpt_functions hpt_hooks;

/* The dynamic linker finds them as well. */
static void take_hooks(const struct dl_phdr_info *info)
{
	struct hpt_elf_object object;

	if (!hpt_elf_object_take(info, &object))
		return;
	for (size_t i = 0; i < FUNCTIONS; i++)
		set(&hpt_hooks, i, hpt_elf_object_find(&object, functions[i].name));
}

#else

static void take_hooks(const struct dl_phdr_info *info)
{
	(void)info;
}

#endif

/* Objects come in the order in which the dynamic linker searches them; those that were opened later come last. */
static int take_object(struct dl_phdr_info *info, size_t size, void *search)
{
	struct search *s = search;
	struct hpt_elf_object object;

	(void)size;
	if (hpt_elf_object_has(info, (uintptr_t)&is_found)) {
		s->is_after = true;
		take_hooks(info);
	} else if (hpt_elf_object_take(info, &object)) {
		take_functions(&object, s);
	}
	return 0;
}

/* Threads that do so at once write the same. */
static COLD void find_all(void)
{
	struct search s = { 0 };

	dl_iterate_phdr(take_object, &s);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		/* This object may have been opened after the C library was loaded. */
		set(&hpt_next_known, i, s.next[i] ? s.next[i] : s.own[i]);
		set(&hpt_own, i, s.own[i]);
		if (i < HPT_NAMES)
			hpt_is_own[i] = s.next[i] ? s.is_own[i] : s.own[i] != NULL;
	}
}

const struct hpt_functions *hpt_next(void)
{
	int saved = errno;

	if (likely(atomic_load_explicit(&is_found, memory_order_acquire)))
		return &hpt_next_known;
	find_all();
	atomic_store_explicit(&is_found, true, memory_order_release);
	errno = saved;
	return &hpt_next_known;
}

COLD const struct hpt_functions *hpt_next_again(void)
{
	int saved = errno;

	find_all();
	errno = saved;
	return &hpt_next_known;
}

/* ---- The clock ------------------------------------------------------------------------------------------------ */

int64_t hpt_next_clock_ns(clockid_t id)
{
	clock_fn *clock = hpt_own.clock_gettime;
	struct timespec ts;
	int64_t ns;

	if (likely(clock && !clock(id, &ts)))
		return hpt_timespec_ns(&ts);
	return hpt_sys_clock_ns(id, &ns) ? ns : 0;
}

/* True if the next object's clock reads what the C library's own reads. */
static bool is_same(clock_fn *other, clockid_t id)
{
	int64_t before_ns = hpt_next_clock_ns(id), after_ns;
	struct timespec ts;
	bool is_read = !other(id, &ts);

	after_ns = hpt_next_clock_ns(id);
	return is_read && before_ns <= hpt_timespec_ns(&ts) && hpt_timespec_ns(&ts) <= after_ns;
}

static bool is_good(bool is_own, clock_fn *other)
{
	return is_own || (is_same(other, CLOCK_MONOTONIC) && is_same(other, CLOCK_REALTIME));
}

#if HPT_HAS_TIME64

static int next_clock64(clockid_t id, struct timespec *ret)
{
	struct hpt_time64 time = { 0 };
	int r = hpt_next_known.clock_gettime64(id, &time);

	*ret = (struct timespec){ .tv_sec = (time_t)time.s, .tv_nsec = time.ns };
	return r;
}

/* An object that is compiled with times of 64 bits replaces this clock alone. */
static bool is_wide_good(void)
{
	return !hpt_own.clock_gettime64 ||
	       is_good(hpt_next_known.clock_gettime64 == hpt_own.clock_gettime64, next_clock64);
}

#else

static bool is_wide_good(void)
{
	return true;
}

#endif

bool hpt_next_find_clock(void)
{
	clock_fn *other = hpt_next()->clock_gettime;
	int saved = errno;
	bool is_usable;

	is_usable = hpt_own.clock_gettime && hpt_next_clock_ns(CLOCK_MONOTONIC) &&
		    is_good(other == hpt_own.clock_gettime, other) && is_wide_good();
	errno = saved;
	return is_usable;
}
