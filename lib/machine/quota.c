// SPDX-License-Identifier: MIT
/* Finds the least quota of the process's control groups: lib/machine/quota.h. */
#include "machine/quota.h"

#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "machine/cgroup.h"

/* The kernel's own are below: MAX_BW of its kernel/sched/sched.h. */
#define TIME_MAX_US (UINT64_C(1) << 44)

/* Reads digits and moves *text after them. False: no digits, or a larger number than the kernel's. */
static COLD bool take_decimal(const char **text, uint64_t *ret)
{
	const char *c = *text;
	uint64_t n = 0;

	for (; *c >= '0' && *c <= '9' && n < TIME_MAX_US; c++)
		n = n * 10 + (uint64_t)(*c - '0');
	if (c == *text || n >= TIME_MAX_US)
		return false;
	*text = c;
	*ret = n;
	return true;
}

/* True if nothing but the line's end follows. */
static bool is_end(const char *text)
{
	return !*text || !strcmp(text, "\n");
}

/* ---- A group's quota -------------------------------------------------------------------------------------- */

/* least: thousandths of a CPU; 0: no quota was found. */
static COLD void note(uint32_t *least, uint64_t quota_us, uint64_t period_us)
{
	uint64_t millicpus;

	if (!quota_us || !period_us)
		return;
	millicpus = (quota_us * 1000 + period_us - 1) / period_us;
	if (millicpus > UINT32_MAX)
		millicpus = UINT32_MAX;
	if (!*least || millicpus < *least)
		*least = (uint32_t)millicpus;
}

/* cpu.max: "QUOTA PERIOD" or "max PERIOD". */
static COLD void look_v2(struct hpt_cgroups *g)
{
	char text[64];
	const char *c = text;
	uint64_t quota_us, period_us;

	if (hpt_cgroup_read(g, "/cpu.max", text, sizeof(text)) && take_decimal(&c, &quota_us) && *c++ == ' ' &&
	    take_decimal(&c, &period_us) && is_end(c))
		note(g->ctx, quota_us, period_us);
}

static COLD bool read_number(struct hpt_cgroups *g, const char *name, uint64_t *ret)
{
	char text[64];
	const char *c = text;

	return hpt_cgroup_read(g, name, text, sizeof(text)) && take_decimal(&c, ret) && is_end(c);
}

/* Without a quota it reads "-1". */
static COLD void look_v1(struct hpt_cgroups *g)
{
	uint64_t quota_us, period_us;

	if (read_number(g, "/cpu.cfs_quota_us", &quota_us) &&
	    read_number(g, "/cpu.cfs_period_us", &period_us))
		note(g->ctx, quota_us, period_us);
}

static COLD void look_at_group(struct hpt_cgroups *g, int version)
{
	if (version == 2)
		look_v2(g);
	else
		look_v1(g);
}

COLD uint32_t hpt_quota_millicpus(const struct hpt_env *env)
{
	struct hpt_cgroups *g = mmap(NULL, sizeof(*g), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t least = 0;

	if (g == MAP_FAILED)
		return 0;
	g->env = env;
	g->controller = "cpu";
	g->look = look_at_group;
	g->ctx = &least;
	hpt_cgroup_each(g);
	munmap(g, sizeof(*g));
	return least;
}
