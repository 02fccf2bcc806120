// SPDX-License-Identifier: MIT
/* When a thread has a short time slice: lib/sleep/slice.h. */
#include "sleep/slice.h"

#include "arch/arch.h"

/*
 * The shortest that the kernel takes is 0.1 ms (sched_setattr(2), Linux 6.12), its own is 0.7 to 3 ms (base_slice_ns).
 * By the odd number a thread knows the slice that it has inherited from one whose slice was short.
 */
#define SLICE_NS 100003

/* With one of up to this a thread preempts those that have the kernel's own. */
#define SHORT_NS 500000

/*
 * With 20 and 50 us of work each 1.003 ms, beside eight busy threads on two CPUs, 2.3 and 7.7 % of the sleeps were
 * later than 0.2 ms with a short slice and spins, and 5.9 and 9.9 % by clock_nanosleep(2); with 100 us it was 22 and
 * 18 %, and beside two busy threads 7.0 and 1.5 %.
 */
#define RUN_MOST_NS 60000

/* `ran_long` is a moving average over RUNS sleeps. With one run of 20 that is preempted it stays below OFTEN. */
#define RUNS     64
#define RUN_STEP (65536 / RUNS)
#define OFTEN    (65536 / 8)

/* The kernel does not say whether a thread's slice is its own: both are the same number. */
static int64_t ask_kernels_ns(const struct hpt_env *env, int64_t ns)
{
	int64_t kernels_ns;

	env->change_slice_ns(ns, 0);
	kernels_ns = env->slice_ns();
	if (kernels_ns != ns)
		env->change_slice_ns(kernels_ns, ns);
	return kernels_ns;
}

/* A filter has come, or another scheduling class, where the change fails. It is tried once more by hpt_slice_ask(). */
static void restore(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t before_ns = s->before_ns;

	if (!s->is_short)
		return;
	s->is_short = false;
	if (!env->change_slice_ns(SLICE_NS, before_ns)) {
		s->is_short = true;
		s->kind = HPT_SLICE_NONE;
	}
}

/*
 * A signal handler that sleeps between the change and its note, and one that jumped from there, leave a short slice,
 * which is not the thread's own.
 */
static void shorten(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t before_ns = env->change_slice_ns(0, SLICE_NS);

	if (!before_ns) {
		s->kind = HPT_SLICE_NONE;
		return;
	}
	s->before_ns = before_ns == s->kernels_ns || before_ns == SLICE_NS ? 0 : before_ns;
	s->is_short = true;
}

COLD void hpt_slice_ask(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t ns;

	restore(env, s);
	if (env->change_slice_ns)
		env->change_slice_ns(SLICE_NS, 0); /* the inherited one */
	ns = env->slice_ns ? env->slice_ns() : 0;
	if (ns <= 0)
		s->kind = HPT_SLICE_NONE;
	else if (ns <= SHORT_NS)
		s->kind = HPT_SLICE_SHORT;
	else
		s->kind = env->change_slice_ns ? HPT_SLICE_SETTABLE : HPT_SLICE_NONE;
	if (s->kind == HPT_SLICE_SETTABLE)
		s->kernels_ns = ask_kernels_ns(env, ns);
}

/* A sleep in a signal handler, within another one, follows no run. */
static void note_run(struct hpt_slice *s, int64_t now_ns)
{
	bool was_long = now_ns - s->ended_ns > RUN_MOST_NS;

	s->ended_ns = INT64_MAX;
	s->ran_long = (uint16_t)(s->ran_long - s->ran_long / RUNS + (was_long ? RUN_STEP - 1 : 0));
}

COLD void hpt_slice_follow(const struct hpt_env *env, struct hpt_slice *s, bool is_needed, int64_t now_ns)
{
	bool is_right;

	note_run(s, now_ns);
	is_right = is_needed && s->ran_long <= (s->is_short ? OFTEN : OFTEN / 2);
	if (is_right == s->is_short || s->kind != HPT_SLICE_SETTABLE)
		return;
	if (is_right)
		shorten(env, s);
	else
		restore(env, s);
}

COLD void hpt_slice_check(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t now_ns = env->slice_ns();

	if (now_ns && now_ns != SLICE_NS)
		s->is_short = false;
}
