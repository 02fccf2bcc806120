// SPDX-License-Identifier: MIT
/* Serves the program's sleeps: lib/preload/nap.h. */
#include "preload/nap.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/default.h"
#include "clock/world.h"
#include "machine/process.h"
#include "preload/backoff.h"
#include "preload/budget.h"
#include "preload/grid.h"
#include "preload/load.h"
#include "preload/next.h"
#include "preload/own_wait.h"
#include "preload/purse.h"
#include "preload/times.h"
#include "preload/observe.h"
#include "sleep/habits.h"
#include "sleep/place.h"
#include "sleep/sleep.h"

/* The object is there from the program's start, so that its thread-local storage needs no room of the reserve. */
#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

static TLS struct hpt_budget budget;
static TLS struct hpt_backoff backoff;

/* The thread's latest nap that was to spin, for the next one to reckon with: its spin, how late and when it ended. */
static TLS struct {
	int64_t spun_ns, late_ns;
	int64_t end_ns;   /* 0: there was none */
	int64_t awake_ns; /* how long it was to spin since the thread's latest wait in the kernel */
} latest;

/* Of all threads. */
static struct hpt_purse purse;

/* ---- Waits ------------------------------------------------------------------------------------------------- */

/*
 * The budget is charged for all that follows the time at which a wait was to end, however late the kernel ended it, and
 * also where no spin follows. A loop of usleep(100) then takes 1.2 x its CPU time a call. It took 1.8 x with the
 * kernel's lateness free where no spin follows, and 2.4 x with it always free.
 */
void hpt_nap_note_wake(struct hpt_nap *nap, clockid_t id, int64_t until_ns)
{
	struct hpt_tally *t = hpt_loaded.tally;
	int64_t now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC), late_ns;

	late_ns = (id == CLOCK_MONOTONIC ? now_ns : hpt_next_clock_ns(id)) - until_ns;
	nap->woke_ns = now_ns;
	nap->charged_ns = late_ns > 0 ? late_ns : 0;
	if (t)
		hpt_tally_add(&t->kernel_late[hpt_tally_bin(late_ns)], 1);
}

/* The nap that has this word in its eventcount, which is its first member and aligned to more than the word. */
static struct hpt_nap *nap_of(const _Atomic uint32_t *word)
{
	return (struct hpt_nap *)((uintptr_t)word & ~(uintptr_t)(_Alignof(struct hpt_eventcount) - 1));
}

/* Waits as the kernel phase of a sleep does, and notes that itself. */
static COLD __attribute__((noinline)) int look_for(struct hpt_nap *nap, int64_t ns)
{
	struct hpt_look *look = nap->look;

	look->has_looked = true;
	look->result = hpt_world.env->poll(&look->fds, ns);
	return look->result ? ECANCELED : 0;
}

static int wait_and_note(struct hpt_nap *nap, clockid_t id, int64_t until_ns)
{
	int err;

	if (nap->look)
		return look_for(nap, hpt_own_rest_ns(id, until_ns));
	err = id == HPT_DURATION ? hpt_own_wait_for(nap->call, until_ns) :
				     hpt_own_wait_until(nap->call, id, until_ns);

	if (err && err != EINTR)
		nap->refused = err;
	if (err)
		nap->woke_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	else
		hpt_nap_note_wake(nap, id, until_ns);
	return err;
}

void hpt_nap_note_crowd(struct hpt_nap *nap)
{
	if (nap->places && !nap->unspun)
		nap->unspun = HPT_UNSPUN_CROWD;
}

/*
 * Where the library waits to the end though it might spin, there was no place. Such waits share their wakes if there
 * are many, as they did by the timer slack that "hpt run" took away.
 */
static int64_t end_of_last_wait(struct hpt_nap *nap)
{
	hpt_nap_note_crowd(nap);
	return hpt_grid_next_ns(nap->at_ns, hpt_habits_known()->is_among_many ? hpt_loaded.grid_ns : 0);
}

/*
 * A refused wait ends the sleep as a signal does: the library would spin instead. A wait that ended at another time
 * than the library's teaches it nothing: 0 says that it was woken.
 */
int hpt_nap_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	struct hpt_nap *nap = nap_of(word);
	int64_t end_ns = until_ns;
	int err;

	(void)value;
	if (id == nap->id && nap->at_ns - until_ns < HPT_LEAST_WAIT_NS) /* no margin is less */
		end_ns = end_of_last_wait(nap);
	err = wait_and_note(nap, id, end_ns);
	return err ? -EINTR : end_ns == until_ns ? -ETIMEDOUT : 0;
}

/* ---- The nap --------------------------------------------------------------------------------------------- */

/* How many threads may spin at a time. */
static uint32_t places_of(struct hpt_policy policy)
{
	switch (hpt_policy_kind(policy)) {
	case HPT_SLEEP_NOSPIN:
		return 0;
	case HPT_SLEEP_STRICT:
		return hpt_loaded.terms.strict_spinners;
	case HPT_SLEEP_SPIN:
		return hpt_loaded.terms.strict_spinners ? HPT_CROWD_ANY : 0;
	default:
		return hpt_loaded.terms.spinners;
	}
}

/* What all threads together may spin, in thousandths of a CPU: a thread's share in each place. */
static uint32_t process_millicpus(uint32_t places)
{
	uint64_t millicpus = UINT64_C(10) * hpt_loaded.settings.budget_percent * places, most;

	most = hpt_loaded.terms.process_millicpus;
	return places != HPT_CROWD_ANY && millicpus < most ? (uint32_t)millicpus : (uint32_t)most;
}

/* True if there is something to spend. Pays for the thread's latest spin in the purse of all threads. */
static bool has_budget(const struct hpt_nap *nap, int64_t now_ns)
{
	bool is_own = hpt_budget_gain(&budget, nap->process, now_ns, hpt_loaded.settings.budget_percent);

	return hpt_purse_pay(&purse, nap->process, now_ns, process_millicpus(nap->places), latest.spun_ns) && is_own;
}

/* The library itself leaves out spins that are useless, but a nap without a spin needs no place, and is counted. */
static bool is_backed_off(const struct hpt_nap *nap, int64_t now_ns)
{
	uint32_t policy = hpt_policy_kind(hpt_loaded.settings.policy);

	if (latest.end_ns)
		hpt_backoff_learn(&backoff, latest.end_ns, latest.late_ns);
	if (nap->places == HPT_CROWD_ANY)
		return false;
	return hpt_backoff_is_on(&backoff, nap->process, now_ns) ||
	       hpt_habits_spin_is_useless(hpt_habits_known(), policy);
}

static bool is_for_events(const struct hpt_nap *nap)
{
	uint32_t kind = hpt_policy_kind(hpt_loaded.settings.policy);

	return nap->look && kind != HPT_SLEEP_STRICT && kind != HPT_SLEEP_SPIN &&
	       hpt_habits_events_end_waits(hpt_habits_known());
}

/*
 * Whether a nap that begins may spin, if the library finds a place for it. A thread of brief naps waits now and then
 * all the same: the kernel kills a real-time thread that does not block for as long as RLIMIT_RTTIME, which rtkit sets
 * to 200 ms.
 */
static enum hpt_unspun judge(struct hpt_nap *nap, int64_t now_ns)
{
	bool has_means = has_budget(nap, now_ns), is_off = is_backed_off(nap, now_ns);

	latest.spun_ns = latest.end_ns = 0;
	if (!nap->places)
		return HPT_UNSPUN_LIMIT;
	if (!has_means || latest.awake_ns > hpt_loaded.terms.block_after_ns)
		return HPT_UNSPUN_BUDGET;
	if (is_off)
		return HPT_UNSPUN_BACKOFF;
	return is_for_events(nap) ? HPT_UNSPUN_EVENTS : HPT_UNSPUN_NOT;
}

/* A nap that may not spin waits in the kernel alone, and is as late as that. */
static struct hpt_policy policy_of(struct hpt_nap *nap, int64_t now_ns)
{
	struct hpt_policy policy = hpt_loaded.settings.policy;

	nap->process = hpt_process();
	nap->is_first = budget.process != nap->process;
	if (hpt_policy_kind(policy) == HPT_SLEEP_NOSPIN)
		return policy;
	nap->places = places_of(policy);
	nap->unspun = judge(nap, now_ns);
	if (!nap->unspun && hpt_habits_known()->is_in_full)
		nap->unspun = HPT_UNSPUN_CROWD;
	if (nap->unspun)
		hpt_policy_make(HPT_SLEEP_NOSPIN, 0, &policy);
	return policy;
}

/* Waits for whole milliseconds. */
static int poll_for(struct hpt_nap *nap, int64_t now_ns, int64_t ms)
{
	int err = 0;

	if (nap->look)
		return ms > 0 ? look_for(nap, ms * NS_PER_MS) : 0;
	if (ms > 0)
		err = hpt_own_wait_by_poll(ms * NS_PER_MS);
	if (!err && ms > 0)
		hpt_nap_note_wake(nap, CLOCK_MONOTONIC, now_ns + ms * NS_PER_MS);
	return err;
}

static int64_t whole_ms(int64_t ns)
{
	return (ns + NS_PER_MS - 1) / NS_PER_MS;
}

/*
 * False: all of the nap is waited for. A last millisecond of spinning for each would leave none of a crowd any. The
 * library does not count the nap: what poll() leaves is spun.
 */
static bool begin_poll(struct hpt_nap *nap, struct hpt_place *place, struct hpt_policy policy, int64_t now_ns)
{
	struct hpt_habits *h = hpt_habits_claim();
	uint32_t kind = hpt_policy_kind(policy);

	if (hpt_place_is_beside(h) && hpt_place_begin(place, h, kind, now_ns))
		hpt_place_count_wait(now_ns);
	if (kind == HPT_SLEEP_NOSPIN || hpt_policy_cap_ns(policy) < NS_PER_MS)
		return false;
	if (place->is_crowded)
		nap->unspun = HPT_UNSPUN_CROWD;
	return !place->is_crowded;
}

/* True: the nap may spin from spin_ns before its end on, which is left_ns away. */
static bool take_place(struct hpt_nap *nap, struct hpt_place *place, int64_t left_ns, int64_t spin_ns)
{
	int64_t now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC), end_ns = now_ns + left_ns;

	if (hpt_place_take(place, hpt_habits_claim(), now_ns, end_ns - spin_ns, end_ns))
		return true;
	nap->unspun = HPT_UNSPUN_CROWD;
	return false;
}

/*
 * Waits whole milliseconds, since poll() knows no parts of them. The last one is left to spin, if the policy's longest
 * spin allows it and there is a place. Returns an error of poll(), or 0.
 */
static COLD __attribute__((noinline)) int wait_most_by_poll(struct hpt_nap *nap, struct hpt_policy *policy,
							    int64_t now_ns)
{
	struct hpt_place place = { .spinners = HPT_CROWD_ANY };
	bool is_spun = begin_poll(nap, &place, *policy, now_ns), is_long;
	int64_t left_ns = nap->at_ns - now_ns;
	int err;

	is_long = left_ns > HPT_CROWD_AHEAD_NS;
	if (is_spun && !is_long)
		is_spun = take_place(nap, &place, left_ns, left_ns < NS_PER_MS ? left_ns : NS_PER_MS);
	err = poll_for(nap, now_ns, whole_ms(left_ns) - is_spun);
	left_ns = hpt_own_rest_ns(CLOCK_MONOTONIC, nap->at_ns);
	if (!err && is_spun && is_long && left_ns && !take_place(nap, &place, left_ns, left_ns))
		err = poll_for(nap, nap->at_ns - left_ns, whole_ms(left_ns));
	hpt_policy_make(HPT_SLEEP_SPIN, 2 * NS_PER_MS, policy);
	return err;
}

/*
 * From here on functions are inline as far as they run after the deadline: the spin fetches the cache lines at its
 * return address, and each other one would take some 100 ns after a wait.
 */
#define INLINE inline __attribute__((always_inline))

static INLINE int sleep_until(struct hpt_nap *nap, struct hpt_policy policy)
{
	struct hpt_sleeper s = {
		.clk = hpt_clock_or_default(NULL), .eventcount = &nap->eventcount, .flags = HPT_WAIT_EINTR,
		.policy = policy, .exit = nap->exit, .look = nap->look,
	};
	enum hpt_deadline_kind kind = nap->id == CLOCK_REALTIME ? HPT_DEADLINE_UNIX_NS : HPT_DEADLINE_TICK;
	int64_t left;
	int r;

	/* A clock that was set back meanwhile is looked at again. */
	do {
		r = hpt_sleep_on(&s, kind, nap->at_ns, &left);
		nap->now_ns = hpt_next_clock_ns(nap->id);
	} while (r >= 0 && nap->now_ns < nap->at_ns && likely(nap->now_ns));
	if (unlikely(nap->look != NULL) && nap->look->result)
		return ECANCELED;
	return likely(r != -EINTR) ? 0 : nap->refused ? nap->refused : EINTR;
}

/*
 * A nap that does not spin needs nothing of the library. Of 64 threads with sleeps of 1 ms on 2 CPUs those that waited
 * by it took 60 % of a CPU, 33 without the object.
 */
static COLD __attribute__((noinline)) int wait_plainly(struct hpt_nap *nap, int64_t now_ns)
{
	struct hpt_habits *h = hpt_habits_claim();
	struct hpt_place place;
	int64_t end_ns;
	int err;

	if (hpt_place_is_beside(h) &&
	    hpt_place_begin(&place, h, hpt_policy_kind(hpt_loaded.settings.policy), now_ns))
		hpt_place_count_wait(now_ns);
	end_ns = hpt_grid_next_ns(nap->at_ns, h->is_among_many ? hpt_loaded.grid_ns : 0);
	nap->is_plain = true;
	do {
		err = wait_and_note(nap, nap->id, end_ns);
		nap->now_ns = hpt_next_clock_ns(nap->id);
	} while (!err && nap->now_ns < nap->at_ns && likely(nap->now_ns));
	if (!err)
		hpt_contention_note(&h->contention, end_ns - now_ns, nap->now_ns - end_ns);
	return err;
}

/* Whether time ended it: a stop ends some waits by EINTR, long after their deadline. */
static bool is_by_time(const struct hpt_nap *nap, int err)
{
	bool is_stopped = nap->look ? nap->look->result == -EINTR : err == EINTR;

	return !err || (is_stopped && nap->now_ns - nap->at_ns > hpt_diagnosis->late_ns);
}

/* As the kernel ends it, for "hpt doctor". */
static COLD __attribute__((noinline)) int wait_watched(struct hpt_nap *nap, int64_t now_ns)
{
	int64_t left_ns = nap->id == CLOCK_MONOTONIC ? nap->at_ns - now_ns : hpt_own_rest_ns(nap->id, nap->at_ns);
	struct hpt_observed w;
	int err;

	nap->is_plain = true;
	hpt_observe_begin(&w, nap->call, now_ns, left_ns);
	do {
		err = nap->is_in_ms && !nap->look ? poll_for(nap, now_ns, whole_ms(left_ns)) :
						    wait_and_note(nap, nap->id, nap->at_ns);
		nap->now_ns = hpt_next_clock_ns(nap->id);
	} while (!err && nap->now_ns < nap->at_ns && likely(nap->now_ns));
	if (is_by_time(nap, err))
		hpt_observe_end(&w, nap->now_ns - nap->at_ns);
	else
		hpt_observe_end_early(&w);
	return err;
}

/* For the thread's next nap: what follows a deadline delays the program. */
static INLINE void note_spin(const struct hpt_nap *nap, int64_t spun_ns, int64_t end_ns)
{
	latest.spun_ns = spun_ns;
	latest.late_ns = nap->now_ns - nap->at_ns;
	latest.end_ns = end_ns;
}

/* A thread that spun away its share of a busy CPU is late in the sleeps after that too. */
static bool is_late_by_spins(const struct hpt_nap *nap)
{
	return nap->unspun != HPT_UNSPUN_BACKOFF && nap->now_ns - nap->at_ns >= HPT_BACKOFF_LATE_NS;
}

/* A thread may end after its first nap: no later one pays for it. */
static COLD __attribute__((noinline)) void pay_first(const struct hpt_nap *nap, int64_t now_ns)
{
	hpt_purse_pay(&purse, nap->process, now_ns, process_millicpus(nap->places), latest.spun_ns);
	latest.spun_ns = 0;
}

static COLD __attribute__((noinline)) void tally_end(const struct hpt_nap *nap, int64_t spun_ns, int err)
{
	struct hpt_tally *t = hpt_loaded.tally;

	hpt_tally_add(&t->served[nap->call], 1);
	hpt_tally_add(&t->spun_ns, (uint64_t)spun_ns);
	if (nap->unspun)
		hpt_tally_add(&t->unspun[nap->unspun], 1);
	if (nap->look && nap->look->result > 0)
		hpt_tally_add(&t->by_event[nap->call], 1);
	else if (err)
		hpt_tally_add(&t->interrupted, 1);
	else
		hpt_tally_add(&t->late[nap->call][hpt_tally_bin(nap->now_ns - nap->at_ns)], 1);
}

static INLINE int serve(struct hpt_nap *nap, int64_t began_ns)
{
	struct hpt_policy policy;
	int64_t spun_ns, end_ns;
	int err = 0;

	if (hpt_own.pthread_testcancel)
		hpt_own.pthread_testcancel();
	nap->now_ns = began_ns;
	if (unlikely(hpt_diagnosis != NULL))
		return wait_watched(nap, began_ns);
	policy = policy_of(nap, began_ns);
	if (nap->is_in_ms)
		err = wait_most_by_poll(nap, &policy, began_ns);
	if (!nap->is_in_ms && (nap->unspun || (nap->look && hpt_policy_kind(policy) == HPT_SLEEP_NOSPIN)))
		err = wait_plainly(nap, began_ns);
	else if (likely(!err))
		err = sleep_until(nap, policy);
	end_ns = nap->id == CLOCK_MONOTONIC ? nap->now_ns : hpt_next_clock_ns(CLOCK_MONOTONIC);
	spun_ns = end_ns - (nap->woke_ns ? nap->woke_ns : began_ns);
	hpt_budget_spend(&budget, hpt_sum(spun_ns, err ? 0 : nap->charged_ns));
	latest.awake_ns = nap->woke_ns ? 0 : latest.awake_ns + spun_ns - (nap->now_ns - nap->at_ns);
	if (!nap->unspun || (!err && is_late_by_spins(nap)))
		note_spin(nap, nap->unspun ? 0 : spun_ns, err ? 0 : end_ns);
	if (unlikely(nap->is_first))
		pay_first(nap, end_ns);
	if (unlikely(hpt_loaded.tally != NULL))
		tally_end(nap, spun_ns, err);
	return err;
}

int hpt_nap_serve(struct hpt_nap *nap, int64_t began_ns)
{
	return serve(nap, began_ns);
}

/*
 * Passes a sleep on that is too brief to be served. A relative one gets the timer slack that "hpt run" took away, so
 * that loops of brief sleeps turn as seldom as with it: with a slack of 1 ns a loop of usleep(1) went from 21 to 87 %
 * of a CPU. length_ns: negative for an absolute one.
 */
static COLD __attribute__((noinline)) int pass_on(struct hpt_nap *nap, int64_t length_ns)
{
	struct timespec ts = hpt_timespec_of(nap->at_ns);

	if (hpt_loaded.tally)
		hpt_tally_add(&hpt_loaded.tally->passed[nap->call], 1);
	if (length_ns < 0)
		return hpt_own.clock_nanosleep(nap->id, TIMER_ABSTIME, &ts, NULL);
	return hpt_own_wait_for(nap->call, length_ns + (nap->call == HPT_CALL_POLL ? 0 : hpt_loaded.slack_added_ns));
}

static bool is_brief(int64_t ns)
{
	return ns < hpt_loaded.settings.least_ns;
}

bool hpt_nap_is_readable(int64_t now_ns)
{
	if (likely(now_ns))
		return true;
	atomic_store_explicit(&hpt_loaded.is_ready, false, memory_order_release);
	return false;
}

HOT int hpt_nap_take(struct hpt_nap *nap)
{
	int saved = errno, err;
	int64_t now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	int64_t left_ns = nap->at_ns - (nap->id == CLOCK_MONOTONIC ? now_ns : hpt_next_clock_ns(nap->id));

	err = !hpt_nap_is_readable(now_ns) || is_brief(left_ns) ? pass_on(nap, -1) : serve(nap, now_ns);
	errno = saved;
	return err;
}

HOT int hpt_nap_take_for(struct hpt_nap *nap, int64_t length_ns)
{
	int saved = errno, err;
	int64_t now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);

	nap->id = CLOCK_MONOTONIC;
	nap->at_ns = hpt_sum(now_ns, length_ns);
	err = !hpt_nap_is_readable(now_ns) || is_brief(length_ns) ? pass_on(nap, length_ns) : serve(nap, now_ns);
	if (unlikely(err))
		nap->left_ns = hpt_own_rest_ns(nap->id, nap->at_ns);
	errno = saved;
	return err;
}
