// SPDX-License-Identifier: MIT
/* Records of walls: states, events, contradictions, rates and ages, each by itself. tests/property has random ones. */
#include "wall_record_world.h"

/* ---- States -------------------------------------------------------------------------------------------------- */

static void first_record_has_nothing(void **state)
{
	(void)state;
	assert_int_equal(look(), HPT_WALL_STATE_NONE);
	assert_int_equal(rec.read.generation, 1);
	assert_int_equal(rec.read.span, 0);
	assert_int_equal(rec.has_bound, 0);
	assert_false(hpt_wall_record_serves(&rec));
}

static void unsynced_is_said_at_once(void **state)
{
	(void)state;
	note_unsynced(3);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_UNSYNCED);
	note_unsynced(5);
	assert_int_equal(look(), HPT_WALL_STATE_UNSYNCED);
	assert_int_equal(add(3, 1000), 0);
	assert_int_equal(rec.unsynced, NTH(5));
	assert_int_equal(add(5, 1000), 0);
	assert_int_equal(rec.unsynced, 0);
	note_unsynced(3);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
	assert_int_equal(lie(3, NS_PER_S), -EAGAIN);
	note_unsynced(3);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
}

static void silence_makes_holdover_then_stale(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(look_after(60 * NS_PER_S - 1), HPT_WALL_STATE_SYNCED);
	assert_int_equal(look_after(1), HPT_WALL_STATE_HOLDOVER);
	assert_bound_holds();
	assert_int_equal(look_after(940 * NS_PER_S), HPT_WALL_STATE_HOLDOVER);
	assert_true(rec.read.span > now - rec.read.bound.tick);
	assert_int_equal(look_after(1), HPT_WALL_STATE_STALE);
	assert_int_equal(rec.read.span, 0);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
	assert_int_equal(rec.read.generation, 1);
}

/* Eight of its intervals, of a second at least. */
static void silence_is_measured_by_the_sources_intervals(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(add(1, 1000), 0);
		look_after(2 * NS_PER_S);
	}
	assert_int_equal(look_after(14 * NS_PER_S - 1), HPT_WALL_STATE_SYNCED);
	assert_int_equal(look_after(1), HPT_WALL_STATE_HOLDOVER);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(add(1, 1000), 0);
		look_after(NS_PER_MS);
	}
	assert_int_equal(look_after(999 * NS_PER_MS - 1), HPT_WALL_STATE_SYNCED);
	assert_int_equal(look_after(1), HPT_WALL_STATE_HOLDOVER);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(add(1, 1000), 0);
		look_after(50 * NS_PER_S);
	}
	assert_int_equal(look_after(10 * NS_PER_S - 1), HPT_WALL_STATE_SYNCED);
	assert_int_equal(look_after(1), HPT_WALL_STATE_HOLDOVER);
}

static void source_may_say_that_it_holds_over(void **state)
{
	struct hpt_wall_reading r = reading_of(1, 1000);

	(void)state;
	r.is_holdover = true;
	assert_int_equal(add_reading(&r), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_HOLDOVER);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
}

static void span_ends_where_the_state_may_change(void **state)
{
	uint64_t end;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(rec.read.span, 10 * NS_PER_MS);
	look_after(60 * NS_PER_S - 3 * NS_PER_MS);
	end = rec.read.bound.tick + rec.read.span;
	assert_int_equal(end - now, 3 * NS_PER_MS);
	look_after(3 * NS_PER_MS);
	assert_int_equal(rec.read.bound.tick + rec.read.span - now, 10 * NS_PER_MS);
	look_after(940 * NS_PER_S);
	assert_int_equal(rec.read.bound.tick + rec.read.span - now, 1); /* this tick alone */
}

/* Such lines would leave int64 in the end. */
static void lines_of_ten_years_ago_are_dropped(void **state)
{
	(void)state;
	rules.max_age_ns = INT64_MAX;
	rules.clock_ppb = PPB / 2;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(look_after(3650 * DAY_NS), HPT_WALL_STATE_HOLDOVER);
	assert_bound_holds();
	assert_int_equal(look_after(NS_PER_S), HPT_WALL_STATE_STALE);
	assert_int_equal(rec.has_bound, 0);
	assert_int_equal(rec.read.generation, 2);
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

static void assert_disrupted(bool is_disrupted)
{
	uint64_t before = rec.counts.disruptions, generation = rec.read.generation;

	look();
	assert_int_equal(rec.counts.disruptions - before, is_disrupted);
	assert_int_equal(rec.read.generation - generation, is_disrupted);
	assert_int_equal(hpt_wall_record_state(&rec), is_disrupted ? HPT_WALL_STATE_DISRUPTED : HPT_WALL_STATE_SYNCED);
	if (is_disrupted) {
		struct hpt_wall_reading old = reading_of(1, 1000);

		assert_int_equal(rec.has_bound, 0);
		assert_int_equal(rec.live, 0);
		old.sample.before--;
		assert_int_equal(add_reading(&old), -ERANGE);
		assert_int_equal(add(1, 1000), 0);
	}
}

/* A jump of 1 us, two steps of both, and 5 ppm of a second are allowed. */
static void jumps_are_seen(void **state)
{
	static const struct {
		int64_t moved_ns;
		bool is_jump;
	} jumps[] = { { 6003, false }, { -6003, false }, { 6010, true }, { -6010, true }, { NS_PER_S, true },
		      { -NS_PER_S, true } };

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	for (size_t i = 0; i < COUNT(jumps); i++) {
		raw_moved_ns += jumps[i].moved_ns;
		now += NS_PER_S;
		assert_disrupted(jumps[i].is_jump);
	}
}

/* What the reads took may be on either side. */
static void wide_look_is_no_jump(void **state)
{
	struct hpt_wall_look l;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	now += NS_PER_S;
	l = look_of();
	l.before -= 100000;
	l.after += 100000;
	l.raw_ns += 100000;
	hpt_wall_record_look(&rec, &rules, &l);
	assert_int_equal(rec.counts.disruptions, 0);
	l.raw_ns -= 2 * 100000;
	hpt_wall_record_look(&rec, &rules, &l);
	assert_int_equal(rec.counts.disruptions, 0);
}

static void sleep_of_the_machine_is_seen(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	asleep_ns += 100; /* within what two looks leave open */
	now += NS_PER_S;
	assert_disrupted(false);
	asleep_ns += 101;
	now += NS_PER_S;
	assert_disrupted(true);
	asleep_ns -= 101;
	now += NS_PER_S;
	assert_disrupted(true);
}

static void changed_marker_is_seen(void **state)
{
	struct hpt_wall_look l = look_of();

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	l.has_marks = true;
	l.marks = (struct hpt_wall_marks){ .marker = 7, .seq = 2 };
	hpt_wall_record_look(&rec, &rules, &l); /* the first one says nothing */
	assert_int_equal(rec.counts.disruptions, 0);
	l.marks.seq = 4;
	hpt_wall_record_look(&rec, &rules, &l);
	assert_int_equal(rec.counts.disruptions, 0);
	assert_int_equal(rec.read.marker_seq, 4);
	l.marks.marker = 8;
	hpt_wall_record_look(&rec, &rules, &l);
	assert_int_equal(rec.counts.disruptions, 1);
	assert_int_equal(rec.read.marker, 8);
	assert_int_equal(rec.read.clones, 0);
}

/* Sets the page's counter of generations, and looks. */
static void look_at_generation(struct hpt_wall_look *l, bool has_generation, uint64_t generation)
{
	l->marks.has_generation = has_generation;
	l->marks.generation = generation;
	hpt_wall_record_look(&rec, &rules, l);
}

/* With the same marker: on the host where the machine was copied the counter goes on. */
static void changed_generation_of_the_machine_is_a_clone(void **state)
{
	struct hpt_wall_look l = look_of();
	uint64_t generation;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	l.has_marks = true;
	l.marks = (struct hpt_wall_marks){ .marker = 7, .seq = 2 };
	look_at_generation(&l, true, 5); /* the first one says nothing */
	look_at_generation(&l, true, 5);
	assert_int_equal(rec.read.clones, 0);
	assert_int_equal(rec.counts.disruptions, 0);
	assert_true(rec.has_bound);
	generation = rec.read.generation;
	look_at_generation(&l, true, 6);
	assert_int_equal(rec.read.clones, 1);
	assert_int_equal(rec.counts.disruptions, 1);
	assert_int_equal(rec.read.generation, generation + 1);
	assert_false(rec.has_bound);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_DISRUPTED);
	look_at_generation(&l, true, 6);
	assert_int_equal(rec.read.clones, 1);
	look_at_generation(&l, false, 0);
	look_at_generation(&l, false, 0);
	assert_int_equal(rec.read.clones, 2);
	look_at_generation(&l, true, 0);
	assert_int_equal(rec.read.clones, 3);
	look_at_generation(&l, true, UINT64_C(1) << 32);
	assert_int_equal(rec.read.clones, 4);
}

static void other_rate_of_the_clock_is_an_event(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	rules.nominal = (struct hpt_band){ hpt_scale_of(1000100, 1000000), hpt_scale_of(1000200, 1000000) };
	assert_disrupted(true);
}

static void manual_clock_has_no_events(void **state)
{
	struct hpt_wall_look l = look_of();

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	l.has_clocks = false;
	l.raw_ns += NS_PER_S;
	l.asleep_lo_ns = l.asleep_hi_ns = NS_PER_S;
	hpt_wall_record_look(&rec, &rules, &l);
	assert_int_equal(rec.counts.disruptions, 0);
	assert_int_equal(rec.look.is_valid, 0);
}

/* ---- Contradictions ------------------------------------------------------------------------------------------ */

static void nothing_is_chosen(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(add(2, 1000), 0);
	assert_int_equal(lie(3, 10000), -EAGAIN);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(rec.read.generation, 2);
	assert_int_equal(rec.counts.contradictions, 1);
	assert_int_equal(rec.counts.refused_of[2], 1);
	assert_int_equal(rec.has_bound, 0);
	/* All that took part must state something again. */
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(add(2, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(add(3, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
	assert_bound_holds();
}

static void whoever_states_first_waits_for_the_others(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(lie(3, 10000), -EAGAIN);
	assert_int_equal(add(3, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
}

static void liar_goes_on_lying(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(lie(2, 10000), -EAGAIN);
	for (int i = 0; i < 5; i++) {
		look_after(NS_PER_S);
		assert_int_equal(add(1, 1000), 0);
		assert_int_equal(lie(2, 10000), -EAGAIN);
		assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
	}
	assert_int_equal(rec.counts.contradictions, 6);
}

static void silent_liar_is_waited_for_a_minute(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(lie(2, 10000), -EAGAIN);
	look_after(59 * NS_PER_S);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
	look_after(2 * NS_PER_S);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(look(), HPT_WALL_STATE_SYNCED);
	assert_bound_holds();
}

static void trusted_source_wins(void **state)
{
	(void)state;
	rules.trusted = NTH(2);
	assert_int_equal(lie(1, 10000), 0);
	assert_int_equal(add(2, 1000), 0);
	assert_int_equal(rec.read.generation, 2);
	assert_int_equal(rec.live, NTH(2));
	assert_bound_holds();
	assert_int_equal(lie(1, 10000), -EAGAIN);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
	assert_int_equal(rec.read.generation, 2);
	assert_bound_holds();
}

static void trusted_source_that_is_silent_wins_no_more(void **state)
{
	(void)state;
	rules.trusted = NTH(2);
	assert_int_equal(lie(2, 10000), 0);
	look_after(999 * NS_PER_S);
	assert_int_equal(lie(1, 1000 * NS_PER_S), -EAGAIN);
	assert_true(hpt_wall_record_serves(&rec));
	look_after(2 * NS_PER_S);
	assert_int_equal(lie(1, 1000 * NS_PER_S), -EAGAIN);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
}

/* Two that are trusted contradict each other: neither wins. */
static void two_trusted_ones_are_as_any(void **state)
{
	(void)state;
	rules.trusted = NTH(1) | NTH(2);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(lie(2, 10000), -EAGAIN);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
}

static void smeared_time_contradicts_utc(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	r = reading_of(2, 1000);
	r.sample.flags = HPT_WALL_FLAG_SMEARED;
	assert_int_equal(add_reading(&r), -EAGAIN);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
}

/* A source whose rate the clock cannot have, even if its time would do. */
static void rate_of_a_source_may_contradict(void **state)
{
	struct hpt_wall_reading r = reading_of(1, 1000);

	(void)state;
	r.has_rate = true;
	r.rate = (struct hpt_band){ hpt_scale_of(1001, 1000), hpt_scale_of(1002, 1000) };
	assert_int_equal(add_reading(&r), -EAGAIN);
	assert_int_equal(rec.counts.contradictions, 1);
	r.rate = (struct hpt_band){ hpt_scale_of(1000001, 1000000), hpt_scale_of(1000002, 1000000) };
	assert_int_equal(add_reading(&r), 0);
	assert_int_equal(hpt_band_ppb(rec.read.bound.band.lo, rules.ns_per_tick), 1000 - 15000);
	assert_int_equal(hpt_band_ppb(rec.read.bound.band.hi, rules.ns_per_tick), 2000 + 15000);
}

/* Not even if it is trusted. */
static void impossible_rate_of_a_trusted_source_wins_nothing(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	rules.trusted = NTH(1);
	assert_int_equal(add(2, 1000), 0);
	r = reading_of(1, 1000);
	r.has_rate = true;
	r.rate = (struct hpt_band){ hpt_scale_of(1001, 1000), hpt_scale_of(1002, 1000) };
	assert_int_equal(add_reading(&r), -EAGAIN);
	assert_int_equal(look(), HPT_WALL_STATE_CONTRADICTED);
}

/* ---- Rates --------------------------------------------------------------------------------------------------- */

static void average_narrows_the_rate(void **state)
{
	struct hpt_utc u;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	look_after(100 * NS_PER_S);
	assert_int_equal(add(1, 1000), 0);
	/* 20 ppb of the average, 15 ppm of wander, 1 ppm to forget. */
	assert_in_range(hpt_band_ppb(rec.read.bound.band.hi, rules.ns_per_tick), 16000, 16100);
	assert_in_range(-hpt_band_ppb(rec.read.bound.band.lo, rules.ns_per_tick), 16000, 16100);
	look_after(100 * NS_PER_S);
	u = hpt_bound_at(&rec.read.bound, now);
	assert_in_range(u.hi_ns - u.lo_ns, 3200000, 3300000);
	assert_bound_holds();
}

/* A wide sample in between is no new start. */
static void average_of_narrow_bounds_is_the_better_one(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	look_after(50 * NS_PER_S);
	assert_int_equal(add(1, NS_PER_MS), 0);
	look_after(50 * NS_PER_S);
	assert_int_equal(add(1, 1000), 0);
	assert_in_range(hpt_band_ppb(rec.read.bound.band.hi, rules.ns_per_tick), 16000, 16100);
}

/* ---- Ages ---------------------------------------------------------------------------------------------------- */

static void old_samples_are_refused(void **state)
{
	struct hpt_wall_reading old = reading_of(1, 1000), wide;

	(void)state;
	look_after(1000 * NS_PER_S);
	assert_int_equal(add_reading(&old), 0);
	look_after(1);
	assert_int_equal(add_reading(&old), -ERANGE);
	wide = reading_of(1, 1000);
	wide.sample.before -= 1000 * NS_PER_S;
	assert_int_equal(add_reading(&wide), 0);
	wide.sample.before--;
	assert_int_equal(add_reading(&wide), -ERANGE);
	assert_int_equal(rec.counts.refused, 2);
	assert_int_equal(rec.counts.samples, 2);
	/* Ten years are the most, whatever the program allows. */
	rules.max_age_ns = INT64_MAX;
	wide = reading_of(1, 1000);
	wide.sample.before = INT64_MIN + 5;
	assert_int_equal(add_reading(&wide), -ERANGE);
	wide.sample.before = wide.sample.after - 3651 * DAY_NS;
	assert_int_equal(add_reading(&wide), -ERANGE);
}

/* A sample is made of what was stated before. */
static void statement_of_before_an_event_is_void(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	asleep_ns += NS_PER_S;
	look_after(NS_PER_MS);
	now += 100;
	r = reading_of(1, 1000);
	r.age_ticks = 100;
	assert_int_equal(add_reading(&r), 0);
	r.age_ticks = 101;
	assert_int_equal(add_reading(&r), -ERANGE);
}

static void late_sample_does_not_make_the_wall_older(void **state)
{
	struct hpt_wall_reading late;

	(void)state;
	late = reading_of(1, 1000);
	look_after(10 * NS_PER_S);
	assert_int_equal(add(1, 100), 0);
	assert_int_equal(add_reading(&late), 0);
	assert_int_equal(rec.sampled, now);
	assert_true(rec.first == START);
	assert_bound_holds();
}

/* What all trusted sources state together goes on, also of those that are silent now. */
static void trusted_sources_win_together(void **state)
{
	(void)state;
	rules.trusted = NTH(1) | NTH(2);
	assert_int_equal(add(1, 100000), 0);
	assert_int_equal(add(2, 100000), 0);
	assert_int_equal(lie(3, 50000), 0);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(rec.counts.contradictions, 1);
	assert_int_equal(rec.live, NTH(1) | NTH(2));
	assert_bound_holds();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(first_record_has_nothing),
		record_test(unsynced_is_said_at_once),
		record_test(silence_makes_holdover_then_stale),
		record_test(silence_is_measured_by_the_sources_intervals),
		record_test(source_may_say_that_it_holds_over),
		record_test(span_ends_where_the_state_may_change),
		record_test(lines_of_ten_years_ago_are_dropped),
		record_test(jumps_are_seen),
		record_test(wide_look_is_no_jump),
		record_test(sleep_of_the_machine_is_seen),
		record_test(changed_marker_is_seen),
		record_test(changed_generation_of_the_machine_is_a_clone),
		record_test(other_rate_of_the_clock_is_an_event),
		record_test(manual_clock_has_no_events),
		record_test(nothing_is_chosen),
		record_test(whoever_states_first_waits_for_the_others),
		record_test(liar_goes_on_lying),
		record_test(silent_liar_is_waited_for_a_minute),
		record_test(trusted_source_wins),
		record_test(trusted_source_that_is_silent_wins_no_more),
		record_test(two_trusted_ones_are_as_any),
		record_test(smeared_time_contradicts_utc),
		record_test(rate_of_a_source_may_contradict),
		record_test(impossible_rate_of_a_trusted_source_wins_nothing),
		record_test(average_of_narrow_bounds_is_the_better_one),
		record_test(average_narrows_the_rate),
		record_test(old_samples_are_refused),
		record_test(statement_of_before_an_event_is_void),
		record_test(late_sample_does_not_make_the_wall_older),
		record_test(trusted_sources_win_together),
	};

	return cmocka_run_group_tests_name("wall_record", tests, NULL, NULL);
}
