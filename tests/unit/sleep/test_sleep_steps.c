// SPDX-License-Identifier: MIT
/*
 * The counter steps or stops at the Nth of a sleep's reads: whatever N, the step and the kind of sleep, the sleep is
 * not early, not longer than the kernel's clock says, and returns a state where that clock ended it.
 */
#include "sleep_kinds.h"
#include "sleep_world.h"

/* How much later than by the kernel's clock a sleep may end. */
#define LATE_MOST_NS (10 * NS_PER_MS)

/* A smaller step cannot be noticed in a spin. */
#define UNSEEN_NS 35000

/* A slow read: so a spin has few turns. And one that a hypervisor emulates. */
#define READ_PS    40000
#define TRAPPED_PS 20000000

/* ---- A counter that steps ------------------------------------------------------------------------------------ */

enum { TO_ZERO = INT32_MIN, STOP }; /* instead of a step in ns; other steps are whole microseconds */

static struct {
	uint64_t (*read)(const struct hpt_source *src);
	uint32_t reads, at; /* at 0: never */
	uint32_t samples;   /* other threads sample the clocks this many times right after the step */
	int64_t step_ns;
	uint64_t stopped;
} counter;

static uint64_t true_tick(void)
{
	return world.now_ps / world.tick_ps + world.tick_offset;
}

static void step(void)
{
	if (counter.step_ns == TO_ZERO)
		world.tick_offset -= true_tick();
	else if (counter.step_ns == STOP)
		counter.stopped = true_tick();
	else
		world.tick_offset += (uint64_t)(counter.step_ns * 1000 / (int64_t)world.tick_ps);
}

static uint64_t stepping_read(const struct hpt_source *src)
{
	uint64_t tick;

	if (++counter.reads == counter.at) {
		step();
		for (uint32_t i = 0; i < counter.samples; i++)
			hpt_timekeeper_resample(&clk);
	}
	tick = counter.read(src);
	return counter.stopped ? counter.stopped : tick;
}

static void watch_reads(void)
{
	memset(&counter, 0, sizeof(counter));
	counter.read = clk.src.read;
	clk.src.read = clk.src.read_unordered = stepping_read;
}

static uint64_t counter_now(void)
{
	return counter.stopped ? counter.stopped : true_tick();
}

/* ---- One case -------------------------------------------------------------------------------------------------- */

static struct {
	struct fake_world world;
	struct hpt_clock clk;
} saved;

/* All figures of a run, for the message of its last test. */
static struct {
	uint32_t cases, stepped, early, late, stateless;
} found;

static void prepare(uint64_t tick_ps, uint64_t read_ps)
{
	begin_at(tick_ps, read_ps);
	settle();
	train();
	watch_reads();
	saved.world = world;
	saved.clk = clk;
}

static void report(const struct sleep_kind *k, const char *what, int r, int64_t took_ns)
{
	print_message("%s: %s, %lld ns, step %lld ns at read %u of %u: result %d after %lld ns\n", what, k->name,
		      (long long)goal.length_ns, (long long)counter.step_ns, counter.at, counter.reads, r,
		      (long long)took_ns);
}

/* The step that a read could notice, in ns; a stop is one of any size. */
static bool is_noticeable(void)
{
	return counter.step_ns == TO_ZERO || counter.step_ns == STOP || llabs(counter.step_ns) > UNSEEN_NS;
}

/* A gate's deadline in ticks comes with its tick, and not earlier by another clock. */
static bool goes_on(const struct sleep_kind *k)
{
	return k->sleep == on_gate_until;
}

/* By how much longer it then waits, and too long for a test. */
static int64_t fallen_back_ns(void)
{
	return counter.step_ns < 0 && counter.step_ns != STOP ? -counter.step_ns : 0;
}

/* How far a line of the library may be from the kernel's clock: a reading is a read wide, and a tick coarse. */
static int64_t slack_ns(void)
{
	return NS_PER_US + (int64_t)(world.read_ps + 2 * world.tick_ps) / 1000;
}

static bool is_early(const struct sleep_kind *k, int64_t took_ns, uint64_t first_tick)
{
	uint64_t deadline = k->is_duration ? first_tick + (uint64_t)goal.ticks : (uint64_t)goal.tick;

	/* One that stopped tells a gate nothing. */
	if (k->by_counter && !(goes_on(k) && counter.stopped))
		return (int64_t)(counter_now() - deadline) < 0;
	return took_ns < goal.length_ns - slack_ns() - (is_noticeable() ? 0 : UNSEEN_NS);
}

/*
 * The step came after the first read. A counter that stopped after the deadline has ended the sleep itself. So has one
 * that made up for its step in the spin's last 256 reads, which are not checked: 5 ms if a hypervisor emulates them.
 */
static bool must_have_state(const struct sleep_kind *k, uint64_t first_tick)
{
	if (!k->is_duration || counter.at < 2 || counter.at > counter.reads)
		return false;
	if (counter.step_ns == STOP)
		return (int64_t)(counter_now() - first_tick) < goal.ticks;
	return counter.step_ns == TO_ZERO || llabs(counter.step_ns) > 6 * NS_PER_MS;
}

static void one(const struct sleep_kind *k, int64_t length_ns, int64_t step_ns, uint32_t at)
{
	int64_t goal_ns, start_ns, took_ns;
	uint64_t first_tick;
	int r;

	counter.step_ns = step_ns;
	if (goes_on(k) && fallen_back_ns() > NS_PER_S)
		return;
	world = saved.world;
	clk = saved.clk;
	counter.at = 0;
	counter.stopped = 0;
	goal_ns = true_monotonic_ns();
	assert_true(set_goal(&clk, length_ns));
	counter.reads = 0;
	counter.at = at;
	start_ns = true_monotonic_ns();
	first_tick = true_tick();
	if (at == 1 && step_ns != STOP)
		first_tick += step_ns == TO_ZERO ? 0 - first_tick : (uint64_t)(step_ns * 1000 / (int64_t)world.tick_ps);
	r = slept(k->sleep());
	took_ns = true_monotonic_ns() - start_ns;
	found.cases++;
	found.stepped += counter.reads >= at;
	if ((r == k->reached || !k->by_counter) &&
	    is_early(k, took_ns + (k->is_duration ? 0 : start_ns - goal_ns), first_tick)) {
		found.early++;
		report(k, "early", r, took_ns);
	}
	if (took_ns > length_ns + LATE_MOST_NS + (goes_on(k) ? fallen_back_ns() : 0)) {
		found.late++;
		report(k, "late", r, took_ns);
	}
	if (r == k->reached && must_have_state(k, first_tick)) {
		found.stateless++;
		report(k, "no state", r, took_ns);
	}
	if (r != k->reached && (k->reached || r < HPT_STATE_REANCHORED || r > HPT_STATE_DISRUPTED)) {
		report(k, "wrong", r, took_ns);
		fail();
	}
	free_goal_objects();
}

static void expect_all_right(void)
{
	note("%u cases, %u stepped: %u early, %u late, %u without a state", found.cases, found.stepped,
		      found.early, found.late, found.stateless);
	assert_int_equal(found.early + found.late + found.stateless, 0);
	assert_true(found.stepped > found.cases / 10);
	memset(&found, 0, sizeof(found));
}

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

static const int64_t steps_ns[] = {
	-3 * NS_PER_S, -30 * NS_PER_MS, 30 * NS_PER_MS, 3 * NS_PER_S, TO_ZERO, STOP, /* the last */
};

static const int64_t lengths_ns[] = { 5 * NS_PER_US, 3 * NS_PER_MS, 60 * NS_PER_US, 400 * NS_PER_MS };

static void at_each_read(uint64_t read_ps, uint32_t policy, uint32_t samples, size_t n_lengths)
{
	prepare(400, read_ps);
	counter.samples = samples;
	assert_int_equal(hpt_sleep_set_policy(policy, 0), 0);
	for (size_t k = 0; k < COUNT(sleep_kinds); k++)
		for (size_t l = 0; l < n_lengths; l++)
			for (size_t s = 0; s < COUNT(steps_ns); s++)
				for (uint32_t at = 1; at <= 40; at++)
					one(&sleep_kinds[k], lengths_ns[l], steps_ns[s], at);
	expect_all_right();
}

static void step_at_each_read_of_a_sleep(void **state)
{
	(void)state;
	at_each_read(READ_PS, HPT_SLEEP_BALANCED, 0, COUNT(lengths_ns));
}

static void step_at_each_slow_read(void **state)
{
	(void)state;
	at_each_read(TRAPPED_PS, HPT_SLEEP_BALANCED, 0, 2);
}

static void step_that_another_thread_notices(void **state)
{
	(void)state;
	at_each_read(READ_PS, HPT_SLEEP_BALANCED, 1, 2);
}

/* In a spin, before its first check: nothing is left of the record before the first read. */
static void step_that_many_threads_notice(void **state)
{
	(void)state;
	prepare(400, READ_PS);
	counter.samples = HPT_SEQLATCH_SLOTS + 1;
	for (const struct sleep_kind *k = sleep_kinds; k < sleep_kinds + COUNT(sleep_kinds); k++)
		for (size_t s = 0; s < COUNT(steps_ns) - 1; s++)
			for (uint32_t at = 2; k->is_duration && !k->by_counter && at <= 40; at++)
				one(k, 5 * NS_PER_US, steps_ns[s], at);
	expect_all_right();
}

static void step_at_each_read_of_a_spin(void **state)
{
	(void)state;
	at_each_read(READ_PS, HPT_SLEEP_SPIN, 0, 1);
}

static void step_at_each_read_without_a_spin(void **state)
{
	(void)state;
	at_each_read(READ_PS, HPT_SLEEP_NOSPIN, 0, COUNT(lengths_ns));
}

/* From 1 us to 1000 s, each order of magnitude as often as another. */
static int64_t random_step_ns(void)
{
	int64_t most = 1000;

	for (uint64_t n = random_below(10); n; n--)
		most *= 10;
	most += (int64_t)random_below((uint64_t)most * 9);
	return random_below(2) ? most : -most;
}

static const struct {
	uint64_t tick_ps, read_ps;
} counters[] = {
	{ 400, READ_PS },
	{ 69841, 700000 },  /* an HPET */
	{ 1000000, READ_PS },
	{ 400, TRAPPED_PS },
};

static void random_steps(void **state)
{
	static const uint32_t policies[] = { HPT_SLEEP_BALANCED, HPT_SLEEP_SPIN, HPT_SLEEP_STRICT, HPT_SLEEP_NOSPIN };

	int each = rounds(2000);

	(void)state;
	for (int i = 0; i < 4 * each; i++) {
		int64_t length_ns = NS_PER_US << random_below(20);
		bool spins = length_ns < NS_PER_MS;

		if (i % each == 0)
			prepare(counters[i / each].tick_ps, counters[i / each].read_ps);
		assert_int_equal(hpt_sleep_set_policy(policies[spins ? random_below(4) : 0], 0), 0);
		one(&sleep_kinds[random_below(COUNT(sleep_kinds))], length_ns, random_step_ns(),
		    1 + (uint32_t)random_below(random_below(2) ? 40 : 4000));
	}
	expect_all_right();
}

/* The first conversion of the clock is in the sleep itself. It waits up to 43 ms for a counter that stops meanwhile. */
static void step_as_the_first_record_is_made(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(steps_ns) - 1; s++)
		for (uint32_t at = 1; at <= 400; at += at < 40 ? 1 : 13 * stride()) {
			const struct sleep_kind *k = &sleep_kinds[1]; /* which needs no conversion before */
			int64_t start_ns, took_ns;
			int r;

			fake_env_reset();
			fake_kernel_reset();
			new_clock(400);
			goal.clk = &clk;
			kernel.late_ns = LATE_NS;
			watch_reads();
			counter.step_ns = steps_ns[s];
			counter.at = at;
			goal.length_ns = 3 * NS_PER_MS;
			start_ns = true_monotonic_ns();
			r = slept(k->sleep());
			took_ns = true_monotonic_ns() - start_ns;
			found.cases++;
			found.stepped += counter.reads >= at;
			if (!r && !k->by_counter && took_ns < goal.length_ns - slack_ns()) {
				found.early++;
				report(k, "early", r, took_ns);
			}
			if (took_ns > goal.length_ns + LATE_MOST_NS) {
				found.late++;
				report(k, "late", r, took_ns);
			}
		}
	expect_all_right();
}

/*
 * The process was forked into a time namespace since the clock's latest record: CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW
 * have another origin, the counter and CLOCK_REALTIME do not. Each sleep is its length long, and undisturbed.
 */
static void sleep_in_a_new_time_namespace(void **state)
{
	static const int64_t offsets_ns[] = { -5 * NS_PER_S, 5 * NS_PER_S, -30 * NS_PER_MS, 30 * NS_PER_MS };
	static const int64_t spans_ns[] = { 20 * NS_PER_US, 100 * NS_PER_MS, 2400 * NS_PER_MS };

	(void)state;
	prepare(400, READ_PS);
	for (size_t i = 0; i < COUNT(offsets_ns) * COUNT(spans_ns) * COUNT(sleep_kinds); i++) {
		const struct sleep_kind *k = &sleep_kinds[i % COUNT(sleep_kinds)];
		int64_t length_ns = spans_ns[i / COUNT(sleep_kinds) % COUNT(spans_ns)], start_ns, took_ns;
		int r;

		world = saved.world;
		clk = saved.clk;
		start_ns = true_monotonic_ns();
		assert_true(set_goal(&clk, length_ns));
		world.clock_offset_ns += offsets_ns[i / COUNT(sleep_kinds) / COUNT(spans_ns)];
		world.realtime_offset_ns -= offsets_ns[i / COUNT(sleep_kinds) / COUNT(spans_ns)];
		r = slept(k->sleep());
		took_ns = true_monotonic_ns() - start_ns - offsets_ns[i / COUNT(sleep_kinds) / COUNT(spans_ns)];
		if (r != k->reached || took_ns < length_ns || took_ns > length_ns + 5 * NS_PER_US)
			fail_msg("%s, %lld ns: result %d after %lld ns", k->name, (long long)length_ns, r,
				 (long long)took_ns);
		free_goal_objects();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_at_each_read_of_a_sleep),
		cmocka_unit_test(step_at_each_slow_read),
		cmocka_unit_test(step_that_another_thread_notices),
		cmocka_unit_test(step_that_many_threads_notice),
		cmocka_unit_test(step_at_each_read_of_a_spin),
		cmocka_unit_test(step_at_each_read_without_a_spin),
		cmocka_unit_test(random_steps),
		cmocka_unit_test(step_as_the_first_record_is_made),
		cmocka_unit_test(sleep_in_a_new_time_namespace),
	};

	random_start();
	return cmocka_run_group_tests_name("sleep steps", tests, NULL, NULL);
}
