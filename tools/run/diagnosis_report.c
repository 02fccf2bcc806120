// SPDX-License-Identifier: MIT
/* Prints causes as text or as JSON: tools/run/diagnosis_report.h. */
#include "run/diagnosis_report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/format.h"
#include "cli/out.h"
#include "cli/util.h"
#include "run/call_names.h"
#include "run/ended.h"
#include "run/late_bins.h"

#define BINS HPT_TALLY_BINS

/* What each cause is called, and what helps. */
static const struct { const char *key, *name, *advice; } causes[HPT_CAUSES] = {
	[HPT_CAUSE_SLACK] = { "timer_slack", "timer slack",
		"The kernel may end waits later by the timer slack, 50 us if nobody set it, and those for\n"
		"descriptors by a thousandth of their length, to save wakes. hpt run takes the slack away, as\n"
		"does prctl(PR_SET_TIMERSLACK, 1) in the thread. Real-time threads have none." },
	[HPT_CAUSE_IDLE] = { "idle_exit", "idle exit",
		"The CPU was idle, and took its time to leave that state, or the host to wake a virtual CPU.\n"
		"hpt run waits less long and spins for the rest; its --low-latency, as root, keeps CPUs out of\n"
		"deep states." },
	[HPT_CAUSE_RUN_QUEUE] = { "run_queue", "run queue",
		"Other threads had the CPU when the wait ended. Fewer busy threads than CPUs, CPUs of its own\n"
		"(taskset, cpuset), a shorter time slice (hpt run --slice) or a real-time class (chrt) help." },
	[HPT_CAUSE_QUOTA] = { "quota", "quota",
		"A control group had used up its CPU time (cpu.max, a container's CPU limit), and all of its threads\n"
		"stood still until the next period. Raise the limit, or compute less at a time." },
	[HPT_CAUSE_STEAL] = { "steal", "steal",
		"The host ran other machines on the CPU. Ask for CPUs of its own, or another host." },
	[HPT_CAUSE_STOPPED] = { "stopped", "stopped",
		"The thread was stopped by a signal or a debugger (SIGSTOP, job control, ptrace), or its control\n"
		"group was frozen." },
	[HPT_CAUSE_SUSPEND] = { "suspend", "suspend",
		"The machine slept meanwhile." },
	[HPT_CAUSE_TICK] = { "tick", "timer tick",
		"The kernel's timers end at ticks alone: it runs without high resolution (highres=off, nohpet, or no\n"
		"usable timer of the CPUs)." },
	[HPT_CAUSE_UNKNOWN] = { "unknown", "unknown",
		"What a process may read does not explain it: interrupts that were off, firmware, or a sandbox that\n"
		"forbids to read." },
};

static const enum hpt_call ms_calls[] = { HPT_CALL_POLL, HPT_CALL_EPOLL_WAIT, HPT_CALL_EPOLL_PWAIT };

/* Programs that outlive the one waited for go on counting. */
struct snapshot {
	int64_t late_ns;
	uint64_t programs, unread;
	uint64_t punctual[HPT_CALLS], by_event[HPT_CALLS];
	uint64_t late[HPT_CALLS][HPT_CAUSES], lateness[HPT_CAUSES][BINS];
};

static uint64_t load(const _Atomic uint64_t *from)
{
	return atomic_load_explicit((_Atomic uint64_t *)from, memory_order_relaxed);
}

static struct snapshot snapshot_of(const struct hpt_diagnosis *d)
{
	struct snapshot s = { .late_ns = d->late_ns, .programs = load(&d->programs), .unread = load(&d->unread) };

	for (size_t i = 0; i < HPT_CALLS; i++) {
		s.punctual[i] = load(&d->punctual[i]);
		s.by_event[i] = load(&d->by_event[i]);
		for (size_t k = 0; k < HPT_CAUSES; k++)
			s.late[i][k] = load(&d->late[i][k]);
	}
	for (size_t k = 0; k < HPT_CAUSES; k++)
		for (size_t i = 0; i < BINS; i++)
			s.lateness[k][i] = load(&d->lateness[k][i]);
	return s;
}

static uint64_t late_of_call(const struct snapshot *s, size_t call)
{
	return late_bins_total(s->late[call], HPT_CAUSES);
}

static uint64_t late_of_cause(const struct snapshot *s, size_t cause)
{
	return late_bins_total(s->lateness[cause], BINS);
}

static uint64_t late_of_all(const struct snapshot *s)
{
	uint64_t n = 0;

	for (size_t k = 0; k < HPT_CAUSES; k++)
		n += late_of_cause(s, k);
	return n;
}

/* Waits that time ended. */
static uint64_t ended_by_time(const struct snapshot *s)
{
	return late_bins_total(s->punctual, HPT_CALLS) + late_of_all(s);
}

/* Those of functions that know no parts of a millisecond. */
static uint64_t in_whole_ms(const struct snapshot *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof(ms_calls) / sizeof(ms_calls[0]); i++)
		n += s->punctual[ms_calls[i]] + late_of_call(s, ms_calls[i]);
	return n;
}

/* The causes by how often they were: unknown last. */
static void order_causes(const struct snapshot *s, size_t ret[HPT_CAUSES])
{
	for (size_t k = 0; k < HPT_CAUSES; k++) {
		size_t cause = (k + 1) % HPT_CAUSES, i = k;

		for (; i && cause != HPT_CAUSE_UNKNOWN && late_of_cause(s, ret[i - 1]) < late_of_cause(s, cause); i--)
			ret[i] = ret[i - 1];
		ret[i] = cause;
	}
}

static int64_t clamped(uint64_t n)
{
	return n < INT64_MAX ? (int64_t)n : INT64_MAX;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *json_causes(const struct snapshot *s)
{
	json_t *all = xneed(json_object());

	for (size_t k = 0; k < HPT_CAUSES; k++) {
		json_t *one = xneed(json_object());

		out_json_sint(one, "wakes", clamped(late_of_cause(s, k)));
		out_json_sint(one, "median_below_ns", late_bins_below(s->lateness[k], BINS, 500));
		out_json_sint(one, "max_below_ns", late_bins_below(s->lateness[k], BINS, 1000));
		out_json_add(all, causes[k].key, one);
	}
	return all;
}

static json_t *json_calls(const struct snapshot *s)
{
	json_t *all = xneed(json_object());

	for (size_t i = 0; i < HPT_CALLS; i++) {
		json_t *one;

		if (!s->punctual[i] && !s->by_event[i] && !late_of_call(s, i))
			continue;
		one = xneed(json_object());
		out_json_sint(one, "punctual", clamped(s->punctual[i]));
		out_json_sint(one, "by_event", clamped(s->by_event[i]));
		for (size_t k = 0; k < HPT_CAUSES; k++)
			out_json_sint(one, causes[k].key, clamped(s->late[i][k]));
		out_json_add(all, call_names[i], one);
	}
	return all;
}

/* Those that are kept, as they came. */
static json_t *json_wakes(const struct hpt_diagnosis *d)
{
	json_t *all = xneed(json_array());

	for (size_t i = 0; i < HPT_DIAGNOSIS_WAKES; i++) {
		const struct hpt_late_wake *wake = &d->wakes[i];
		uint64_t at_ns = atomic_load_explicit((_Atomic uint64_t *)&wake->at_ns, memory_order_acquire);
		json_t *one;

		if (!at_ns || wake->call >= HPT_CALLS || wake->cause >= HPT_CAUSES)
			continue;
		one = xneed(json_object());
		out_json_sint(one, "at_ns", clamped(at_ns));
		out_json_sint(one, "late_ns", wake->late_ns);
		out_json_int(one, "process", wake->process);
		out_json_int(one, "thread", wake->thread);
		out_json_text(one, "function", call_names[wake->call]);
		out_json_text(one, "cause", causes[wake->cause].key);
		if (json_array_append_new(all, one))
			xneed(NULL);
	}
	return all;
}

void diagnosis_print_json(const struct hpt_diagnosis *d, const struct watched *w, const char *program, FILE *to)
{
	struct snapshot s = snapshot_of(d);
	json_t *o = out_json_new();
	char *line;

	out_json_text(o, "command", program);
	out_json_sint(o, "programs", clamped(s.programs));
	out_json_sint(o, "late_ns", s.late_ns);
	out_json_sint(o, "by_time", clamped(ended_by_time(&s)));
	out_json_sint(o, "late", clamped(late_of_all(&s)));
	out_json_sint(o, "whole_ms", clamped(in_whole_ms(&s)));
	out_json_sint(o, "unread", clamped(s.unread));
	out_json_add(o, "causes", json_causes(&s));
	out_json_add(o, "functions", json_calls(&s));
	out_json_add(o, "late_wakes", json_wakes(d));
	ended_json(o, w);
	line = xneed(json_dumps(o, JSON_COMPACT));
	fprintf(to, "%s\n", line);
	free(line);
	json_decref(o);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_table(struct libscols_table *tb, FILE *to)
{
	scols_table_set_stream(tb, to);
	out_table_print(tb);
}

static void print_facts(const struct snapshot *s, const struct watched *w, const char *program, FILE *to)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, "Command", "%s", program);
	ended_fact(tb, w);
	out_table_fact(tb, "Programs", "%" PRIu64 " were watched", s->programs);
	out_table_fact(tb, "Waits", "%" PRIu64 " ended by time, %" PRIu64 " of them more than %s late",
		       ended_by_time(s), late_of_all(s), format_span(s->late_ns).s);
	if (s->unread)
		out_table_fact(tb, "Not read", "%" PRIu64 " times, what the kernel shows of the thread", s->unread);
	print_table(tb, to);
}

static void print_calls(const struct snapshot *s, FILE *to)
{
	static const struct out_column columns[] = {
		{ "Function", 0 }, { "On time", SCOLS_FL_RIGHT }, { "Late", SCOLS_FL_RIGHT },
		{ "By event", SCOLS_FL_RIGHT }, { 0 },
	};
	struct libscols_table *tb = out_table_new(columns);

	for (size_t i = 0; i < HPT_CALLS; i++) {
		struct libscols_line *ln;

		if (!s->punctual[i] && !s->by_event[i] && !late_of_call(s, i))
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", call_names[i]);
		out_table_cell(ln, 1, "%" PRIu64, s->punctual[i]);
		out_table_cell(ln, 2, "%" PRIu64, late_of_call(s, i));
		out_table_cell(ln, 3, "%" PRIu64, s->by_event[i]);
	}
	print_table(tb, to);
}

static void print_causes(const struct snapshot *s, const size_t order[HPT_CAUSES], FILE *to)
{
	static const struct out_column columns[] = {
		{ "Cause", 0 }, { "Late wakes", SCOLS_FL_RIGHT }, { "Share", SCOLS_FL_RIGHT },
		{ "Median late", SCOLS_FL_RIGHT }, { "Max", SCOLS_FL_RIGHT }, { 0 },
	};
	struct libscols_table *tb = out_table_new(columns);
	uint64_t all = late_of_all(s);

	for (size_t i = 0; i < HPT_CAUSES; i++) {
		const uint64_t *bins = s->lateness[order[i]];
		uint64_t n = late_of_cause(s, order[i]);
		struct libscols_line *ln;

		if (!n)
			continue;
		ln = out_table_line(tb);
		out_table_cell(ln, 0, "%s", causes[order[i]].name);
		out_table_cell(ln, 1, "%" PRIu64, n);
		out_table_cell(ln, 2, "%.0f %%", 100.0 * (double)n / (double)all);
		out_table_cell(ln, 3, "< %s", format_span(late_bins_below(bins, BINS, 500)).s);
		out_table_cell(ln, 4, "< %s", format_span(late_bins_below(bins, BINS, 1000)).s);
	}
	print_table(tb, to);
}

static void print_advice(const struct snapshot *s, const size_t order[HPT_CAUSES], FILE *to)
{
	for (size_t i = 0; i < HPT_CAUSES; i++)
		if (late_of_cause(s, order[i]))
			fprintf(to, "\n%s: %s\n", causes[order[i]].name, causes[order[i]].advice);
}

/* No lateness of the kernel's. */
static void print_whole_ms(const struct snapshot *s, FILE *to)
{
	uint64_t n = in_whole_ms(s);

	if (!n)
		return;
	fprintf(to, "\nwhole milliseconds: %" PRIu64 " waits of poll, epoll_wait or epoll_pwait, which know no\n",
		n);
	fputs("parts of one. What the program has to do may be due up to 1 ms before they end, or after it, and is\n"
	      "not counted above. ppoll and epoll_pwait2 take nanoseconds.\n", to);
}

void diagnosis_print(const struct hpt_diagnosis *d, const struct watched *w, const char *program, FILE *to)
{
	struct snapshot s = snapshot_of(d);
	size_t order[HPT_CAUSES];

	print_facts(&s, w, program, to);
	if (ended_by_time(&s) || late_bins_total(s.by_event, HPT_CALLS)) {
		fputc('\n', to);
		print_calls(&s, to);
	}
	order_causes(&s, order);
	if (late_of_all(&s)) {
		fputc('\n', to);
		print_causes(&s, order, to);
	}
	print_advice(&s, order, to);
	print_whole_ms(&s, to);
}
