// SPDX-License-Identifier: MIT
/* Runs on an emulated processor: uses the clock and the TSC, and prints the library's decisions for cpu_models.py. */
#include "check.h"
#include "process.h"
#include "hpt/system.h"

/* A TSC that is asked for by name is read even where it is not trusted. */
static int use_tsc(void)
{
	hpt_clock *clk = NULL;
	int r = hpt_clock_open(HPT_SOURCE_TSC, 0, &clk);

	if (!r)
		failures += check_clock(clk);
	hpt_clock_close(clk);
	return -r;
}

int main(void)
{
	static const char *const classes[] = { "no-tsc", "not-constant", "constant-by-family", "invariant" };
	struct hpt_source_info tsc = { 0 }, hpet = { 0 };
	struct hpt_clock_info clock = { 0 };
	struct hpt_cpu_info cpu = { 0 };
	int tsc_errno;

	CHECK(!hpt_clock_get_info(NULL, &clock, sizeof(clock)), "no info");
	CHECK(!hpt_source_get_info(HPT_SOURCE_TSC, &tsc, sizeof(tsc)), "no info");
	CHECK(!hpt_source_get_info(HPT_SOURCE_HPET, &hpet, sizeof(hpet)), "no info");
	CHECK(!hpt_cpu_get_info(&cpu, sizeof(cpu)), "no CPUID");
	failures += check_clock(NULL);
	tsc_errno = use_tsc();
	printf("{\"vendor\": \"%s\", \"family\": %u, \"model\": %u, \"class\": \"%s\", \"rdtscp\": %u, \"sse2\": %u,"
	       " \"hypervisor\": %u, \"source\": \"%s\", \"tsc_reason\": %u, \"tsc_errno\": %d, \"hpet_reason\": %u}\n",
	       cpu.vendor, cpu.family, cpu.model, classes[cpu.tsc_class & 3], cpu.rdtscp, cpu.sse2, cpu.hypervisor,
	       hpt_source_name(clock.source), tsc.reason, tsc_errno, hpet.reason);
	return failures != 0;
}
