// SPDX-License-Identifier: MIT
/* Sets a thread's time slice and restores it: lib/sleep/slice.h. */
#include "sleep/slice.h"

#include "arch/arch.h"

/* The shortest that the kernel takes (sched_setattr(2), Linux 6.12). Its own is 0.7 to 3 ms (base_slice_ns). */
#define SLICE_NS 100000

/* With one of up to this a thread preempts those that have the kernel's own. */
#define SHORT_NS 500000

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

COLD void hpt_slice_ask(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t ns;

	hpt_slice_restore(env, s);
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

/*
 * A signal handler that sleeps at any point of these two, or between them, restores the thread's slice; where it found
 * a short one that was not noted yet, that.
 */
COLD void hpt_slice_shorten(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t before_ns;

	if (s->kind != HPT_SLICE_SETTABLE || s->is_short)
		return;
	before_ns = env->change_slice_ns(0, SLICE_NS);
	if (!before_ns) { /* a filter has come, or another scheduling class */
		s->kind = HPT_SLICE_NONE;
		return;
	}
	s->before_ns = before_ns == s->kernels_ns ? 0 : before_ns;
	s->is_short = true;
}

COLD void hpt_slice_restore(const struct hpt_env *env, struct hpt_slice *s)
{
	int64_t before_ns = s->before_ns;

	if (!s->is_short)
		return;
	s->is_short = false;
	env->change_slice_ns(SLICE_NS, before_ns);
}
