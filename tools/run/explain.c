// SPDX-License-Identifier: MIT
/* Prints what "hpt run" found and what follows from it: tools/run/explain.h. */
#include "run/explain.h"

#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include "hpt/hpt.h"

#include "sleep/spin_terms.h"

#include "cli/format.h"
#include "cli/out.h"
#include "info/vdso.h"
#include "run/elf_facts.h"

#ifndef SCHED_EXT
#define SCHED_EXT 7 /* Linux 6.12 */
#endif

/* NULL: a class that is newer than this text. */
static const char *class_name(int policy)
{
	static const char *const names[] = {
		[SCHED_OTHER] = "SCHED_OTHER", [SCHED_FIFO] = "SCHED_FIFO", [SCHED_RR] = "SCHED_RR",
		[SCHED_BATCH] = "SCHED_BATCH", [SCHED_IDLE] = "SCHED_IDLE", [SCHED_DEADLINE] = "SCHED_DEADLINE",
		[SCHED_EXT] = "SCHED_EXT",
	};

	return policy >= 0 && (size_t)policy < sizeof(names) / sizeof(names[0]) ? names[policy] : NULL;
}

/* ---- What was set ------------------------------------------------------------------------------------------------ */

static void object_fact(struct libscols_table *tb, const struct launch *l, const struct launched *d)
{
	if (!l->is_loaded)
		out_table_fact(tb, "Object", "none is added to LD_PRELOAD, because of --no-preload");
	else if (!d->path)
		out_table_fact(tb, "Object", "no file of this name can be run");
	else if (d->hindrance)
		out_table_fact(tb, "Object", "is not loaded: %s", d->hindrance);
	else
		out_table_fact(tb, "Object", "%s is loaded%s", d->object, elf_facts_can_read() ? "" :
			       " if CMD's file permits it: this command is built without libelf, and did not look");
}

static void slack_fact(struct libscols_table *tb, const struct launched *d)
{
	if (!d->slack_before_ns && !d->slack_ns)
		out_table_fact(tb, "Timer slack", "none, for this scheduling class");
	else if (d->slack_ns == d->slack_before_ns)
		out_table_fact(tb, "Timer slack", "stays %s", format_span(d->slack_ns).s);
	else
		out_table_fact(tb, "Timer slack", "%s instead of %s", format_span(d->slack_ns).s,
			       format_span(d->slack_before_ns).s);
}

static void slice_fact(struct libscols_table *tb, const struct launched *d)
{
	if (!d->slice_ns)
		out_table_fact(tb, "Time slice", "none that can be set, by this kernel or scheduling class");
	else if (d->slice_ns == d->slice_before_ns)
		out_table_fact(tb, "Time slice", "stays %s", format_span(d->slice_ns).s);
	else
		out_table_fact(tb, "Time slice", "%s instead of %s", format_span(d->slice_ns).s,
			       format_span(d->slice_before_ns).s);
}

static void waits_fact(struct libscols_table *tb, const struct launch *l)
{
	static const char *const facts[HPT_RUN_WAITS_KINDS] = {
		[HPT_RUN_WAITS_NONE] = "those that events end too are left alone: --waits=none",
		[HPT_RUN_WAITS_ALL] = "those that events end too are served",
		[HPT_RUN_WAITS_MS] = "those that events end too are served, polls and epoll in whole milliseconds",
	};

	out_table_fact(tb, "Waits", "%s", facts[l->waits]);
}

static void clock_fact(struct libscols_table *tb)
{
	struct vdso vdso;

	vdso_measure(&vdso);
	out_table_fact(tb, "Clock", "the C library's, %s", vdso.is_virtual ? "without a system call" :
		       "by system calls, which make sleeps end later");
}

/* ---- What limits spinning ---------------------------------------------------------------------------------------- */

static void limits_facts(struct libscols_table *tb, const struct launched *d)
{
	const struct hpt_surroundings *s = &d->surroundings;
	const char *name = class_name(d->policy);

	if (name)
		out_table_fact(tb, "Class", "%s", name);
	else
		out_table_fact(tb, "Class", "%d, which is newer than this program", d->policy);
	out_table_fact(tb, "CPUs", "%" PRIu32 " that it may use", s->cpus);
	if (s->quota_millicpus)
		out_table_fact(tb, "CPU quota", "%" PRIu32 ".%03" PRIu32 " CPUs, the least of its control groups",
			       s->quota_millicpus / 1000, s->quota_millicpus % 1000);
	else
		out_table_fact(tb, "CPU quota", "none, or none that can be read");
	if (s->rttime_ns < INT64_MAX)
		out_table_fact(tb, "RLIMIT_RTTIME", "%s between two waits, for real-time threads",
			       format_span(s->rttime_ns).s);
	else
		out_table_fact(tb, "RLIMIT_RTTIME", "none");
}

/* What decided, as the object sees it. */
static const char *why(const struct hpt_spin_terms *t)
{
	switch (t->limit) {
	case HPT_SPIN_LIMIT_RTTIME:
		return "RLIMIT_RTTIME";
	case HPT_SPIN_LIMIT_QUOTA:
		return "the CPU quota";
	case HPT_SPIN_LIMIT_SMALL_QUOTA:
		return "the CPU quota: a spin would use it up, and then all threads stand still";
	case HPT_SPIN_LIMIT_DEADLINE:
		return "SCHED_DEADLINE: a spin would use up the run time that the kernel reserves";
	default:
		return "the number of CPUs";
	}
}

#define ANY UINT32_MAX

/* As places_of() in lib/preload/nap.c. */
static uint32_t spinners_of(const struct hpt_spin_terms *t, uint32_t policy)
{
	switch (policy) {
	case HPT_SLEEP_STRICT:
		return t->strict_spinners;
	case HPT_SLEEP_SPIN:
		return t->strict_spinners ? ANY : 0;
	default:
		return t->spinners;
	}
}

/* As process_millicpus() there. */
static uint64_t together_millicpus(const struct hpt_spin_terms *t, uint32_t spinners, int64_t budget_percent)
{
	uint64_t millicpus = UINT64_C(10) * (uint64_t)budget_percent * spinners;

	return spinners != ANY && millicpus < t->process_millicpus ? millicpus : t->process_millicpus;
}

/* Whose threads these are. */
static void crowd_fact(struct libscols_table *tb, const struct launched *d)
{
	if (d->crowd_error)
		out_table_fact(tb, "", "counted in each program alone: no memory can be shared: %s",
			       strerror(d->crowd_error));
	else
		out_table_fact(tb, "", "counted over all of this user's programs under hpt run on these CPUs");
}

static void bounds_facts(struct libscols_table *tb, const struct launch *l, const struct launched *d,
			 const struct hpt_spin_terms *t)
{
	uint32_t spinners = spinners_of(t, l->policy);
	uint64_t millicpus = together_millicpus(t, spinners, l->budget_percent);

	if (spinners == ANY)
		out_table_fact(tb, "Spinning", "by any number of threads at one time");
	else
		out_table_fact(tb, "Spinning", "by %" PRIu32 " thread%s at one time", spinners,
			       spinners == 1 ? "" : "s");
	if (spinners != ANY)
		crowd_fact(tb, d);
	out_table_fact(tb, "", "%" PRId64 " %% of a thread's time, by --budget", l->budget_percent);
	if (millicpus < ANY)
		out_table_fact(tb, "", "%" PRIu64 ".%03" PRIu64 " of a CPU by all threads together",
			       millicpus / 1000, millicpus % 1000);
	out_table_fact(tb, "", "no longer than %s between two waits", format_span(t->block_after_ns).s);
	out_table_fact(tb, "Limited by", "%s", why(t));
}

static void spin_facts(struct libscols_table *tb, const struct launch *l, const struct launched *d)
{
	struct hpt_spin_terms t;

	hpt_spin_terms(&d->surroundings, &t);
	if (l->policy == HPT_SLEEP_NOSPIN || !l->budget_percent)
		out_table_fact(tb, "Spinning", "none, because of %s", l->budget_percent ? "--policy" : "--budget");
	else if (!spinners_of(&t, l->policy))
		out_table_fact(tb, "Spinning", "none, because of %s", why(&t));
	else
		bounds_facts(tb, l, d, &t);
}

void explain_print(const struct launch *l, const struct launched *d, const char *command, FILE *to)
{
	struct libscols_table *tb = out_table_new_facts();

	if (d->path)
		out_table_fact(tb, "Command", "%s: %s", command, d->path);
	else
		out_table_fact(tb, "Command", "%s", command);
	object_fact(tb, l, d);
	slack_fact(tb, d);
	slice_fact(tb, d);
	if (l->is_loaded && d->path && !d->hindrance) {
		clock_fact(tb);
		waits_fact(tb, l);
	}
	limits_facts(tb, d);
	if (l->is_loaded && d->path && !d->hindrance)
		spin_facts(tb, l, d);
	scols_table_set_stream(tb, to);
	out_table_print(tb);
}
