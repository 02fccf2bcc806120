// SPDX-License-Identifier: MIT
/*
 * Compares /proc/stat and getrusage() before and after a measurement. What other processes used is the busy time of all
 * CPUs less this process's. The kernel samples the former at each jiffy and measures the latter, so that their
 * difference is an estimate: tools/cli/disturbance.h.
 */
#include "cli/disturbance.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cli/stopwatch.h"
#include "cli/out.h"
#include "math/units.h"

/* proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TIMES };

bool cpu_times_parse(const char *line, struct cpu_times *ret)
{
	struct cpu_times t = { 0 };
	uint64_t v[TIMES];

	if (strncmp(line, "cpu ", 4) != 0 ||
	    sscanf(line + 4, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64, &v[USER], &v[NICE], &v[SYSTEM], &v[IDLE], &v[IOWAIT], &v[IRQ], &v[SOFTIRQ],
		   &v[STEAL]) != TIMES)
		return false;
	for (int i = 0; i < TIMES; i++)
		t.total += v[i];
	t.steal = v[STEAL];
	t.busy = t.total - v[IDLE] - v[IOWAIT] - v[STEAL];
	if (!t.total)
		return false;
	*ret = t;
	return true;
}

static void read_cpu_times(struct cpu_times *ret)
{
	FILE *from = fopen("/proc/stat", "re");
	char line[512];

	if (!from)
		return;
	if (fgets(line, sizeof(line), from))
		cpu_times_parse(line, ret);
	fclose(from);
}

void disturbance_read(struct disturbance_reading *ret)
{
	struct rusage own = { 0 };

	*ret = (struct disturbance_reading){ 0 };
	getrusage(RUSAGE_THREAD, &own);
	ret->preemptions = (uint64_t)own.ru_nivcsw;
	ret->at_ns = stopwatch_os_ns(CLOCK_MONOTONIC);
	ret->own_cpu_ns = stopwatch_os_ns(CLOCK_PROCESS_CPUTIME_ID);
	read_cpu_times(&ret->cpus);
}

/* -1: unknown. */
static int64_t steal_ppm(const struct cpu_times *before, const struct cpu_times *after)
{
	if (!before->total || after->total <= before->total || after->steal < before->steal)
		return -1;
	return llround((double)(after->steal - before->steal) * PPM / (double)(after->total - before->total));
}

/* -1: unknown. The kernel's samples may miss some of this process's own time. */
static int64_t others_ppm(const struct disturbance_reading *before, const struct disturbance_reading *after)
{
	double busy_ns = (double)(after->cpus.busy - before->cpus.busy) * NS_PER_S / (double)sysconf(_SC_CLK_TCK);
	double others_ns = busy_ns - (double)(after->own_cpu_ns - before->own_cpu_ns);

	if (!before->cpus.total || after->cpus.busy < before->cpus.busy || after->at_ns <= before->at_ns)
		return -1;
	return others_ns > 0 ? llround(others_ns * PPM / (double)(after->at_ns - before->at_ns)) : 0;
}

void disturbance_between(const struct disturbance_reading *before, const struct disturbance_reading *after,
			     bool is_crowded, struct disturbance *ret)
{
	double most = (double)(after->at_ns - before->at_ns) / NS_PER_S * PREEMPTIONS_MAX_PER_S;

	*ret = (struct disturbance){
		.is_known = true, .steal_ppm = steal_ppm(&before->cpus, &after->cpus),
		.others_ppm = others_ppm(before, after), .preemptions = after->preemptions - before->preemptions,
	};
	ret->is_preempted = !is_crowded && (double)ret->preemptions > most;
	ret->is_disturbed = ret->steal_ppm > STEAL_MAX_PPM || ret->others_ppm > OTHERS_MAX_PPM ||
			    ret->is_preempted;
}

__attribute__((format(printf, 2, 3)))
static void add(struct disturbance_words *w, const char *fmt, ...)
{
	size_t n = strlen(w->s);
	va_list ap;

	if (n)
		n += (size_t)snprintf(w->s + n, sizeof(w->s) - n, ", ");
	va_start(ap, fmt);
	vsnprintf(w->s + n, sizeof(w->s) - n, fmt, ap);
	va_end(ap);
}

struct disturbance_words disturbance_words(const struct disturbance *d)
{
	struct disturbance_words w = { "" };

	if (d->others_ppm > OTHERS_MAX_PPM)
		add(&w, "other processes used %.2f CPUs", (double)d->others_ppm / PPM);
	if (d->steal_ppm > STEAL_MAX_PPM)
		add(&w, "the host took %.1f %% of the CPUs' time", (double)d->steal_ppm / PPM_PER_PERCENT);
	if (d->is_preempted)
		add(&w, "the measuring thread was preempted %" PRIu64 " times", d->preemptions);
	return w;
}

void disturbance_print(const struct disturbance *d, struct doc *doc)
{
	struct disturbance_words w = disturbance_words(d);

	if (*w.s)
		doc_note(doc, "Disturbed: %s. The tails are not the library's alone.", w.s);
}

static json_t *json_share(int64_t ppm)
{
	return ppm < 0 ? json_null() : json_integer(ppm);
}

json_t *disturbance_json(const struct disturbance *d)
{
	json_t *o;

	if (!d->is_known)
		return json_null();
	o = json_object();
	out_json_bool(o, "is_disturbed", d->is_disturbed);
	out_json_add(o, "steal_ppm", json_share(d->steal_ppm));
	out_json_add(o, "others_ppm", json_share(d->others_ppm));
	out_json_int(o, "preemptions", d->preemptions);
	return o;
}
