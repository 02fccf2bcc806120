// SPDX-License-Identifier: MIT
/* Every public function, on every source there is; for tools that watch memory. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "process.h"

static void use_source(uint32_t id)
{
	struct hpt_source_info info;
	hpt_clock *clk = NULL;
	int r = hpt_clock_open(id, &clk);

	CHECK(!r == !!clk, "open: %d", r);
	CHECK(!hpt_source_get_info(id, &info, sizeof(info)) && info.usable == !r, "info of source %u", id);
	CHECK(*hpt_source_name(id) && *hpt_reason_text(info.reason), "no words for source %u", id);
	if (clk)
		failures += check_clock(clk);
	hpt_clock_close(clk);
	CHECK(hpt_clock_set_default(id) == r, "as the default");
	failures += check_clock(NULL);
}

static void use_facts(void)
{
	struct hpt_cpu_info cpu;

	memset(&cpu, 0xff, sizeof(cpu));
	if (!hpt_cpu_get_info(&cpu, sizeof(cpu)))
		CHECK(strlen(cpu.vendor_id) <= 12 && *cpu.vendor && strlen(cpu.brand) < sizeof(cpu.brand) &&
		      cpu.cores_online, "the processor");
	CHECK(hpt_kernel_hz() < 100000, "%u Hz", hpt_kernel_hz());
	CHECK(!strcmp(hpt_version(), HPT_VERSION_STRING), "version %s", hpt_version());
	CHECK(hpt_clock_open(HPT_SOURCE_MMIO + 1, &(hpt_clock *){ NULL }) == -EINVAL, "a source that is none");
}

int main(void)
{
	CHECK(hpt_clock_default() != NULL, "no default");
	failures += check_clock(NULL);
	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_MMIO; id++)
		use_source(id);
	use_source(HPT_SOURCE_AUTO);
	use_facts();
	return failures != 0;
}
