// SPDX-License-Identifier: MIT
/* Text that the machine gives the library at load: HPT_SOURCE up to the first line end, then current_clocksource. */
#include "hpt/hpt.h"

#include "clock/choose.h"
#include "fake_env.h"
#include "fuzz.h"

static struct hpt_boot boot;

/* The request is the source of that name, or nothing and a flag. */
static void check_request(const char *text)
{
	size_t n = strlen(text), most = sizeof(boot.env_source) - 1;
	uint32_t unknown = boot.flags & HPT_CLOCK_ENV_UNKNOWN;

	MUST(strlen(boot.env_source) == (n < most ? n : most) && !strncmp(boot.env_source, text, most));
	MUST(!(boot.flags & ~(HPT_CLOCK_ENV_UNKNOWN | HPT_CLOCK_ENV_REFUSED)));
	if (boot.requested != HPT_SOURCE_AUTO)
		MUST(!unknown && !strcmp(hpt_source_name(boot.requested), text));
	else
		MUST(unknown ? n && strcmp(text, "auto") : !n || !strcmp(text, "auto"));
	MUST(strcmp(text, "tsc") || boot.requested == HPT_SOURCE_TSC);
	MUST(strcmp(text, "hpet") || boot.requested == HPT_SOURCE_HPET);
	MUST(strcmp(text, "os") || boot.requested == HPT_SOURCE_OS);
}

static void check_chosen(void)
{
	uint32_t id = boot.clk.src.ops->id;

	MUST(boot.clk.src.read && boot.clk.reason && boot.status[id].usable);
	/* HPT_SOURCE=os is for sandboxes: it asks nothing. */
	MUST(boot.requested != HPT_SOURCE_OS || (id == HPT_SOURCE_OS && !fake.cpuid_calls && !fake.map_calls));
	MUST(!(boot.flags & HPT_CLOCK_ENV_REFUSED) || (boot.requested != HPT_SOURCE_AUTO && id != boot.requested));
	MUST(!fake.mapped);
}

/* The name of the kernel's clocksource ends at the first blank, and only the whole word tsc lets the TSC be chosen. */
static void check_kernel(const char *text)
{
	const char *name = boot.own.kernel_clocksource;
	size_t n = strlen(name), whole = strcspn(text, " \n");

	MUST(n < sizeof(boot.own.kernel_clocksource) && !strncmp(name, text, n));
	if (boot.clk.src.ops->id == HPT_SOURCE_TSC && boot.requested != HPT_SOURCE_TSC)
		MUST(!whole || (whole == 3 && !memcmp(text, "tsc", 3)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	char source[256], *kernel;

	fuzz_text(&in, source, sizeof(source));
	kernel = source + strcspn(source, "\n");
	if (*kernel)
		*kernel++ = '\0';
	fake_env_reset();
	fake.hpt_source = source;
	fake_env_kernel(kernel);
	memset(&boot, 0, sizeof(boot));
	hpt_choose(&boot, &fake_env);
	check_request(source);
	check_chosen();
	check_kernel(kernel);
	hpt_source_close(&boot.clk.src);
	return 0;
}
