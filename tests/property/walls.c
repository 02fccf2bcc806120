// SPDX-License-Identifier: MIT
/*
 * Walls in random worlds. In those that keep what is claimed - rates, wander, sources - each interval contains the
 * truth, earliest never falls within a generation, and no honest source is refused. Where rates run 20 % beyond the
 * claim, or a source misses the truth by a nanosecond that others pin, the wall has no bound or the test sees a false
 * one: this shows that the test sees violations.
 *
 * usage: walls WORLDS [SEED]      a failure prints the seed of its world; "walls 1 SEED" repeats it
 */
#include "wall_life.h"

/* ---- Honest worlds, and one source that lies ----------------------------------------------------------------- */

static void honest_world(void)
{
	make_world(32768, UINT64_C(10000000000));
	open_wall(true);
	if (one_in(3))
		announce_leap();
	hear_of_leap();
	live();
}

/* Sources of which one lies, as often as not. If the others are trusted they win. */
static void world_with_a_liar(void)
{
	make_world(32768, UINT64_C(10000000000));
	open_wall(true);
	w.liars = 2u << random_below(SOURCES);
	w.rules.trusted = one_in(2) ? 0xeu & ~w.liars : 0;
	live();
}

/* ---- Teeth --------------------------------------------------------------------------------------------------- */

/* All rates may be 20 % beyond the claim. */
static void world_beyond_its_claims(void)
{
	make_world(32768, UINT64_C(10000000000));
	world.rate_ppb += world.rate_ppb / 5 + 1;
	world.wander_ppb += world.wander_ppb / 5 + 1;
	choose_rates();
	world.rate_ppb = (uint32_t)((uint64_t)world.rate_ppb * 5 / 6);
	world.wander_ppb = (uint32_t)((uint64_t)world.wander_ppb * 5 / 6);
	change_rate();
	open_wall(false);
	w.is_smeared = false;
	live();
	sum.caught += w.misses || w.rec.counts.contradictions;
}

/* Samples of the narrowest kind, so far apart that a fifth of the claim is more than they leave open. */
static void sample_narrowly(void)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_UNKNOWN };

	world.now = (world.now + PER_TICK - 1) / PER_TICK * PER_TICK;
	r.sample = take_sample(0, 0);
	r.sample.before = r.sample.after;
	look();
	(void)hpt_wall_record_add(&w.rec, &w.rules, &r, shown(world.now));
	w.sampled = (uint64_t)r.sample.after;
	w.has_sampled = true;
	(void)read_now();
}

static void set_rate(struct hpt_wide ns_per_tick)
{
	world.least = world.most = hpt_ratio_floor(ns_per_tick, 1, PER_TICK);
	change_rate();
}

static void make_narrow_world(uint64_t least_ppb)
{
	make_world(1000000, UINT64_C(10000000000));
	world.step = 1;
	world.rate_ppb = (uint32_t)log_uniform(least_ppb, 100000000);
	world.wander_ppb = (uint32_t)log_uniform(least_ppb / 10, world.rate_ppb / 10);
	open_wall(false);
	w.rules.max_age_ns = INT64_C(100000000000000);
	w.rules.clock_ppb = PPB / 2;
}

/* A steady rate, 20 % beyond the claim. Ten steps of the counter, and ten nanoseconds, show it. */
static void rate_beyond_the_claim(void)
{
	int64_t off_ppb, pause_ns;

	make_narrow_world(1000);
	off_ppb = (int64_t)world.rate_ppb * 6 / 5;
	pause_ns = (10 + 10 * NS_PER_S / (int64_t)world.hz) * PPB / ((int64_t)world.rate_ppb / 5);
	set_rate(share(world.ns_per_tick, one_in(2) ? off_ppb : -off_ppb));
	sample_narrowly();
	world.now += ticks_for(pause_ns) * PER_TICK;
	sample_narrowly();
	if (!w.misses && !w.rec.counts.contradictions)
		FAIL("a rate 20 %% beyond %u ppb is not seen in %" PRId64 " ns", world.rate_ppb, pause_ns);
	sum.worlds++;
}

/* A rate that is far in the nominal band and known well by two samples, and then leaves it by 1.2 of the wander. */
static void wander_beyond_the_claim(void)
{
	int64_t pause_ns, off_ppb;

	make_narrow_world(10000);
	off_ppb = (int64_t)world.wander_ppb * 6 / 5;
	pause_ns = (30 + 30 * NS_PER_S / (int64_t)world.hz) * PPB / ((int64_t)world.wander_ppb / 5);
	set_rate(world.ns_per_tick);
	sample_narrowly();
	world.now += ticks_for(10 * pause_ns) * PER_TICK;
	sample_narrowly();
	set_rate(share(world.ns_per_tick, one_in(2) ? off_ppb : -off_ppb));
	world.now += ticks_for(pause_ns) * PER_TICK;
	sample_narrowly();
	if (!w.misses && !w.rec.counts.contradictions)
		FAIL("a rate 1.2 of %u ppb off its average is not seen in %" PRId64 " ns", world.wander_ppb, pause_ns);
	sum.worlds++;
}

/* Two honest sources pin the truth to a nanosecond, and a third one misses it by one. */
static void lie_of_a_nanosecond(void)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_UNKNOWN };
	int64_t ns;

	make_world(UINT64_C(5000000000), UINT64_C(10000000000));
	world.step = 1;
	open_wall(false);
	ns = ceiling_ns(utc_at(world.now));
	for (uint32_t source = 1; source <= SOURCES; source++) {
		int64_t off_ns = source < SOURCES ? 0 : one_in(2) ? 1 : -1;

		r.sample = (struct hpt_wall_sample){
			.before = (hpt_time_t)shown(world.now), .after = (hpt_time_t)shown(world.now),
			.earliest_ns = ns + off_ns, .latest_ns = ns + off_ns, .source = source,
		};
		if (source == 1)
			r.sample.latest_ns += 1000000;
		if (source == 2)
			r.sample.earliest_ns -= 1000000;
		if (off_ns > 0)
			r.sample.latest_ns += 1000000;
		if (off_ns < 0)
			r.sample.earliest_ns -= 1000000;
		if (hpt_wall_record_add(&w.rec, &w.rules, &r, shown(world.now)) !=
		    (off_ns ? HPT_WALL_REASON_CONTRADICTED : HPT_WALL_REASON_NONE))
			FAIL("source %u, off by %" PRId64 " ns", source, off_ns);
	}
	if (w.rec.counts.contradictions != 1 || hpt_wall_record_state(&w.rec) != HPT_WALL_STATE_CONTRADICTED)
		FAIL("a lie of a nanosecond is not seen");
	sum.worlds++;
}

/* ---- Main ---------------------------------------------------------------------------------------------------- */

static void run(const char *name, void (*live_once)(void), uint64_t worlds)
{
	memset(&sum, 0, sizeof(sum));
	for (uint64_t i = 0; i < worlds && !failed; i++) {
		seed = random_state;
		live_once();
	}
	printf("%s: %" PRIu64 " worlds, %" PRIu64 " samples accepted, %" PRIu64 " reads, %" PRIu64 " of before, "
	       "%" PRIu64 " without the truth, %" PRIu64 " contradictions, %" PRIu64 " leap seconds\n",
	       name, sum.worlds, sum.accepted, sum.reads, sum.served_past, sum.misses, sum.contradictions, sum.leaps);
}

static const struct {
	const char *name;
	void (*live)(void);
	uint32_t divisor; /* of the number of worlds */
} kinds[] = {
	{ "honest", honest_world, 1 },
	{ "with a liar", world_with_a_liar, 10 },
	{ "beyond the claims", world_beyond_its_claims, 50 },
	{ "rate beyond the claim", rate_beyond_the_claim, 50 },
	{ "wander beyond the claim", wander_beyond_the_claim, 50 },
	{ "lie of a nanosecond", lie_of_a_nanosecond, 50 },
};

int main(int argc, char **argv)
{
	uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;

	if (!worlds)
		return 2;
	random_start();
	for (size_t i = 0; i < COUNT(kinds) && !failed; i++) {
		if (argc > 2)
			random_state = strtoull(argv[2], NULL, 0);
		run(kinds[i].name, kinds[i].live, worlds / kinds[i].divisor + 1);
		/* In 20 worlds beyond their claims some rates run in the claim. */
		if (kinds[i].live == world_beyond_its_claims && worlds >= 1000 && sum.caught < sum.worlds / 20)
			FAIL("%" PRIu64 " of %" PRIu64 " are seen", sum.caught, sum.worlds);
	}
	return failed;
}
