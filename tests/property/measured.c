// SPDX-License-Identifier: MIT
/*
 * Random worlds of a daemon that keeps a clock by measurements, as chronyd does, and of others who set that clock. What
 * its measurements mean for UTC must hold UTC.
 *
 * usage: measured WORLDS [SEED]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "math/units.h"
#include "wall/measured.h"

#define SOURCES 3
#define EVENTS  200

/* The counter counts nanoseconds of CLOCK_MONOTONIC_RAW. All clocks are what they are ahead of it, in nanoseconds. */
struct clock {
	double off, rate; /* at the moment, and its gain in a nanosecond */
};

struct made {
	bool exists;
	uint64_t number;
	double at, ahead, moved, error; /* the moment, how far the daemon's clock was ahead of UTC, as it found */
	double set_since;               /* by others, which it does not know */
};

static struct {
	double now;
	struct clock utc, own;       /* own: the daemon's clock, which is CLOCK_REALTIME and what is pending */
	double pending, mean, wander;
	bool is_late[SOURCES];       /* a measurement of it is shown when the next one is made */
	struct made made[2 * SOURCES]; /* what is shown of each, and what is not yet */
	struct hpt_measured_events events;
	struct hpt_measured_record rec;
	bool is_seen;                /* events are */
	bool is_synced;              /* the daemon has corrected its clock */
} world;

static struct {
	uint64_t asked, bounds, doubted, own_steps, survived, misses;
} sum;

static int failed;
static uint64_t seed;

static double between(double a, double b)
{
	return a + (b - a) * (double)random_below(1 << 30) / (1 << 30);
}

static double size_of_many(double least, double most)
{
	return least * pow(most / least, between(0, 1)) * (random_below(2) ? 1 : -1);
}

static void pass(double ns)
{
	double slew = between(-0.083, 0.083) * ns;

	ns = floor(ns);
	world.now += ns;
	world.utc.off += ns * world.utc.rate;
	world.own.off += ns * world.own.rate;
	/* What was pending becomes less, or nothing was: then it rests. */
	world.pending = fabs(slew) > fabs(world.pending) ? 0 : world.pending - copysign(slew, world.pending);
}

/* ---- The daemon ---------------------------------------------------------------------------------------------- */

static void know_moved(double by)
{
	for (int i = 0; i < 2 * SOURCES; i++)
		world.made[i].moved += by;
}

/* CLOCK_REALTIME was set forward by that. */
static void note_step(double by)
{
	if (!world.is_seen)
		return;
	world.events.steps++;
	world.events.step_lo_ns = (int64_t)floor(by);
	world.events.step_hi_ns = (int64_t)ceil(by);
}

/* It corrects its clock by this, at once or by slewing. */
static void correct(double by, bool by_step)
{
	world.is_synced = true;
	world.own.off += by;
	know_moved(by);
	if (by_step) {
		note_step(by + world.pending);
		world.pending = 0;
		sum.own_steps++;
	} else {
		world.pending += by;
	}
}

static void set_pace(double rate)
{
	for (int i = 0; i < 2 * SOURCES; i++)
		world.made[i].moved -= (rate - world.own.rate) * (world.now - world.made[i].at);
	world.own.rate = rate;
}

static struct made new_one(void)
{
	double error = fabs(size_of_many(1e3, 1e8));
	static uint64_t numbers;

	return (struct made){
		.exists = true, .number = ++numbers, .at = world.now, .error = error,
		.ahead = world.own.off - world.utc.off + (random_below(3) ? between(-error, error) :
							  random_below(2) ? error : -error),
	};
}

static void measure(void)
{
	uint32_t i = (uint32_t)random_below(SOURCES);
	struct made *m = &world.made[i];

	*m = world.is_late[i] ? m[SOURCES] : new_one();
	if (world.is_late[i])
		m[SOURCES] = new_one();
	if (!m->exists)
		return;
	if (random_below(3))
		correct(-(m->ahead + m->moved) * between(0, 1.2), fabs(m->ahead) > 1e8 && random_below(2));
	if (world.is_synced && random_below(3) == 0)
		set_pace(world.mean + between(-1e-5, 1e-5));
}

/* ---- Others -------------------------------------------------------------------------------------------------- */

/* By what they find right, or by what the daemon is about to do itself, or by anything. */
static void set_by_others(void)
{
	double by = size_of_many(2e3, 1e11);

	if (random_below(3) == 0)
		by = world.pending;
	else if (random_below(3) == 0)
		by = world.utc.off - world.own.off;
	if (fabs(by) < 2e3)
		return;
	world.own.off += by;
	for (int i = 0; i < 2 * SOURCES; i++)
		world.made[i].set_since += by;
	note_step(by);
}

/* The machine sleeps, and the kernel misjudges how long. */
static void sleep_a_while(void)
{
	double slept = fabs(size_of_many(1e6, 1e13)), wrong = size_of_many(1e3, 1e9);

	world.utc.off += slept;
	world.own.off += slept + wrong;
	for (int i = 0; i < 2 * SOURCES; i++)
		world.made[i].set_since += slept + wrong;
	note_step(slept + wrong);
	world.events.voids += world.is_seen;
}

/* ---- The wall ------------------------------------------------------------------------------------------------ */

static int64_t age_of(const struct made *m)
{
	double age = (world.now - m->at) * (1 + world.own.rate) + m->set_since + between(0, 1e9);

	/* A negative one is what it is in 32 bits, and may be any. */
	return ((age < 0 ? 0 : (int64_t)(age / 1e9)) + 1) * NS_PER_S;
}

static struct hpt_wall_reading take_reading(void)
{
	int64_t own_ns = INT64_C(1700000000000000000) + (int64_t)world.now + llrint(world.own.off);
	struct hpt_wall_reading r = {
		.events = world.events,
		.sample = { .before = (hpt_time_t)world.now, .after = (hpt_time_t)world.now, .earliest_ns = own_ns - 1,
			    .latest_ns = own_ns + 1 },
		.pace_ppb = llrint(world.own.rate * 1e9), .is_unsynced = !world.is_synced,
	};

	for (uint32_t i = 0; i < SOURCES; i++) {
		const struct made *m = &world.made[i];
		struct hpt_measured *to = &r.measured[r.n_measured++];

		*to = (struct hpt_measured){ .key = i + 1, .reason = HPT_WALL_REASON_NO_BOUND };
		if (!m->exists)
			continue;
		*to = (struct hpt_measured){
			.key = i + 1, .number = m->number, .age_ns = age_of(m), .moved_ns = llrint(m->moved),
			.off_lo_ns = (int64_t)floor(-(m->ahead + m->moved) - m->error) - 1,
			.off_hi_ns = (int64_t)ceil(-(m->ahead + m->moved) + m->error) + 1,
		};
	}
	return r;
}

static struct hpt_scale rate_of(double rate)
{
	return hpt_scale_of((uint64_t)((1 + rate) * 1e15), UINT64_C(1000000000000000));
}

static void tell(const struct hpt_utc *u, int64_t utc_ns)
{
	fprintf(stderr, "seed %" PRIu64 ": [%" PRId64 ", %" PRId64 "] off UTC\n", seed, u->lo_ns - utc_ns,
		u->hi_ns - utc_ns);
	failed = 1;
}

/* They may set the clock between the question and the note of its answer, where has_others says that they are there. */
static void ask(bool must_hold, bool has_others)
{
	struct hpt_scale one = { .whole = 1 };
	struct hpt_wall_reading r = take_reading();
	struct hpt_measured_rates rates = {
		one, one, 1, { rate_of(world.mean - world.wander), rate_of(world.mean + world.wander) },
	};
	int64_t utc_ns = INT64_C(1700000000000000000) + (int64_t)world.now + llrint(world.utc.off);
	bool is_stepped = world.rec.events.steps != world.events.steps;
	struct hpt_utc u;
	uint32_t reason;

	if (has_others && !random_below(8))
		(random_below(4) ? set_by_others : sleep_a_while)();
	hpt_measured_note(&world.rec, &r, &world.events, &rates);
	reason = hpt_measured_bound(&world.rec, &r, &rates, 0, &u);
	sum.asked++;
	sum.doubted += reason == HPT_WALL_REASON_STEPPED;
	sum.bounds += !reason;
	sum.survived += !reason && is_stepped;
	if (reason || (u.lo_ns <= utc_ns && u.hi_ns >= utc_ns))
		return;
	sum.misses++;
	if (must_hold)
		tell(&u, utc_ns);
}

/* ---- Worlds -------------------------------------------------------------------------------------------------- */

static void begin(void)
{
	memset(&world, 0, sizeof(world));
	world.now = 1e12;
	world.mean = between(-3.5e-5, 3.5e-5);
	world.wander = between(0, 1.5e-5);
	world.utc.rate = world.mean;
	world.own.rate = world.mean + between(-1e-5, 1e-5);
	world.own.off = size_of_many(1, 1e12);
	for (int i = 0; i < SOURCES; i++)
		world.is_late[i] = random_below(3) == 0;
	world.is_seen = true;
}

static void happen(double beyond, bool has_others)
{
	pass(fabs(size_of_many(1e4, random_below(8) ? 2e9 : 2e11)));
	switch (random_below(has_others ? 24 : 20)) {
	case 0: case 1:
		world.utc.rate = world.mean + between(-1, 1) * world.wander * beyond;
		break;
	case 2: case 3: case 4: case 5: case 6:
		measure();
		break;
	case 7:
		if (world.is_synced)
			correct(size_of_many(1e3, 1e10), random_below(2));
		break;
	case 20: case 21:
		set_by_others();
		break;
	case 22:
		sleep_a_while();
		break;
	default:
		ask(beyond <= 1 && world.is_seen, has_others);
	}
}

static void honest_daemon(void)
{
	begin();
	for (int i = 0; i < EVENTS && !failed; i++)
		happen(1, false);
}

static void clock_that_others_set(void)
{
	begin();
	for (int i = 0; i < EVENTS && !failed; i++)
		happen(1, true);
}

static void unseen_steps(void)
{
	begin();
	world.is_seen = false;
	for (int i = 0; i < EVENTS && !failed; i++)
		happen(1, true);
}

static void wander_beyond_the_claim(void)
{
	begin();
	for (int i = 0; i < EVENTS && !failed; i++)
		happen(3, false);
}

static void run(const char *name, void (*live)(void), uint64_t worlds)
{
	memset(&sum, 0, sizeof(sum));
	for (uint64_t i = 0; i < worlds && !failed; i++) {
		seed = random_state;
		live();
	}
	printf("%s: %" PRIu64 " worlds, %" PRIu64 " asked, %" PRIu64 " bounds, %" PRIu64 " in doubt, %" PRIu64
	       " of %" PRIu64 " own steps known at once, %" PRIu64 " without UTC\n", name, worlds, sum.asked,
		sum.bounds,
	       sum.doubted, sum.survived, sum.own_steps, sum.misses);
}

int main(int argc, char **argv)
{
	uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;

	if (!worlds)
		return 2;
	random_start();
	if (argc > 2)
		random_state = strtoull(argv[2], NULL, 0);
	run("honest daemon", honest_daemon, worlds);
	if (!sum.survived || sum.bounds < sum.asked / 2)
		failed = 1;
	run("clock that others set", clock_that_others_set, worlds);
	if (!sum.doubted || !sum.bounds)
		failed = 1;
	run("unseen steps", unseen_steps, worlds / 10 + 1);
	if (worlds >= 100 && !sum.misses)
		failed = 1;
	run("wander beyond the claim", wander_beyond_the_claim, worlds / 10 + 1);
	if (worlds >= 100 && !sum.misses)
		failed = 1;
	return failed;
}
