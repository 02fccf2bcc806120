// SPDX-License-Identifier: MIT
/* Finds what the kernel offers a thread that sleeps, without changing anything: tools/info/kernel_aids.h. */
#include "info/kernel_aids.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/format.h"
#include "cli/util.h"

#define SCHED_FEATURES "/sys/kernel/debug/sched/features"

/* The first kernel whose scheduler sets a timer for the end of a slice by default. */
#define SLICE_TIMER_MAJOR 7
#define SLICE_TIMER_MINOR 1

/* From include/uapi/linux/sched.h; older C libraries lack some of them. */
static const char *const policies[] = { "other", "fifo", "rr", "batch", NULL, "idle", "deadline", "ext" };

/* struct sched_attr of Linux 3.14. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t  nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* Kernels without a slice for each thread (before Linux 6.12) report a runtime of 0 for these policies. */
static void read_slice(struct kernel_aids *a)
{
#ifdef SYS_sched_getattr
	struct attributes now = { 0 };

	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0))
		return;
	a->policy = (int)now.policy;
	if (now.policy == SCHED_OTHER || now.policy == SCHED_BATCH)
		a->slice_ns = (int64_t)now.runtime_ns;
#else
	(void)a;
#endif
}

/* Root can read the scheduler's features ("... NO_HRTICK ..."); for others the kernel's version has to do. */
static bool find_slice_timer(const char *root, const char *release)
{
	unsigned major = 0, minor = 0;
	char path[256], features[2048], *rest = features, *word;

	snprintf(path, sizeof(path), "%s" SCHED_FEATURES, root);
	read_first_line(path, features, sizeof(features));
	while ((word = strtok_r(rest, " ", &rest))) {
		if (!strcmp(word, "HRTICK") || !strcmp(word, "NO_HRTICK"))
			return *word == 'H';
	}
	sscanf(release, "%u.%u", &major, &minor);
	return major > SLICE_TIMER_MAJOR || (major == SLICE_TIMER_MAJOR && minor >= SLICE_TIMER_MINOR);
}

/* To open one of these for writing makes a request, so only the permissions are looked at. */
static enum offer find_offer(const char *root, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s", root, name);
	if (!access(path, W_OK))
		return OFFER_PERMITTED;
	return errno == ENOENT || errno == ENOTDIR ? OFFER_ABSENT : OFFER_DENIED;
}

void kernel_aids_find(const char *root, int cpu, const char *release, struct kernel_aids *ret)
{
	char name[80];

	*ret = (struct kernel_aids){ .policy = -1 };
	read_slice(ret);
	ret->has_slice_timer = find_slice_timer(root, release);
	ret->all_cpus = find_offer(root, "/dev/cpu_dma_latency");
	snprintf(name, sizeof(name), "/sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us", cpu);
	ret->one_cpu = find_offer(root, name);
	ret->from_suspend = find_offer(root, "/dev/cpu_wakeup_latency");
}

void kernel_aids_get(struct kernel_aids *ret)
{
	struct utsname kernel = { 0 };

	uname(&kernel);
	kernel_aids_find("", sched_getcpu(), kernel.release, ret);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

/* NULL: unknown. */
static const char *policy_name(int policy)
{
	return (size_t)policy < sizeof(policies) / sizeof(policies[0]) ? policies[policy] : NULL;
}

static void json_offer(json_t *o, const char *key, enum offer offer)
{
	out_json_add(o, key, offer == OFFER_ABSENT ? json_null() : json_boolean(offer == OFFER_PERMITTED));
}

void kernel_aids_json(json_t *o, const struct kernel_aids *a)
{
	out_json_text(o, "policy", policy_name(a->policy));
	out_json_add(o, "slice_ns", a->slice_ns ? json_integer(a->slice_ns) : json_null());
	out_json_add(o, "slice_timer", a->slice_ns ? json_boolean(a->has_slice_timer) : json_null());
	json_offer(o, "latency_request", a->all_cpus);
	json_offer(o, "cpu_latency_request", a->one_cpu);
	json_offer(o, "wakeup_latency_request", a->from_suspend);
}

static void text_slice(struct libscols_table *tb, const struct kernel_aids *a)
{
	const char *name = policy_name(a->policy);

	if (a->slice_ns)
		out_table_fact(tb, "Time slice", "%s, can be set; ends %s", format_span(a->slice_ns).s,
			       a->has_slice_timer ? "on time" : "at the next jiffy");
	else if (a->policy == SCHED_OTHER || a->policy == SCHED_BATCH)
		out_table_fact(tb, "Time slice", "cannot be set: this kernel has one for all threads");
	else if (name)
		out_table_fact(tb, "Time slice", "cannot be set: the policy is %s", name);
	else
		out_table_fact(tb, "Time slice", "not readable");
}

/* "all CPUs permitted, one CPU denied": the requests that this kernel has. */
static void text_requests(struct libscols_table *tb, const struct kernel_aids *a)
{
	const struct { const char *name; enum offer offer; } requests[] = {
		{ "for all CPUs", a->all_cpus }, { "for one CPU", a->one_cpu },
		{ "in suspend-to-idle", a->from_suspend },
	};
	char text[128] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (requests[i].offer != OFFER_ABSENT)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %s", n ? ", " : "", requests[i].name,
					      requests[i].offer == OFFER_PERMITTED ? "permitted" : "denied");
	}
	if (n)
		out_table_fact(tb, "Low latency", "requests %s", text);
}

void kernel_aids_table(struct libscols_table *tb, const struct kernel_aids *a)
{
	text_slice(tb, a);
	text_requests(tb, a);
}
