// SPDX-License-Identifier: MIT
/* A sleep's place among those of other threads: lib/sleep/place.h. */
#include "sleep/place.h"

#include "math/units.h"
#include "machine/process.h"
#include "sleep/spin_limits.h"

/*
 * More sleeps than this in a millisecond for each two CPUs are a crowd, whose threads spin as FRUGAL has it; one CPU
 * counts as two. 8 threads that slept for 1 ms on 2 CPUs then took 30 % of a CPU instead of 34, and were on time as
 * often.
 */
#define CROWD_PER_MS 3

/*
 * With more than this in a millisecond for each CPU, those that do not spin share their wakes, by the timer slack. Each
 * wake of its own is an interrupt, and interrupts come first: of 64 threads that slept for 1 ms on 2 CPUs, 25 % were
 * later than 0.2 ms with a slack of 1 ns, 3 % with 50 us.
 */
#define MANY_PER_MS 8

/*
 * With more than this for each CPU nobody spins but by STRICT, since each spin keeps others from their CPU: with one
 * spinner at a time 99 of 100 sleeps ended within 184 us with 64 threads (plain ones: 156), 156 with 48 (152), and 146
 * with 32 (148), which were half as late as plain ones in the median (a Xeon guest with 2 CPUs).
 */
#define FULL_PER_MS 24

struct hpt_crowd hpt_crowd;

static struct hpt_crowd *shared;

/* Of all processes that share one. */
#define SHARED_PROCESS 1

static struct hpt_crowd *crowd(void)
{
	return shared ? shared : &hpt_crowd;
}

static uint32_t process(void)
{
	return shared ? SHARED_PROCESS : hpt_process();
}

/*
 * A thread's name among those of all processes, without a system call that would say who it is: by its place in memory,
 * which copies of a process have in common, and by when its process first asked. Two have the same one time in 2^31;
 * they then may spin at once.
 */
static uint32_t shared_name(const struct hpt_habits *h, int64_t now_ns)
{
	static _Atomic uint32_t named_process;
	static _Atomic uint64_t seed;
	uint64_t name;

	if (atomic_load_explicit(&named_process, memory_order_acquire) != hpt_process()) {
		atomic_store_explicit(&seed, (uint64_t)now_ns ^ (uint64_t)(uintptr_t)&seed << 20,
				      memory_order_relaxed);
		atomic_store_explicit(&named_process, hpt_process(), memory_order_release);
	}
	/* The constants are those of the finalizer of MurmurHash3, by Appleby. */
	name = atomic_load_explicit(&seed, memory_order_relaxed) ^ (uint64_t)hpt_place_name(h) << 32;
	name = (name ^ name >> 33) * UINT64_C(0xff51afd7ed558ccd);
	name = (name ^ name >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (uint32_t)(name >> 33) + 1;
}

static uint32_t name_of(const struct hpt_habits *h, int64_t now_ns)
{
	return h && shared ? shared_name(h, now_ns) : hpt_place_name(h);
}

/* To the process's own crowd no thread is the only one any more, so that all look here. */
COLD void hpt_place_share(struct hpt_crowd *c)
{
	shared = c;
	hpt_crowd_join(&hpt_crowd, hpt_process(), 0);
}

/* How many sleeps the other threads begin in a millisecond. This one's own rate is taken from its latest interval. */
static uint32_t others_per_ms(struct hpt_habits *h, int64_t now_ns)
{
	uint32_t all = hpt_crowd_per_ms(crowd(), now_ns), own = 0;

	if (h) {
		int64_t passed_ns = now_ns - h->began_ns;

		own = passed_ns > 0 && passed_ns < NS_PER_MS ? (uint32_t)(NS_PER_MS / passed_ns) : 0;
		h->began_ns = now_ns;
	}
	return all > own ? all - own : 0;
}

static bool is_above(uint32_t per_ms, uint32_t of_each_cpu)
{
	uint32_t cpus = hpt_spin_limits_cpus();

	return cpus && per_ms > of_each_cpu * cpus;
}

static bool is_crowd(uint32_t per_ms)
{
	uint32_t cpus = hpt_spin_limits_cpus();

	return per_ms > (cpus > 2 ? CROWD_PER_MS * cpus / 2 : CROWD_PER_MS);
}

/* A thread that has a CPU of its own, among others that the process has, takes none from those. */
static uint32_t spinners(const struct hpt_habits *h, uint32_t policy, uint32_t per_ms)
{
	uint32_t n = hpt_spin_limits_spinners(policy);

	if (!n || policy == HPT_SLEEP_SPIN)
		return HPT_CROWD_ANY;
	if (policy != HPT_SLEEP_STRICT && is_above(per_ms, FULL_PER_MS))
		return 0;
	return h && h->limits.is_pinned && hpt_spin_limits_cpus() > 1 ? HPT_CROWD_ANY : n;
}

COLD bool hpt_place_begin(struct hpt_place *p, struct hpt_habits *h, uint32_t policy, int64_t now_ns)
{
	bool is_beside = hpt_crowd_join(crowd(), process(), name_of(h, now_ns));
	uint32_t per_ms;

	per_ms = others_per_ms(h, now_ns);
	p->is_crowded = is_crowd(per_ms);
	p->is_many = is_above(per_ms, MANY_PER_MS);
	p->spinners = is_beside ? spinners(h, policy, per_ms) : HPT_CROWD_ANY;
	if (h) {
		h->is_among_many = p->is_many;
		h->is_in_full = !p->spinners;
	}
	return is_beside;
}

COLD void hpt_place_count_wait(int64_t now_ns)
{
	hpt_crowd_count(crowd(), process(), now_ns);
}

/* The latest place is given back: it ends up to 4 us after its deadline, when the next sleep may have begun. */
COLD bool hpt_place_take(const struct hpt_place *p, struct hpt_habits *h, int64_t now_ns, int64_t from_ns,
			 int64_t to_ns)
{
	uint64_t window;

	if (p->spinners == HPT_CROWD_ANY)
		return true;
	window = hpt_crowd_take(crowd(), p->spinners, now_ns, from_ns, to_ns, h ? h->window : 0);
	if (h)
		h->window = window;
	return window;
}
