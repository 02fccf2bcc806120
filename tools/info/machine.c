// SPDX-License-Identifier: MIT
/* Gathers facts about clock, kernel and processor, and prints them as JSON or as a table: tools/info/machine.h. */
#include "info/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info/core.h"
#include "info/cpu_facts.h"
#include "cli/facts.h"
#include "cli/format.h"
#include "info/idle.h"
#include "info/kernel_aids.h"
#include "cli/out.h"
#include "cli/util.h"
#include "info/vdso.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* The bound after 2 s of use, and the longest read that it holds for. */
#define LATER_PPB     600
#define QUICK_READ_PS 30000

/*
 * Opens the same source again to measure its cost by more reads than load takes. Where that fails, or now takes the
 * other one of two ordered reads that cost the same, load's cost stays.
 */
static void measure_cost(struct hpt_clock_info *info)
{
	struct hpt_clock_info mine;
	hpt_clock *clk;

	if (hpt_clock_open(info->source, 0, &clk))
		return;
	if (!hpt_clock_get_info(clk, &mine, sizeof(mine)) && mine.read_cost_samples &&
	    mine.ordered_read == info->ordered_read) {
		info->read_cost_mean_ps = mine.read_cost_mean_ps;
		info->read_cost_stddev_ps = mine.read_cost_stddev_ps;
		info->read_cost_samples = mine.read_cost_samples;
		info->read_cost_dropped = mine.read_cost_dropped;
		info->granularity_ns = mine.granularity_ns;
		info->rdtscp_mean_ps = mine.rdtscp_mean_ps;
		info->lfence_rdtsc_mean_ps = mine.lfence_rdtsc_mean_ps;
	}
	hpt_clock_close(clk);
}

/* The library asks the kernel only where its choice depends on the answer. */
static void read_clocksource(const char *known, char *ret, size_t size)
{
	snprintf(ret, size, "%s", known);
	if (!*ret)
		read_first_line(CLOCKSOURCE, ret, size);
}

bool machine_get(struct machine *r)
{
	if (hpt_clock_get_info(NULL, &r->clock, sizeof(r->clock)))
		return false;
	if (r->clock.flags & HPT_CLOCK_ENV_REFUSED)
		r->requested = source_facts(r->clock.env_requested);
	measure_cost(&r->clock);
	r->has_cpu = !hpt_cpu_get_info(&r->cpu, sizeof(r->cpu));
	vdso_measure(&r->vdso);
	idle_measure(&r->wake);
	kernel_aids_get(&r->aids);
	core_get(&r->core);
	read_clocksource(r->clock.kernel_clocksource, r->clocksource, sizeof(r->clocksource));
	return true;
}

static void json_environment(json_t *o, const struct machine *r)
{
	const struct hpt_clock_info *c = &r->clock;
	bool refused = c->flags & HPT_CLOCK_ENV_REFUSED;

	out_json_text(o, "requested", c->env_requested ? hpt_source_name(c->env_requested) : NULL);
	out_json_text(o, "env_source", *c->env_source ? c->env_source : NULL);
	out_json_bool(o, "env_unknown", c->flags & HPT_CLOCK_ENV_UNKNOWN);
	out_json_bool(o, "env_refused", refused);
	out_json_text(o, "env_refused_reason", refused ? hpt_reason_text(r->requested.reason) : NULL);
}

static const char *ordered_read_name(uint32_t ordered_read)
{
	return ordered_read == HPT_ORDERED_RDTSCP ? "rdtscp" :
	       ordered_read == HPT_ORDERED_LFENCE_RDTSC ? "lfence;rdtsc" : NULL;
}

static void json_clock(json_t *o, const struct hpt_clock_info *c)
{
	out_json_text(o, "source", hpt_source_name(c->source));
	out_json_text(o, "counter", format_counter(c->source));
	out_json_text(o, "reason", hpt_reason_text(c->reason));
	out_json_int(o, "reason_code", c->reason);
	out_json_int(o, "frequency_hz", (c->frequency_uhz + 500000) / 1000000);
	out_json_int(o, "frequency_uhz", c->frequency_uhz);
	out_json_int(o, "frequency_error_ppb", c->frequency_error_ppb);
	out_json_text(o, "frequency_origin", hpt_origin_name(c->frequency_origin));
	out_json_int(o, "granularity_ns", c->granularity_ns);
	out_json_int(o, "read_cost_ps", c->read_cost_mean_ps);
	out_json_int(o, "read_cost_stddev_ps", c->read_cost_stddev_ps);
	out_json_text(o, "ordered_read", ordered_read_name(c->ordered_read));
	out_json_int(o, "rdtscp_ps", c->rdtscp_mean_ps);
	out_json_int(o, "lfence_rdtsc_ps", c->lfence_rdtsc_mean_ps);
	out_json_text(o, "state", hpt_state_name(c->state));
	out_json_bool(o, "vetoed", c->flags & HPT_CLOCK_VETOED);
	out_json_int(o, "generation", c->generation);
	out_json_int(o, "counter_bits", c->counter_bits);
	out_json_sint(o, "epoch_ticks", c->epoch_ticks);
	out_json_sint(o, "epoch_ns", c->epoch_ns);
	out_json_sint(o, "epoch_unix_ns", c->epoch_unix_ns);
	if (c->os_error_ns == INT64_MAX)
		json_object_set_new(o, "os_error_ns", json_null());
	else
		out_json_sint(o, "os_error_ns", c->os_error_ns);
}

json_t *machine_json(const struct machine *r)
{
	json_t *o = out_json_new(), *kernel = json_object(), *cpu = r->has_cpu ? json_object() : json_null();

	json_clock(o, &r->clock);
	json_environment(o, r);
	out_json_add(o, "kernel", kernel);
	out_json_text(kernel, "clocksource", *r->clocksource ? r->clocksource : NULL);
	out_json_int(kernel, "hz", hpt_kernel_hz());
	out_json_bool(kernel, "vdso", r->vdso.is_virtual);
	out_json_int(kernel, "clock_gettime_ps", r->vdso.libc_ps);
	out_json_int(kernel, "syscall_ps", r->vdso.syscall_ps);
	idle_json(kernel, &r->wake);
	kernel_aids_json(kernel, &r->aids);
	out_json_add(o, "core", core_json(&r->core));
	out_json_add(o, "cpu", cpu);
	if (r->has_cpu)
		cpu_facts_json(cpu, &r->cpu);
	return o;
}

static void text_environment(struct libscols_table *tb, const struct machine *r)
{
	const struct hpt_clock_info *c = &r->clock;

	if (c->flags & HPT_CLOCK_ENV_UNKNOWN)
		out_table_fact(tb, "Environment", "HPT_SOURCE \"%s\" names no source: ignored", c->env_source);
	else if (c->flags & HPT_CLOCK_ENV_REFUSED)
		out_table_fact(tb, "Environment", "HPT_SOURCE asks for %s, which cannot be used: %s",
			       hpt_source_name(c->env_requested), hpt_reason_text(r->requested.reason));
	else if (*c->env_source)
		out_table_fact(tb, "Environment", "HPT_SOURCE=%s", c->env_source);
}

static void text_frequency(struct libscols_table *tb, const struct hpt_clock_info *c)
{
	if (c->frequency_origin == HPT_ORIGIN_NONE)
		out_table_fact(tb, "Frequency",
			       "could not be measured: the counter and the system's clock contradict each other");
	else if (c->frequency_origin == HPT_ORIGIN_EXACT)
		out_table_fact(tb, "Frequency", "%s by definition", format_frequency(c->frequency_uhz).s);
	else
		out_table_fact(tb, "Frequency", "%s %s %s ppm, %s", format_frequency(c->frequency_uhz).s,
			       format_plus_minus(), format_ppm(c->frequency_error_ppb).s,
			       c->frequency_origin == HPT_ORIGIN_REGISTER ? "stated by the hardware" :
			       c->frequency_origin == HPT_ORIGIN_KERNEL ? "the kernel's own" : "measured");
	/* hpt_source(7) has these bounds for a read of 20 ns. */
	if (c->frequency_origin == HPT_ORIGIN_MEASURED && c->frequency_error_ppb > LATER_PPB &&
	    c->read_cost_mean_ps && c->read_cost_mean_ps <= QUICK_READ_PS)
		out_table_fact(tb, "", "this bound is up to 6 ppm after 1 s of use, and 0.6 after 2 s");
}

/* Where the OS clock won by itself: why no counter did. */
static void text_rejected(struct libscols_table *tb, const struct hpt_clock_info *c)
{
	static const uint32_t counters[] = { HPT_SOURCE_TSC, HPT_SOURCE_ARCH, HPT_SOURCE_HPET };

	if (c->source != HPT_SOURCE_OS || c->reason == HPT_REASON_REQUESTED || c->reason == HPT_REASON_REQUESTED_ENV)
		return;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		struct hpt_source_info s = source_facts(counters[i]);

		if (s.reason != HPT_REASON_NONE && s.reason != HPT_REASON_NOT_BUILT)
			out_table_fact(tb, "Rejected", "%s: %s", hpt_source_name(counters[i]),
				       hpt_reason_text(s.reason));
	}
}

/* The chosen instruction first, then the other one if it was compared: "lfence;rdtsc 17.2 ns, rdtscp 19.6 ns". */
static void text_ordered_read(struct libscols_table *tb, const struct hpt_clock_info *c)
{
	bool is_lfence = c->ordered_read == HPT_ORDERED_LFENCE_RDTSC;
	uint64_t own_ps = is_lfence ? c->lfence_rdtsc_mean_ps : c->rdtscp_mean_ps;
	uint64_t other_ps = is_lfence ? c->rdtscp_mean_ps : c->lfence_rdtsc_mean_ps;
	const char *own = ordered_read_name(c->ordered_read);

	if (own && other_ps)
		out_table_fact(tb, "Ordered read", "%s %s ns, %s %s ns", own, format_ns(own_ps).s,
			       is_lfence ? "rdtscp" : "lfence;rdtsc", format_ns(other_ps).s);
	else if (own)
		out_table_fact(tb, "Ordered read", "%s %s ns", own, format_ns(own_ps).s);
}

/* Of hpt_now_unix_ns(), hpt_now_monotonic_ns() and the like. */
static void text_kernel_time(struct libscols_table *tb, const struct hpt_clock_info *c)
{
	if (!c->os_error_ns)
		out_table_fact(tb, "Kernel's time", "by the kernel itself");
	else if (c->os_error_ns != INT64_MAX)
		out_table_fact(tb, "Kernel's time", "by this clock, %s %s at the moment", format_plus_minus(),
			       format_span(c->os_error_ns).s);
}

static void text_clock(struct libscols_table *tb, const struct hpt_clock_info *c)
{
	const char *counter = format_counter(c->source);

	out_table_fact(tb, "Source", counter ? "%s: %s" : "%s", hpt_source_name(c->source), counter);
	out_table_fact(tb, "Reason", "%s%s", c->flags & HPT_CLOCK_VETOED ? "on request, although " : "",
		       hpt_reason_text(c->reason));
	text_rejected(tb, c);
	out_table_fact(tb, "State", "%s, generation %" PRIu64, hpt_state_name(c->state), c->generation);
	text_frequency(tb, c);
	if (c->granularity_ns)
		out_table_fact(tb, "Granularity", "%u ns", c->granularity_ns);
	else
		out_table_fact(tb, "Granularity", "coarser than could be seen");
	if (c->read_cost_mean_ps)
		out_table_fact(tb, "One read", "%s ns %s %s ns", format_ns(c->read_cost_mean_ps).s,
			       format_plus_minus(), format_ns(c->read_cost_stddev_ps).s);
	text_ordered_read(tb, c);
	text_kernel_time(tb, c);
}

static void text_kernel(struct libscols_table *tb, const struct machine *r)
{
	uint32_t hz = hpt_kernel_hz();
	char ticks[48] = "";

	if (hz)
		snprintf(ticks, sizeof(ticks), ", %u timer ticks a second", hz);
	out_table_fact(tb, "Kernel", "clocksource %s%s", *r->clocksource ? r->clocksource : "unreadable", ticks);
	if (!r->vdso.libc_ps)
		out_table_fact(tb, "clock_gettime", "not measured: forbidden here, or it stands still");
	else
		out_table_fact(tb, "clock_gettime", "%s: %s ns, by system call %s ns",
			       r->vdso.is_virtual ? "virtual" : "not virtual", format_ns(r->vdso.libc_ps).s,
			       format_ns(r->vdso.syscall_ps).s);
}

static void text_cpu(struct libscols_table *tb, const struct hpt_cpu_info *cpu)
{
	out_table_fact(tb, "CPU", "%s", *cpu->brand ? cpu->brand : cpu->vendor_id);
	out_table_fact(tb, "", "%s family %u model %u stepping %u", cpu->vendor, cpu->family, cpu->model,
		       cpu->stepping);
	out_table_fact(tb, "CPU's TSC", "%s%s%s", format_class(cpu->tsc_class), cpu->rdtscp ? ", RDTSCP" : "",
		       cpu->hypervisor ? ", in a virtual machine" : "");
}

struct libscols_table *machine_table(const struct machine *r)
{
	struct libscols_table *tb = out_table_new_facts();

	text_clock(tb, &r->clock);
	text_environment(tb, r);
	text_kernel(tb, r);
	idle_table(tb, &r->wake);
	kernel_aids_table(tb, &r->aids);
	if (r->has_cpu)
		text_cpu(tb, &r->cpu);
	core_table(tb, &r->core);
	return tb;
}
