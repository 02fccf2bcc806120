// SPDX-License-Identifier: MIT
/*
 * The library's constructor: chooses the source and takes an anchor, in microseconds. It does not
 * calibrate, allocate, print, start a thread or keep a file open.
 */
#include "clock/choose.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "arch/arch.h"
#include "clock/tsc_trust.h"

/* Times that a TSC is found too dear before it is. */
#define COST_TRIES 3

/* The 25 % rule may take 1 ms of load time, two sources share it. */
#define RULE_LIMIT_NS 400000

/* ... and one more waits for them: 1000 x 0.1 ms. */
#define OTHERS_STEPS 1000
#define OTHERS_NS    100000

/* ---- Facts ---------------------------------------------------------------------------------------- */

static void read_request(struct hpt_boot *b, const struct hpt_env *env)
{
	const char *text = env->getenv("HPT_SOURCE");
	size_t n = text ? strlen(text) : 0;
	int id;

	if (!n)
		return;
	if (n >= sizeof(b->env_source))
		n = sizeof(b->env_source) - 1;
	memcpy(b->env_source, text, n);
	id = hpt_source_by_name(text);
	if (id < 0)
		b->flags |= HPT_CLOCK_ENV_UNKNOWN;
	else
		b->requested = (uint32_t)id;
}

/* Apart, for its 2.5 KiB of stack: the load that does not need it does not touch them. */
static __attribute__((noinline)) void measure(const struct hpt_source *src, uint32_t reads, uint64_t limit_ticks, struct hpt_read_cost *ret)
{
	int64_t deltas[HPT_READ_COST_READS];

	hpt_read_cost_of(deltas, hpt_read_cost_deltas(src, deltas, reads, limit_ticks), ret);
}

/*
 * Compares, in ticks of the TSC, the shortest of many TSC reads with the shortest of many pairs of a TSC and an
 * OS read. The anchor's pairs are the sample: MONOTONIC_RAW costs the same as MONOTONIC since Linux 5.3;
 * before, it is a system call, which errs on the side of a TSC that CPU and kernel already vouch for.
 */
static bool tsc_looks_cheap(struct hpt_clock *clk)
{
	const struct hpt_bracket *pair;
	int64_t shortest = INT64_MAX;

	clk->n_deltas = hpt_read_cost_deltas(&clk->src, clk->deltas, HPT_LOAD_READS, 0);
	for (uint32_t i = 0; i < clk->n_deltas; i++)
		if (clk->deltas[i] > 0 && clk->deltas[i] < shortest)
			shortest = clk->deltas[i];
	hpt_clock_take_anchor(clk);
	pair = hpt_brackets_narrowest(clk->anchor, clk->n_anchor);
	return hpt_tsc_trust_cost((uint64_t)shortest, pair->after - pair->before);
}

/*
 * A microsecond of reads may fall into a moment when another thread shares the core, and look dear beside the pairs: on a
 * busy virtual machine a process took the OS clock for that now and then. It has to look so each time.
 */
static bool tsc_is_cheap(struct hpt_clock *clk)
{
	for (int tries = 0; tries < COST_TRIES; tries++)
		if (tsc_looks_cheap(clk))
			return true;
	return false;
}

/*
 * Where the kernel does not answer there is nothing to compare, and nothing against libc; where the TSC is forbidden libc is
 * not asked at all, as its clock would be a SIGSEGV.
 */
static bool is_interposed(const struct hpt_source *src)
{
	int64_t before_ns, kernel_ns;

	if (src->tsc_forbidden)
		return false;
	before_ns = src->clock_ns(CLOCK_MONOTONIC_RAW);
	if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))
		return false;
	return !hpt_tsc_trust_libc_clock(before_ns, kernel_ns, src->clock_ns(CLOCK_MONOTONIC_RAW));
}

static struct hpt_verdict judge_tsc(struct hpt_clock *clk, char *ret_kernel, size_t kernel_size)
{
	struct hpt_tsc_facts facts = {
		.tsc_class = clk->src.tsc_class,
		.hypervisor = clk->src.hypervisor,
		.kernel = hpt_kernel_clocksource(clk->src.env, ret_kernel, kernel_size),
	};

	clk->kernel_is_tsc = facts.kernel == HPT_KERNEL_TSC;
	if (hpt_tsc_trust(&facts).trusted) {
		/* In this order: an interposer that scales time shows itself only after it has been asked for a while. */
		facts.expensive = !tsc_is_cheap(clk);
		facts.interposed = is_interposed(&clk->src);
	}
	return hpt_tsc_trust(&facts);
}

struct hpt_verdict hpt_judge(struct hpt_clock *clk, char *ret_kernel, size_t kernel_size)
{
	if (clk->src.ops->id == HPT_SOURCE_TSC)
		return judge_tsc(clk, ret_kernel, kernel_size);
	if (clk->src.ops->id != HPT_SOURCE_OS && is_interposed(&clk->src))
		return (struct hpt_verdict){ .reason = HPT_REASON_INTERPOSED };
	return (struct hpt_verdict){ .trusted = true };
}

/* ---- The choice ------------------------------------------------------------------------------------ */

struct choosing {
	const struct hpt_env *env;
	struct hpt_boot *boot;
	struct hpt_source src[HPT_SOURCE_IDS];
	struct hpt_candidate candidate[HPT_SOURCE_IDS];
};

static void try_source(struct choosing *c, uint32_t id)
{
	struct hpt_candidate *candidate = &c->candidate[id];
	struct hpt_source_status *status = &c->boot->status[id];
	struct hpt_clock *clk = &c->boot->clk;
	int r = hpt_source_open(&c->src[id], hpt_source_find(id), c->env);
	struct hpt_verdict trust;

	status->error = (uint64_t)-r;
	status->stage = c->src[id].stage;
	status->usable = !r;
	candidate->usable = !r;
	candidate->reason = c->src[id].reason;
	if (r)
		return;
	clk->src = c->src[id]; /* the boot clock tries each on */
	trust = hpt_judge(clk, c->boot->kernel_clocksource, sizeof(c->boot->kernel_clocksource));
	candidate->trusted = trust.trusted;
	candidate->reason = trust.reason;
	status->frequency_uhz = clk->src.rate.frequency_uhz;
}

/* The papers' rule needs the costs of both. */
static void weigh(struct choosing *c, uint32_t id)
{
	struct hpt_candidate *candidate = &c->candidate[id];
	struct hpt_read_cost *cost = &c->boot->status[id].cost;
	uint64_t uhz = c->src[id].rate.frequency_uhz;
	uint64_t limit = (uint64_t)RULE_LIMIT_NS * c->src[id].rate.den / c->src[id].rate.num;

	measure(&c->src[id], HPT_READ_COST_READS, limit, cost);
	candidate->mean_ps = hpt_read_cost_ps(cost->mean_mticks, uhz);
	candidate->stddev_ps = hpt_read_cost_ps(cost->stddev_mticks, uhz);
	/* No step in all the reads: coarser than can be told. */
	candidate->shortest_ps = cost->shortest_ticks ? hpt_read_cost_ps(cost->shortest_ticks * 1000, uhz) : UINT64_MAX;
}

/* The TSC settles it: on request, or because it is trusted and nothing else is asked for. */
static bool tsc_settles_it(const struct choosing *c, uint32_t requested)
{
	const struct hpt_candidate *tsc = &c->candidate[HPT_SOURCE_TSC];

	return tsc->usable && (requested == HPT_SOURCE_TSC || (tsc->trusted && requested == HPT_SOURCE_AUTO));
}

/* Opens as little as the choice needs: /dev/hpet has one channel, and it is somebody else's too. */
static void try_sources(struct choosing *c, uint32_t requested)
{
	uint32_t untried = HPT_REASON_NOT_NEEDED;

	if (!hpt_source_find(requested))
		requested = HPT_SOURCE_AUTO;
	if (requested != HPT_SOURCE_AUTO)
		untried = requested == HPT_SOURCE_OS ? HPT_REASON_SKIPPED_ENV : HPT_REASON_OTHER_REQUESTED;

	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		c->candidate[id].reason = hpt_source_find(id) ? untried : HPT_REASON_NOT_BUILT;
	if (requested != HPT_SOURCE_OS)
		try_source(c, HPT_SOURCE_TSC);
	if (tsc_settles_it(c, requested))
		return;
	try_source(c, HPT_SOURCE_OS);
	if (requested == HPT_SOURCE_OS)
		return;
	try_source(c, HPT_SOURCE_HPET);
	if (c->candidate[HPT_SOURCE_HPET].usable && c->candidate[HPT_SOURCE_HPET].trusted && requested != HPT_SOURCE_HPET) {
		weigh(c, HPT_SOURCE_HPET);
		weigh(c, HPT_SOURCE_OS);
	}
}

/* The winner moves into the default clock; whatever else is open is given back. */
static void adopt(struct choosing *c, const struct hpt_choice *choice)
{
	struct hpt_boot *b = c->boot;

	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++) {
		b->status[id].reason = choice->reason[id];
		if (c->candidate[id].usable && id != choice->source)
			hpt_source_close(&c->src[id]);
	}
	if (choice->source != HPT_SOURCE_TSC) { /* what is there are the TSC's */
		b->clk.n_anchor = b->clk.n_deltas = 0;
		b->clk.kernel_is_tsc = false;
	}
	b->clk.src = c->src[choice->source];
	hpt_clock_set_reads(&b->clk);
	b->clk.reason = choice->reason[choice->source];
	b->clk.state = choice->vetoed ? HPT_STATE_VETOED : HPT_STATE_OK;
	b->clk.is_static = true;
	b->clk.cost = b->status[choice->source].cost;
	if (!b->clk.cost.samples && !b->clk.n_deltas)
		b->clk.n_deltas = hpt_read_cost_deltas(&b->clk.src, b->clk.deltas, HPT_LOAD_READS, 0);
	if (!b->clk.n_anchor)
		hpt_clock_take_anchor(&b->clk);
	if (choice->refused)
		b->flags |= HPT_CLOCK_ENV_REFUSED;
}

/* Tried or not. */
static void os_is_usable(struct hpt_boot *b)
{
	b->status[HPT_SOURCE_OS].usable = 1;
	b->status[HPT_SOURCE_OS].frequency_uhz = HPT_UHZ_PER_GHZ;
}

void hpt_boot_on_os(struct hpt_boot *ret, const struct hpt_env *env)
{
	struct hpt_source src;

	hpt_source_open(&src, &hpt_source_os, env);
	ret->clk.src = src;
	hpt_clock_set_reads(&ret->clk);
	os_is_usable(ret);
	ret->clk.reason = HPT_REASON_ONLY_ONE;
	ret->clk.is_static = true;
}

void hpt_boot(struct hpt_boot *ret, const struct hpt_env *env)
{
	struct choosing c = { .env = env, .boot = ret };
	struct hpt_choice choice;

	os_is_usable(ret);
	read_request(ret, env);
	try_sources(&c, ret->requested);
	hpt_select(c.candidate, ret->requested, &choice);
	adopt(&c, &choice);
}

/* ---- Once ------------------------------------------------------------------------------------------- */

struct hpt_once hpt_once;

static struct hpt_boot *publish(struct hpt_boot *mine)
{
	struct hpt_boot *first = NULL;

	if (!atomic_compare_exchange_strong(&hpt_once.booted, &first, mine)) {
		hpt_source_close(&mine->clk.src);
		return first;
	}
	hpt_clock_first_default(&mine->clk);
	return mine;
}

/* Racers too many: the others are given time; if that does not help, the OS clock without any question. */
static struct hpt_boot *wait_for_others(void)
{
	struct timespec ts = { .tv_nsec = OTHERS_NS };
	struct hpt_boot *b;

	for (int i = 0; i < OTHERS_STEPS; i++) {
		b = atomic_load_explicit(&hpt_once.booted, memory_order_acquire);
		if (b)
			return b;
		nanosleep(&ts, NULL);
	}
	hpt_boot_on_os(&hpt_once.reserve, &hpt_env_live);
	return publish(&hpt_once.reserve);
}

/*
 * No lock: a signal handler may run this while the thread below it does. Each racer chooses for
 * itself, the first publishes, the others give back what they opened.
 */
static struct hpt_boot *boot_once(void)
{
	uint32_t place = atomic_fetch_add(&hpt_once.taken, 1);

	if (place >= HPT_BOOT_POOL)
		return wait_for_others();
	hpt_boot(&hpt_once.pool[place], &hpt_env_live);
	return publish(&hpt_once.pool[place]);
}

struct hpt_boot *hpt_booted(void)
{
	struct hpt_boot *b = atomic_load_explicit(&hpt_once.booted, memory_order_acquire);
	int saved, cancel;

	if (likely(b != NULL))
		return b;
	saved = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	b = boot_once();
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return b;
}

__attribute__((constructor)) static void on_load(void)
{
	hpt_booted();
}
