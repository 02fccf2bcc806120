// SPDX-License-Identifier: MIT
/* Finds the functions of the objects that are loaded after this one: lib/preload/next.h. */
#include "preload/next.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <stdatomic.h>
#include <stddef.h>

#include "arch/arch.h"
#include "machine/sys_clock.h"
#include "preload/times.h"

typedef int clock_fn(clockid_t id, struct timespec *ret);

static struct hpt_next next;
static _Atomic(clock_fn *) libc_clock;

/* Copied, because C converts no pointer to data into one to a function; by POSIX they have the same size. */
static void find(void *ret, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	__builtin_memcpy(ret, &found, sizeof(found));
}

const struct hpt_next *hpt_next(void)
{
	static _Atomic bool is_found;
	int saved = errno;

	if (likely(atomic_load_explicit(&is_found, memory_order_acquire)))
		return &next;
	find(&next.nanosleep, "nanosleep");
	find(&next.clock_nanosleep, "clock_nanosleep");
	find(&next.usleep, "usleep");
	find(&next.sleep, "sleep");
	find(&next.thrd_sleep, "thrd_sleep");
	find(&next.select, "select");
	find(&next.pselect, "pselect");
	find(&next.poll, "poll");
	find(&next.ppoll, "ppoll");
	atomic_store_explicit(&is_found, true, memory_order_release);
	errno = saved;
	return &next;
}

int64_t hpt_next_clock_ns(clockid_t id)
{
	clock_fn *clock = atomic_load_explicit(&libc_clock, memory_order_relaxed);
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

bool hpt_next_find_clock(void)
{
	void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
	void *own = libc ? dlsym(libc, "clock_gettime") : NULL;
	clock_fn *clock, *other;
	int saved = errno;
	bool is_good;

	find(&other, "clock_gettime");
	__builtin_memcpy(&clock, &own, sizeof(clock));
	if (clock)
		atomic_store_explicit(&libc_clock, clock, memory_order_relaxed);
	if (libc)
		dlclose(libc);
	is_good = clock && other && hpt_next_clock_ns(CLOCK_MONOTONIC) &&
		  (clock == other || (is_same(other, CLOCK_MONOTONIC) && is_same(other, CLOCK_REALTIME)));
	errno = saved;
	return is_good;
}
