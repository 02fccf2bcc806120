// SPDX-License-Identifier: MIT
/* What was published in 2012 and 2013, to be read beside what is measured: published.h. */
#include "bench/published.h"

#include <stddef.h>

/* The project's page, table 1, microseconds a call; -: not given. */
static const struct { const char *cpu, *system_us, *timer_us, *note; } costs[] = {
	{ "Intel Core i7-2600", "0.031", "0.017", "" },
	{ "Intel Core i5-3337U", "0.044", "0.019", "" },
	{ "AMD Opteron 4238", "0.061", "0.031", "" },
	{ "AMD Athlon X2 BE-2350", "1.117", "1.063", "HPET" },
	{ "VIA Nano X2 U4025", "0.102", "0.038", "" },
	{ "ARM Cortex-A8", "1.262", "0.391", "" },
	{ "ARM Cortex-A9", "-", "0.508", "system clock steps of 30.5 us" },
	{ "ARM Cortex-A5", "2.069", "0.636", "" },
};

/* The papers' tables 1 to 3 and the thesis: nanoseconds a read. */
static const struct { const char *cpu, *source, *mean_ns, *stddev_ns; } reads[] = {
	{ "VIA Nano X2", "TSC", "38.231", "0.3134" },
	{ "VIA Nano X2", "HPET", "598.72", "76.015" },
	{ "VIA Nano X2", "OS", "102.20", "0.5253" },
	{ "AMD Athlon X2", "TSC", "25.1", "1.5" },
	{ "AMD Athlon X2", "HPET", "1063.3", "207.9" },
	{ "AMD Athlon X2", "OS", "1117.4", "374.3" },
	{ "Intel Core i7-2600", "RDTSC", "10.2031", "20.9812" },
	{ "Intel Core i7-2600", "RDTSCP", "16.9097", "21.8443" },
	{ "Intel Core i7-2600", "clock_gettime(REALTIME)", "31.232", "45.056" },
	{ "Intel Core i7-2600", "clock_gettime(MONOTONIC)", "34.119", "53.927" },
};

/* The papers' sweep on a machine of HZ = 1000: means. */
static const struct { const char *way, *long_us, *short_us, *cpu; } sleeps[] = {
	{ "system sleep", "61.985", "50.879", "0.016 %" },
	{ "busy wait", "0.160", "0.070", "99.681 %" },
	{ "papers' rule", "0.258", "0.095", "1.892 % (1.504 % at and above 1/HZ, 98.32 % below)" },
};

#define N(table) (sizeof(table) / sizeof(table[0]))

static void print_costs(struct hpt_doc *doc)
{
	static const struct hpt_column columns[] = {
		{ "PUBLISHED 2012-13", 0 }, { "SYSTEM us", SCOLS_FL_RIGHT }, { "TIMER us", SCOLS_FL_RIGHT }, { "", 0 }, { 0 },
	};
	struct libscols_table *tb = hpt_table_new(columns);

	for (size_t i = 0; i < N(costs); i++) {
		struct libscols_line *ln = hpt_table_line(tb);

		hpt_table_cell(ln, 0, "%s", costs[i].cpu);
		hpt_table_cell(ln, 1, "%s", costs[i].system_us);
		hpt_table_cell(ln, 2, "%s", costs[i].timer_us);
		hpt_table_cell(ln, 3, "%s", costs[i].note);
	}
	hpt_doc_table(doc, tb);
}

static void tell_sources(struct hpt_doc *doc)
{
	static const struct hpt_column columns[] = {
		{ "PUBLISHED 2012-13", 0 }, { "READ", 0 }, { "MEAN ns", SCOLS_FL_RIGHT }, { "STDDEV ns", SCOLS_FL_RIGHT }, { 0 },
	};
	struct libscols_table *tb = hpt_table_new(columns);

	for (size_t i = 0; i < N(reads); i++) {
		struct libscols_line *ln = hpt_table_line(tb);

		hpt_table_cell(ln, 0, "%s", reads[i].cpu);
		hpt_table_cell(ln, 1, "%s", reads[i].source);
		hpt_table_cell(ln, 2, "%s", reads[i].mean_ns);
		hpt_table_cell(ln, 3, "%s", reads[i].stddev_ns);
	}
	hpt_doc_table(doc, tb);
}

void hpt_published_tell_reads(struct hpt_doc *doc)
{
	hpt_doc_heading(doc, "What the papers published: a system call for the time, and setting one of their timers");
	print_costs(doc);
	hpt_doc_heading(doc, "What the papers published: reads by source");
	tell_sources(doc);
	hpt_doc_note(doc, "The project's page calls nearly the same numbers unfiltered that the papers call filtered.");
}

void hpt_published_tell_sleeps(struct hpt_doc *doc)
{
	static const struct hpt_column columns[] = {
		{ "PUBLISHED 2012-13", 0 }, { ">= 1/HZ us", SCOLS_FL_RIGHT }, { "< 1/HZ us", SCOLS_FL_RIGHT }, { "CPU", 0 }, { 0 },
	};
	struct libscols_table *tb = hpt_table_new(columns);

	hpt_doc_heading(doc, "What the papers published: mean miss of a call over the same sweep, 1/HZ = 1 ms");
	for (size_t i = 0; i < N(sleeps); i++) {
		struct libscols_line *ln = hpt_table_line(tb);

		hpt_table_cell(ln, 0, "%s", sleeps[i].way);
		hpt_table_cell(ln, 1, "%s", sleeps[i].long_us);
		hpt_table_cell(ln, 2, "%s", sleeps[i].short_us);
		hpt_table_cell(ln, 3, "%s", sleeps[i].cpu);
	}
	hpt_doc_table(doc, tb);
}
