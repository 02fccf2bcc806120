// SPDX-License-Identifier: MIT
/* The look at a wall of which a statement is made: of one moment of the wall, of CLOCK_REALTIME and of VMClock. */
#include <time.h>

#include "unit.h"

#include "wall/wall_look.h"

#define S INT64_C(1000000000)

/* A counter of 2 GHz, which is the default clock's. */
#define HZ UINT64_C(2000000000)
static hpt_clock *clk;

/* What VMClock says, look after look; the last one stays. 0: it cannot be read. */
static const uint64_t *markers;
static unsigned int asked;

static bool next_marker(uint64_t *ret)
{
	asked++;
	*ret = *markers;
	if (markers[1])
		markers++;
	return *ret;
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * S + ts.tv_nsec;
}

static hpt_wall *open_wall(void)
{
	const struct hpt_wall_config config = { .sources = HPT_WALL_SOURCE_FEED, .rate_ppb = 100000,
						.wander_ppb = 1000 };
	hpt_wall *w;

	assert_false(hpt_wall_open(NULL, &config, sizeof(config), 0, &w));
	return w;
}

/* UTC is 3 ms before CLOCK_REALTIME, to within a millisecond. */
static void feed(hpt_wall *w)
{
	int64_t utc_ns = clock_ns(CLOCK_REALTIME) - 3000000;
	const struct hpt_wall_sample sample = { .before = hpt_now(NULL), .after = hpt_now(NULL),
						.earliest_ns = utc_ns - 1000000, .latest_ns = utc_ns + 1000000 };

	assert_false(hpt_wall_feed(w, &sample, sizeof(sample)));
}

static void without_a_sample_there_is_no_bound(void **state)
{
	hpt_wall *w = open_wall();
	int64_t before_ns = clock_ns(CLOCK_REALTIME);
	struct wall_facts f;

	(void)state;
	wall_look(w, NULL, &f);
	assert_int_equal(f.state, HPT_WALL_STATE_NONE);
	assert_false(wall_state_has_bound(f.state) || f.has_marker || f.is_last);
	assert_true(f.unix_ns >= before_ns && f.unix_ns <= clock_ns(CLOCK_REALTIME));
	assert_true(f.tick == hpt_now(NULL));
	assert_true(f.ticks_ns == WALL_FACTS_TICKS / 2);
	hpt_wall_close(w);
}

static void a_bound_and_what_it_says_of_realtime(void **state)
{
	hpt_wall *w = open_wall();
	struct hpt_wall_time t;
	struct timespec step;
	struct wall_facts f;
	int64_t late_ns;

	(void)state;
	feed(w);
	wall_look(w, NULL, &f);
	assert_int_equal(f.state, HPT_WALL_STATE_SYNCED);
	assert_false(hpt_wall_now(w, &t));
	assert_memory_equal(&f.time, &t, sizeof(t));
	/* The counter stands still, and CLOCK_REALTIME has gone on. */
	late_ns = f.unix_ns - (t.earliest_ns + t.latest_ns) / 2 - 3000000;
	assert_in_range(late_ns, 0, S);
	assert_true(f.ahead_min_ns == f.unix_ns - t.latest_ns);
	assert_true(f.ahead_max_ns == f.unix_ns - t.earliest_ns);
	assert_int_equal(f.info.rate_lo_ppb, -100000);
	assert_int_equal(f.info.rate_hi_ppb, 100000);
	assert_int_equal(f.info.age_ns, 0);
	clock_getres(CLOCK_MONOTONIC_COARSE, &step);
	assert_true(f.mono_ns <= clock_ns(CLOCK_MONOTONIC_COARSE) - step.tv_nsec);
	assert_true(f.mono_ns > clock_ns(CLOCK_MONOTONIC_COARSE) - S);
	hpt_wall_close(w);
}

static struct wall_facts look_by(const uint64_t *says)
{
	hpt_wall *w = open_wall();
	struct wall_facts f;

	feed(w);
	markers = says;
	asked = 0;
	wall_look(w, next_marker, &f);
	hpt_wall_close(w);
	return f;
}

static void marker_is_the_same_before_and_after(void **state)
{
	static const uint64_t still[] = { 7, 0 }, moved_once[] = { 7, 8, 8, 0 };
	struct wall_facts f = look_by(still);

	(void)state;
	assert_true(f.has_marker && f.marker == 7 && f.state == HPT_WALL_STATE_SYNCED);
	assert_int_equal(asked, 2);
	f = look_by(moved_once);
	assert_true(f.has_marker && f.marker == 8 && f.state == HPT_WALL_STATE_SYNCED);
	assert_int_equal(asked, 4);
}

static void marker_that_goes_on_moving_or_cannot_be_read(void **state)
{
	static uint64_t moving[100];
	static const uint64_t none[] = { 0, 0 };
	struct wall_facts f;

	(void)state;
	for (size_t i = 0; i + 1 < COUNT(moving); i++)
		moving[i] = i + 1;
	f = look_by(moving);
	assert_true(f.has_marker && f.state == HPT_WALL_STATE_NONE);
	f = look_by(none);
	assert_true(f.has_marker && f.state == HPT_WALL_STATE_NONE);
	assert_in_range(asked, 2, 20);
}

/* It is unreadable at each other look. */
static bool now_and_then(uint64_t *ret)
{
	*ret = 7;
	return asked++ % 2 == 0;
}

static void marker_that_is_lost_meanwhile(void **state)
{
	hpt_wall *w = open_wall();
	struct wall_facts f;

	(void)state;
	feed(w);
	for (unsigned int first = 0; first < 2; first++) {
		asked = first;
		wall_look(w, now_and_then, &f);
		assert_int_equal(f.state, HPT_WALL_STATE_NONE);
	}
	hpt_wall_close(w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_sample_there_is_no_bound),
		cmocka_unit_test(a_bound_and_what_it_says_of_realtime),
		cmocka_unit_test(marker_is_the_same_before_and_after),
		cmocka_unit_test(marker_that_goes_on_moving_or_cannot_be_read),
		cmocka_unit_test(marker_that_is_lost_meanwhile),
	};

	if (hpt_clock_new_manual(HZ, 1000000, 0, &clk) || hpt_clock_set_default(clk, 0))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
