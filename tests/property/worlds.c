// SPDX-License-Identifier: MIT
/*
 * A clock in random worlds: counters of any rate that step, change their rate or differ from CPU to CPU, a wall clock
 * that is stepped and slewed, suspends, preemptions, coarse clocks. Whatever happens, the published error of the rate
 * contains the truth, times are as near to CLOCK_MONOTONIC_RAW as the samples allow, and to the kernel's four other
 * clocks as is stated, none decreases within a generation, and generations are as few as the events.
 *
 * usage: worlds CASES [SEED]      a failure prints the seed of its case; "worlds 1 SEED" repeats that case
 */
#include <inttypes.h>

#include "clock/timekeeper.h"

#include "record_world.h"

#define EVENTS_MAX 6

/*
 * Between two samples at most a second passes, and the time until the next read; at a slower rate up to RATE_TIMES as
 * much. A rate that has changed is known from the second sample on: between the first and the one before it both rates
 * were in use.
 */
#define CALM_PS    (1700 * PS_PER_MS)
#define RATE_TIMES 4

static uint64_t seed;
static bool failed, is_told;

#define FAIL(...)                                                                                    \
	do {                                                                                         \
		printf("not ok: case 0x%" PRIx64 " at %.6f s: ", seed, (double)world.now_ps / 1e12); \
		printf(__VA_ARGS__);                                                                 \
		printf("\n");                                                                        \
		failed = true;                                                                       \
	} while (0)

/* The world's own kind, and what has happened to it. */
static struct {
	bool is_coarse, is_jittery, has_other_rate;
	int64_t hop_ns;           /* the difference between two CPUs' counters */
	bool on_other_cpu;
	uint64_t events, hops;
	uint64_t event_ps;        /* the latest event */
	bool is_second;           /* the samples had not shown the one before it yet */
	uint64_t calm_ps;         /* samples taken from here on show the latest */
	uint64_t other_rate_ps;   /* and from here on the counter's other rate */
	uint64_t back_ps;         /* the latest step back of the counter or of the wall clock */
	uint64_t counter_back_ps; /* of the counter */
	bool is_moved;            /* there was another event than steps and slews of the wall clock */
	uint32_t unseen;          /* the record that does not know of the latest step or jump */
} now;

struct seen {
	uint64_t generation, ps, hops;
	int64_t ns, unix_ns, mono_ns, boot_ns;
};

static double off_ppb(const struct hpt_clock_info *i)
{
	return (true_uhz() / (double)i->frequency_uhz - 1) * 1e9;
}

static int64_t log_uniform(int64_t least, int64_t most)
{
	return (int64_t)((double)least * pow((double)most / (double)least, (double)random_below(1000000) / 1e6));
}

static int64_t either_sign(int64_t v)
{
	return random_below(2) ? v : -v;
}

static void calm_after(uint64_t ps)
{
	if (now.calm_ps < world.now_ps + ps)
		now.calm_ps = world.now_ps + ps;
}

/* ---- Events --------------------------------------------------------------------------------------------- */

/* Samples from now on show it, and no read before them. */
static void nothing_is_seen_yet(void)
{
	struct hpt_record rec;

	now.unseen = hpt_timekeeper_current(&clk, &rec);
}

static void counter_goes_ns(int64_t ns)
{
	world.tick_offset += (uint64_t)(int64_t)((double)ns * 1000 / (double)world.tick_ps);
	if (ns < 0)
		now.back_ps = now.counter_back_ps = world.now_ps;
	nothing_is_seen_yet();
}

/* Small steps may look like a rate, of which a clock expects at most one in two samples: hops are enough. */
static void counter_steps(void)
{
	counter_goes_ns(either_sign(log_uniform(now.hop_ns ? 1000000 : 20, INT64_C(100000000000))));
}

/* RAW does not change meanwhile; the counter is continuous. */
static void counter_changes_rate(void)
{
	double times = (double)log_uniform(1000, 1000 * RATE_TIMES * RATE_TIMES) / 1000 / RATE_TIMES;
	uint64_t before = world.tick_ps, after = (uint64_t)((double)before * times);

	if (world.kernel_mult || after < 200 || now.has_other_rate)
		return;
	now.has_other_rate = true;
	world.tick_offset += world.now_ps / before - world.now_ps / after;
	world.tick_ps = after;
	now.other_rate_ps = world.now_ps + 2 * RATE_TIMES * CALM_PS;
	calm_after(2 * RATE_TIMES * CALM_PS);
}

/* Most steps below 50 ns are no event. */
static void wall_steps(void)
{
	world.realtime_offset_ns += either_sign(log_uniform(1, 3600 * NS_PER_S));
	now.back_ps = world.now_ps;
	nothing_is_seen_yet();
}

static void wall_is_slewed(void)
{
	fake_world_slew(&world.wall, either_sign(log_uniform(1000, 100900000)) * (int64_t)random_below(2));
}

static void tai_gets_a_second(void)
{
	world.tai_offset_ns += either_sign(NS_PER_S);
	nothing_is_seen_yet();
}

/* The clocks but CLOCK_REALTIME stand still, while the counter goes on or starts again from zero. */
static void machine_sleeps(void)
{
	int64_t ns = log_uniform(100000000, 3600 * NS_PER_S);

	world.realtime_offset_ns += ns;
	world.boottime_offset_ns += ns;
	if (random_below(2))
		counter_goes_ns(ns);
	else
		world.tick_offset = 1000 - world.now_ps / world.tick_ps;
	now.back_ps = now.counter_back_ps = world.now_ps;
	nothing_is_seen_yet();
}

/* Restored on another machine: another rate, and clocks that have moved. */
static void machine_is_restored(void)
{
	wall_steps();
	counter_changes_rate();
	counter_steps();
}

/* CLOCK_MONOTONIC_RAW goes by another oscillator from now on. */
static void kernel_leaves_the_counter(void)
{
	int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

	world.kernel_mult = 0;
	fake_world_slew(&world.all, either_sign(log_uniform(50, 300000)));
	world.clock_offset_ns += before - fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	calm_after(2 * CALM_PS);
}

static void check_finds_the_tsc(void)
{
	if (!world.kernel_mult)
		return;
	fake_env_kernel("tsc\n");
	hpt_clock_check(&clk, NULL);
}

static void check_finds_another(void)
{
	fake_env_kernel("hpet\n");
	hpt_clock_check(&clk, NULL);
}

static const struct {
	const char *name;
	void (*happens)(void);
} events[] = {
	{ "step of the counter", counter_steps },       { "step of the counter", counter_steps },
	{ "step of the counter", counter_steps },       { "another rate", counter_changes_rate },
	{ "step of the wall clock", wall_steps },       { "slew", wall_is_slewed },
	{ "slew", wall_is_slewed },                     { "TAI", tai_gets_a_second },
	{ "suspend", machine_sleeps },                  { "restore", machine_is_restored },
	{ "the kernel leaves", kernel_leaves_the_counter },
	{ "check: tsc", check_finds_the_tsc },          { "check: tsc", check_finds_the_tsc },
	{ "check: hpet", check_finds_another },
};

/* True if no sample may have shown yet what the latest event changed. */
static bool is_unsettled(void)
{
	return world.now_ps < now.calm_ps;
}

static void something_happens(void)
{
	uint64_t event = random_below(COUNT(events));

	now.events++;
	now.event_ps = world.now_ps;
	now.is_second = is_unsettled();
	calm_after(CALM_PS);
	now.is_moved |= events[event].happens != wall_steps && events[event].happens != wall_is_slewed;
	events[event].happens();
	if (is_told)
		printf("%.6f s: %s\n", (double)world.now_ps / 1e12, events[event].name);
}

static void hop(void)
{
	now.on_other_cpu = !now.on_other_cpu;
	counter_goes_ns(now.on_other_cpu ? now.hop_ns : -now.hop_ns);
	now.is_moved = true;
	now.hops++;
}

/* ---- Checks --------------------------------------------------------------------------------------------- */

/* Steps up to this are no events, and two of them in two samples look like a rate. */
#define UNNOTICED_NS 1000

/*
 * The error of a rate that no sample can show yet: what the latest event changed has not added up to the samples'
 * widths, to what another CPU's counter differs by, or to two steps.
 */
static double hidden_ppb(void)
{
	double since_s = (double)(world.now_ps - now.event_ps) / 1e12;
	double steps_ns = now.is_second ? 2 * UNNOTICED_NS : 0;
	struct hpt_record rec;

	if (!now.events)
		return 0;
	hpt_timekeeper_current(&clk, &rec);
	steps_ns += 2 * ((double)(rec.raw_now.hi_fs - rec.raw_now.lo_fs) / 1e6 + fabs((double)now.hop_ns));
	return steps_ns / since_s;
}

static void check_rate(const struct hpt_clock_info *i)
{
	double off = fabs(off_ppb(i));

	if (i->frequency_error_ppb == UINT32_MAX || is_unsettled())
		return;
	if (off > i->frequency_error_ppb + 2.0 + hidden_ppb())
		FAIL("%.1f ppb off, claimed %u, state %u, generation %" PRIu64, off, i->frequency_error_ppb, i->state,
		     i->generation);
}

/*
 * A time is off by half the sample's width and the error of the rate since, and by what was wrong in the samples before
 * it, since the line bends slowly. A jump that is too small to be an event stays in times for one segment.
 */
static void check_time(const struct hpt_clock_info *i, int64_t before_ns, int64_t ns, int64_t after_ns)
{
	double allowed = 5000 + 3 * (double)world.clock_step_ns + 2 * (double)world.tick_ps / 1e3 +
			 (now.is_jittery ? 5e6 : 0) + 3 * fmin(i->frequency_error_ppb, 1e7);
	bool is_exact = i->state == HPT_STATE_DEMOTED || i->frequency_error_ppb == UINT32_MAX;

	if (is_exact)
		allowed = now.is_jittery ? 0 : 200;
	if (now.hops && !is_exact)
		allowed += 3 * fabs((double)now.hop_ns);
	if (now.is_coarse || is_unsettled())
		return;
	if ((double)(before_ns - ns) > allowed || (double)(ns - after_ns) > allowed)
		FAIL("%" PRId64 " ns off, allowed %.0f, error %u ppb, state %u",
		     ns < before_ns ? ns - before_ns : ns - after_ns, allowed, i->frequency_error_ppb, i->state);
}

static void check_order(const struct seen *last, const struct seen *s)
{
	if (s->generation != last->generation || now.back_ps >= last->ps || now.hops != last->hops)
		return;
	if (s->ns < last->ns || s->unix_ns < last->unix_ns)
		FAIL("went back by %" PRId64 " ns, Unix %" PRId64 " ns", last->ns - s->ns, last->unix_ns - s->unix_ns);
}

/* Steps of the wall clock, which begin generations, do not set these two back. */
static void check_steady_order(const struct seen *last, const struct seen *s)
{
	if ((s->generation != last->generation && now.is_moved) || now.counter_back_ps >= last->ps ||
	    now.hops != last->hops)
		return;
	if (s->mono_ns < last->mono_ns || s->boot_ns < last->boot_ns)
		FAIL("went back: CLOCK_MONOTONIC by %" PRId64 " ns, CLOCK_BOOTTIME by %" PRId64 " ns",
		     last->mono_ns - s->mono_ns, last->boot_ns - s->boot_ns);
}

/*
 * No read is further from the kernel's clock than was stated just before, and what a slew may do since. The kernel's
 * clocks are read twice meanwhile, and each read may be preempted.
 */
static int64_t check_os_line(const char *name, clockid_t id, int64_t (*now_ns)(hpt_clock *))
{
	struct hpt_record rec;
	uint64_t start_ps = world.now_ps;
	struct hpt_clock_info i = info();
	uint32_t seen = hpt_timekeeper_current(&clk, &rec);
	int64_t before_ns = fake_world_true_ns(id), ns = now_ns(&clk), after_ns = fake_world_true_ns(id), error_ns;

	if (seen == now.unseen || world.now_ps < now.other_rate_ps || seen != hpt_timekeeper_current(&clk, &rec))
		return ns;
	error_ns = i.os_error_ns + (int64_t)(world.now_ps - start_ps) / 1000 * 101 / 1000 + 1;
	if (before_ns - ns > error_ns || ns - after_ns > error_ns)
		FAIL("%s is %" PRId64 " ns off, stated %" PRId64 ", state %u", name,
		     ns < before_ns ? ns - before_ns : ns - after_ns, i.os_error_ns, i.state);
	return ns;
}

/* An event may take two generations: a jump, and then what the wall clock says of it. Hops make three in 10 s. */
static void check_generations(uint64_t generation, uint64_t start_ps)
{
	uint64_t most = 1 + 2 * now.events;

	if (now.hop_ns)
		most += 6 + 5 * ((world.now_ps - start_ps) / (10 * PS_PER_S));
	if (generation > most)
		FAIL("generation %" PRIu64 " after %" PRIu64 " events and %" PRIu64 " hops", generation, now.events,
		     now.hops);
}

static void look(struct seen *last)
{
	int64_t before_ns, after_ns;
	struct hpt_clock_info i;
	struct seen s = { .ps = world.now_ps, .hops = now.hops, .generation = hpt_clock_generation(&clk) };

	before_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	s.ns = hpt_now_ns(&clk);
	after_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	s.unix_ns = check_os_line("CLOCK_REALTIME", CLOCK_REALTIME, hpt_now_unix_ns);
	s.mono_ns = check_os_line("CLOCK_MONOTONIC", CLOCK_MONOTONIC, hpt_now_monotonic_ns);
	s.boot_ns = check_os_line("CLOCK_BOOTTIME", CLOCK_BOOTTIME, hpt_now_boottime_ns);
	check_os_line("CLOCK_TAI", CLOCK_TAI, hpt_now_tai_ns);
	i = info();
	if (i.generation == s.generation) {
		check_rate(&i);
		check_time(&i, before_ns, s.ns, after_ns);
		check_order(last, &s);
		check_steady_order(last, &s);
	}
	*last = s;
}

/* ---- Worlds --------------------------------------------------------------------------------------------- */

static void make_world(void)
{
	bool kernel = random_below(2);

	memset(&now, 0, sizeof(now));
	fake_env_reset();
	new_clock(kernel ? 435 : (uint64_t)log_uniform(200, 1000000)); /* 5 GHz to 1 MHz */
	if (kernel && random_below(2))
		new_staircase_clock();
	else if (kernel)
		new_kernel_clock();
	else if (random_below(2))
		fake_world_slew(&world.all, either_sign(log_uniform(100, 300000)));
	now.is_coarse = !kernel && !random_below(6);
	now.is_jittery = !random_below(3);
	world.boottime_offset_ns = (int64_t)random_below(1000) * NS_PER_S + (int64_t)random_below(1000000);
	world.tai_offset_ns = random_below(2) ? 37 * NS_PER_S : 0;
	world.clock_step_ns = now.is_coarse ? log_uniform(10, 4000000) : 0;
	world.jitter_ps = now.is_jittery ? jitter : NULL;
	now.hop_ns = random_below(3) ? 0 : either_sign(log_uniform(20, 50000000));
	hpt_anchor_take(&clk.src, &clk.anchor);
	pass(random_below(20 * PS_PER_MS));
	hpt_now_ns(&clk); /* nothing can show what happens between the anchor and this */
}

static void run(void)
{
	uint64_t start_ps, end_ps, every_ps, happens_ps, hop_ps, hop_every_ps;
	struct seen last = { 0 };

	make_world();
	start_ps = world.now_ps;
	end_ps = start_ps + 10 * PS_PER_S + random_below(30 * PS_PER_S);
	happens_ps = start_ps + random_below(5 * PS_PER_S);
	hop_every_ps = (uint64_t)log_uniform(1000000000, INT64_C(3000000000000));
	hop_ps = start_ps + hop_every_ps;
	every_ps = (uint64_t)log_uniform(10000000000, INT64_C(300000000000));
	while (world.now_ps < end_ps && !failed) {
		look(&last);
		pass(random_below(2 * every_ps));
		if (world.now_ps >= happens_ps && now.events < EVENTS_MAX) {
			something_happens();
			happens_ps = world.now_ps + (uint64_t)log_uniform(1000000000, INT64_C(10000000000000));
		}
		if (now.hop_ns && world.now_ps >= hop_ps) {
			hop();
			hop_ps = world.now_ps + random_below(2 * hop_every_ps);
		}
	}
	check_generations(hpt_clock_generation(&clk), start_ps);
}

int main(int argc, char **argv)
{
	int cases = argc > 1 ? atoi(argv[1]) : 0;
	bool any = false;

	if (cases < 1)
		return 2;
	random_start();
	is_told = cases == 1;
	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : random_u64();
	for (int i = 0; i < cases; i++) {
		random_state = seed ? seed : 1;
		failed = false;
		run();
		any |= failed;
		seed += UINT64_C(0x9e3779b97f4a7c15);
	}
	printf("%d worlds\n", cases);
	return any;
}
