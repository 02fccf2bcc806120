// SPDX-License-Identifier: MIT
/* Waits of programs, without a kernel: how long each part waits, and when it looks. */
#include <limits.h>
#include <string.h>

#include "unit.h"

#include "math/units.h"
#include "preload/hook.h"
#include "preload/observe.h"
#include "preload/own_wait.h"
#include "preload/wait.h"

/* ---- In place of the object's other units ----------------------------------------------------------------- */

struct hpt_loaded hpt_loaded;
struct hpt_diagnosis *hpt_diagnosis;
_Atomic bool hpt_variants_allowed;

static int64_t now_ns, step_ns; /* the clock, and how much it advances at each read */

int64_t hpt_next_clock_ns(clockid_t id)
{
	(void)id;
	now_ns += step_ns;
	return now_ns;
}

int64_t hpt_own_rest_ns(clockid_t id, int64_t until_ns)
{
	(void)id;
	return until_ns > now_ns ? until_ns - now_ns : 0;
}

bool hpt_nap_is_readable(int64_t now)
{
	return now > 0;
}

static unsigned crowds, wakes;

void hpt_nap_note_crowd(struct hpt_nap *nap)
{
	(void)nap;
	crowds++;
}

void hpt_nap_note_wake(struct hpt_nap *nap, clockid_t id, int64_t until_ns)
{
	(void)nap, (void)id, (void)until_ns;
	wakes++;
}

/* The rest of a wait: what the spin leaves. */
static struct served {
	unsigned times;
	int64_t late_ns;
	bool has_looked, is_plain;
	enum hpt_unspun unspun;
	int result;
} served;

int hpt_nap_serve(struct hpt_nap *nap, int64_t began_ns)
{
	(void)began_ns;
	served.times++;
	nap->look->has_looked = served.has_looked;
	nap->look->result = served.result;
	nap->unspun = served.unspun;
	nap->is_plain = served.is_plain;
	now_ns = nap->at_ns + served.late_ns;
	nap->now_ns = now_ns;
	return served.result ? ECANCELED : 0;
}

/* ---- A kind of waits -------------------------------------------------------------------------------------- */

static struct {
	unsigned waits, waits_ms, looks;
	int64_t ns, until_ns; /* of the latest wait ... */
	int ms;
	int event;            /* ... which ends it, or the look; 0: it lasts as long as it is to */
} kernel;

static int lasted(int64_t ns)
{
	now_ns += kernel.event ? 0 : ns;
	return kernel.event;
}

static int wait_ns(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	(void)w;
	assert_true(ns >= 0);
	kernel.waits++;
	kernel.ns = ns;
	kernel.until_ns = until_ns;
	return lasted(ns);
}

/* poll() and epoll_wait() have no end where the time is negative. */
static int wait_ms(struct hpt_wait *w, int ms)
{
	(void)w;
	assert_true(ms > 0);
	kernel.waits_ms++;
	kernel.ms = ms;
	return lasted(ms * NS_PER_MS);
}

static int look(struct hpt_wait *w)
{
	(void)w;
	kernel.looks++;
	errno = EIO;
	return kernel.event;
}

static const struct hpt_wait_kind for_fds = { .wait = wait_ns, .wait_ms = wait_ms, .look = look, .is_for_fds = true };
static const struct hpt_wait_kind for_word = { .wait = wait_ns, .look = look };

#define START_NS (5000 * NS_PER_MS)

static struct hpt_wait begun(const struct hpt_wait_kind *kind, int64_t length_ns)
{
	struct hpt_wait w = { .nap = { .call = HPT_CALL_POLL }, .kind = kind };

	memset(&kernel, 0, sizeof(kernel));
	served = (struct served){ .has_looked = true };
	crowds = wakes = 0;
	now_ns = START_NS;
	step_ns = 0;
	hpt_loaded.settings.least_ns = 0;
	atomic_store(&hpt_variants_allowed, true);
	*hpt_habits_claim() = (struct hpt_habits){ 0 };
	assert_true(hpt_wait_begin_for(&w, length_ns));
	return w;
}

/* ---- One wait in the kernel ------------------------------------------------------------------------------- */

/* A thread that loses its CPU between the reads of the clock is past the deadline when it is to wait. */
static void deadline_that_has_passed_is_no_wait_without_an_end(void **state)
{
	struct hpt_wait w = begun(&for_fds, NS_PER_MS);

	(void)state;
	w.nap.is_plain = true;
	step_ns = 3 * NS_PER_MS;
	assert_int_equal(hpt_wait_poll(&w.look.fds, NS_PER_MS), 0);
	assert_int_equal(kernel.waits_ms, 0);
	assert_int_equal(kernel.looks, 1);
	w = begun(&for_fds, NS_PER_MS);
	w.nap.is_plain = w.has_waited = true;
	step_ns = 3 * NS_PER_MS;
	assert_int_equal(hpt_wait_poll(&w.look.fds, 1), 0);
	assert_int_equal(kernel.waits_ms, 0);
}

/* Rounded up, as the program's own call, where it is plain; down where the rest is spun. */
static void whole_milliseconds_are_no_more_than_the_programs(void **state)
{
	struct hpt_wait w = begun(&for_fds, 7 * NS_PER_MS);

	(void)state;
	w.nap.is_plain = true;
	assert_int_equal(hpt_wait_poll(&w.look.fds, 6 * NS_PER_MS + 1), 0);
	assert_int_equal(kernel.ms, 7);
	w = begun(&for_fds, 7 * NS_PER_MS);
	w.nap.is_in_ms = true;
	assert_int_equal(hpt_wait_poll(&w.look.fds, 6 * NS_PER_MS + 999999), 0);
	assert_int_equal(kernel.ms, 6);
	w = begun(&for_fds, 7 * NS_PER_MS);
	assert_int_equal(hpt_wait_poll(&w.look.fds, 6 * NS_PER_MS + 999999), 0);
	assert_int_equal(kernel.waits_ms, 0);
	assert_int_equal(kernel.ns, 6 * NS_PER_MS + 999999);
	assert_int_equal(kernel.until_ns, START_NS + 6 * NS_PER_MS + 999999);
	w = begun(&for_fds, NS_PER_MS);
	atomic_store(&hpt_variants_allowed, false);
	assert_int_equal(hpt_wait_poll(&w.look.fds, 999999), 0);
	assert_int_equal(kernel.waits + kernel.waits_ms, 0);
	assert_int_equal(kernel.looks, 1);
}

static void wake_is_noted_and_an_event_is_not(void **state)
{
	struct hpt_wait w = begun(&for_word, NS_PER_MS);

	(void)state;
	assert_int_equal(hpt_wait_poll(&w.look.fds, NS_PER_MS / 2), 0);
	assert_int_equal(wakes, 1);
	assert_int_equal(w.nap.woke_ns, 0);
	kernel.event = 2;
	assert_int_equal(hpt_wait_poll(&w.look.fds, NS_PER_MS / 4), 2);
	assert_int_equal(wakes, 1);
	assert_int_equal(w.nap.woke_ns, now_ns);
}

/* ---- The parts of a wait ---------------------------------------------------------------------------------- */

static void guard_that_an_event_ends_is_one_call(void **state)
{
	struct hpt_wait w = begun(&for_fds, 100 * NS_PER_MS);

	(void)state;
	kernel.event = 1;
	assert_int_equal(hpt_wait_take(&w), 1);
	assert_int_equal(kernel.waits_ms, 1);
	assert_in_range(kernel.ms, 97, 99);
	assert_int_equal(kernel.waits + kernel.looks + served.times, 0);
	assert_int_equal(hpt_habits_claim()->by_events, 0);
}

static void far_wait_leaves_a_millisecond(void **state)
{
	struct hpt_wait w = begun(&for_word, 100 * NS_PER_MS);

	(void)state;
	assert_int_equal(hpt_wait_take(&w), 0);
	assert_int_equal(kernel.waits, 1);
	assert_int_equal(kernel.until_ns, w.nap.at_ns - 900000);
	assert_int_equal(served.times, 1);
	w = begun(&for_word, NS_PER_MS + 899999);
	assert_int_equal(hpt_wait_take(&w), 0);
	assert_int_equal(kernel.waits, 0);
	w = begun(&for_fds, INT64_MAX);
	kernel.event = 1;
	assert_int_equal(hpt_wait_take(&w), 1);
	assert_int_equal(kernel.ms, INT_MAX);
}

static void wait_that_ends_sooner_than_it_was_to_goes_on(void **state)
{
	struct hpt_wait w = begun(&for_fds, 100 * NS_PER_MS);

	(void)state;
	served.result = 1;
	assert_int_equal(hpt_wait_take(&w), 1);
	assert_true(kernel.waits_ms >= 1);
	assert_int_equal(served.times, 1);
	assert_int_equal(kernel.looks, 0);
	assert_int_equal(hpt_habits_claim()->by_events, 1);
}

/* Guards, which events end long before their deadline, say nothing of spins. */
static void event_far_from_the_deadline_is_no_habit(void **state)
{
	struct hpt_wait w = begun(&for_fds, NS_PER_MS);

	(void)state;
	served.result = 1;
	served.has_looked = false;
	served.late_ns = -NS_PER_MS;
	assert_int_equal(hpt_wait_take(&w), 1);
	assert_int_equal(kernel.looks, 0);
	assert_int_equal(hpt_habits_claim()->by_events, 0);
}

/* ---- The last look ---------------------------------------------------------------------------------------- */

static unsigned last_looks(const struct hpt_wait_kind *kind, struct served rest)
{
	struct hpt_wait w = begun(kind, NS_PER_MS);

	served = rest;
	hpt_wait_take(&w);
	return kernel.looks;
}

/* An event that came while the thread had no CPU after its last look is one that the kernel would report. */
static void spin_that_was_disturbed_looks_once_more(void **state)
{
	(void)state;
	assert_int_equal(last_looks(&for_fds, (struct served){ .has_looked = true, .late_ns = 2001 }), 1);
	assert_int_equal(last_looks(&for_fds, (struct served){ .has_looked = true, .late_ns = 2000 }), 0);
	assert_int_equal(last_looks(&for_word, (struct served){ .has_looked = true, .late_ns = 2001 }), 0);
	assert_int_equal(last_looks(&for_fds, (struct served){ .has_looked = true, .late_ns = 2001,
							       .unspun = HPT_UNSPUN_BUDGET }), 0);
	assert_int_equal(last_looks(&for_fds, (struct served){ .has_looked = true, .late_ns = 2001,
							       .is_plain = true }), 0);
}

static void wait_without_a_look_gets_one(void **state)
{
	struct hpt_wait w = begun(&for_word, NS_PER_MS);

	(void)state;
	served.has_looked = false;
	kernel.event = 1;
	assert_int_equal(hpt_wait_take(&w), 1);
	assert_int_equal(kernel.looks, 1);
	assert_int_equal(hpt_habits_claim()->by_events, 1);
	assert_int_equal(last_looks(&for_word, (struct served){ .has_looked = false }), 1);
	assert_int_equal(hpt_habits_claim()->by_events, 0);
}

/* ---- Ends -------------------------------------------------------------------------------------------------- */

static void errors_keep_errno_until_they_are_results(void **state)
{
	struct hpt_wait w = begun(&for_word, NS_PER_MS);

	(void)state;
	hpt_habits_claim()->by_events = 1;
	served.result = -EINTR;
	assert_int_equal(hpt_wait_take(&w), -EINTR);
	assert_int_equal(hpt_habits_claim()->by_events, 1);
	w = begun(&for_word, NS_PER_MS);
	served.has_looked = false;
	errno = ERANGE;
	assert_int_equal(hpt_wait_take(&w), 0);
	assert_int_equal(kernel.looks, 1);
	assert_int_equal(errno, ERANGE);
	assert_int_equal(hpt_wait_result(-EINTR), -1);
	assert_int_equal(errno, EINTR);
	assert_int_equal(hpt_wait_result(3), 3);
	errno = EBADF;
	assert_int_equal(hpt_wait_ended(-1), -EBADF);
	assert_int_equal(hpt_wait_ended(0), 0);
}

static void brief_waits_are_passed_on(void **state)
{
	struct hpt_wait w = begun(&for_word, NS_PER_MS);

	(void)state;
	hpt_loaded.settings.least_ns = 50000;
	assert_false(hpt_wait_begin_for(&w, 49999));
	assert_true(hpt_wait_begin_for(&w, 50000));
	assert_true(hpt_wait_begin_until(&w, CLOCK_REALTIME, START_NS + 50000));
	assert_int_equal(w.nap.id, CLOCK_REALTIME);
	assert_false(hpt_wait_begin_until(&w, CLOCK_REALTIME, START_NS));
	hpt_loaded.settings.least_ns = 0;
	assert_false(hpt_wait_begin_for(&w, 0));
	now_ns = 0;
	assert_false(hpt_wait_begin_for(&w, NS_PER_MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deadline_that_has_passed_is_no_wait_without_an_end),
		cmocka_unit_test(whole_milliseconds_are_no_more_than_the_programs),
		cmocka_unit_test(wake_is_noted_and_an_event_is_not),
		cmocka_unit_test(guard_that_an_event_ends_is_one_call),
		cmocka_unit_test(far_wait_leaves_a_millisecond),
		cmocka_unit_test(wait_that_ends_sooner_than_it_was_to_goes_on),
		cmocka_unit_test(event_far_from_the_deadline_is_no_habit),
		cmocka_unit_test(spin_that_was_disturbed_looks_once_more),
		cmocka_unit_test(wait_without_a_look_gets_one),
		cmocka_unit_test(errors_keep_errno_until_they_are_results),
		cmocka_unit_test(brief_waits_are_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
