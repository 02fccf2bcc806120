// SPDX-License-Identifier: MIT
/*
 * What ClockBound's own writers write, of both versions, gives a wall an interval that overlaps the one of ClockBound's
 * own library: both claim to contain the same instant. Where it has no bound, neither has the wall.
 *
 * usage: overlap FOLDER N
 *   FOLDER  where "build" has put the libraries
 *   N       statements of each version
 */
#include <errno.h>

#include "clockbound.h"

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * UINT64_C(2685821657736338717) % n;
}

static struct {
	unsigned int statements, bounds, without, holdover;
	double narrowest, widest, latest; /* our width by theirs */
} sum;

/* The wall was read before and after their library: at its instant it was between the two. */
static bool overlaps(const struct hpt_wall_time *before, const struct clockbound_now_result *r,
		     const struct hpt_wall_time *after)
{
	return ns_of(r->latest) >= before->earliest_ns && ns_of(r->earliest) <= after->latest_ns;
}

static void note_width(const struct hpt_wall_time *t, const struct clockbound_now_result *r)
{
	double ratio = (double)(t->latest_ns - t->earliest_ns) / (double)(ns_of(r->latest) - ns_of(r->earliest));

	if (!sum.bounds || ratio < sum.narrowest)
		sum.narrowest = ratio;
	if (!sum.bounds || ratio > sum.widest)
		sum.widest = ratio;
	sum.latest = ratio;
}

/* Version 2 of the library reports FREE_RUNNING from the fifth second on, as the wall reports HOLDOVER. */
static void compare(struct clockbound *cb, hpt_wall *wall, const struct statement *s)
{
	struct hpt_wall_time before, after;
	struct clockbound_now_result earlier, r;
	/* A preemption anywhere may widen theirs faster than ours: their earlier width is compared. */
	bool answered = clockbound_now(cb, &earlier);
	int state = hpt_wall_update(wall), result = hpt_wall_now(wall, &before);

	must(answered, "their library gives no answer");
	must(clockbound_now(cb, &r), "their library gives no answer");
	must(r.clock_status == s->status, "their library gives another status");
	sum.statements++;
	if (r.clock_status == UNKNOWN || r.clock_status == DISRUPTED) {
		must(state == HPT_WALL_STATE_UNSYNCED && result == -EAGAIN, "the wall has a bound that nothing states");
		sum.without++;
		return;
	}
	must(!result && !hpt_wall_now(wall, &after), "the wall has no bound");
	must((uint32_t)state == (s->status == FREE_RUNNING ? HPT_WALL_STATE_HOLDOVER : HPT_WALL_STATE_SYNCED),
	     "the wall's state is another");
	must(overlaps(&before, &r, &after), "the intervals do not overlap");
	note_width(&before, &earlier);
	sum.bounds++;
	sum.holdover += state == HPT_WALL_STATE_HOLDOVER;
}

static void check_random(struct clockbound *cb)
{
	struct statement s = true_statement(cb->version);
	hpt_wall *wall = wall_of(cb->path);

	s.bound_ns = (int64_t)(1 + random_below(1 + (UINT64_C(10000000) >> random_below(14))));
	s.drift_ppb = (uint32_t)random_below(100000);
	s.status = (int32_t)random_below(16);
	s.status = s.status > DISRUPTED ? SYNCHRONIZED : s.status;
	s.marker = random_below(UINT64_MAX);
	/* Up to three seconds ago. */
	if (random_below(2)) {
		int64_t age_ns = (int64_t)random_below(3000000000);

		s.as_of_ns -= age_ns;
		s.void_after_ns -= age_ns;
		s.as_of_tick -= cb->version == 3 ? (uint64_t)((double)age_ns / 1e9 / s.period_s) : 0;
	}
	clockbound_write(cb, &s);
	compare(cb, wall, &s);
	/* Both are CLOCK_REALTIME's reading and the same error; version 3 is also bounded by the clock's rate. */
	must(cb->version == 3 || s.status == UNKNOWN || s.status == DISRUPTED || sum.latest >= 0.999,
	     "our interval is narrower than theirs");
	hpt_wall_close(wall);
}

/* One wall that is fed by true statements for a second, as by the daemon. */
static void check_lasting(struct clockbound *cb)
{
	hpt_wall *wall = wall_of(cb->path);
	struct hpt_wall_info info;

	for (int i = 0; i < 100; i++) {
		struct statement s = true_statement(cb->version);

		clockbound_write(cb, &s);
		compare(cb, wall, &s);
		hpt_sleep_ns(NULL, 10000000);
	}
	must(!hpt_wall_get_info(wall, &info, sizeof(info)) && !info.contradictions && info.samples == 100,
	     "the wall took all of 100 statements, without a contradiction");
	hpt_wall_close(wall);
}

/* The comparison can fail: their library gets a statement that is off by three times its bound. */
static void check_teeth(struct clockbound *cb, const char *folder)
{
	struct clockbound other = *cb;
	struct statement s = true_statement(cb->version);
	struct clockbound_now_result r;
	struct hpt_wall_time before, after;
	hpt_wall *wall;

	snprintf(other.path, sizeof(other.path), "%s/own1", folder);
	s.bound_ns = 1000000;
	clockbound_write(cb, &s);
	must(!rename(cb->path, other.path), "rename");
	wall = wall_of(other.path);
	must(hpt_wall_update(wall) == HPT_WALL_STATE_SYNCED && !hpt_wall_now(wall, &before), "the wall has a bound");
	s.as_of_ns -= 3 * s.bound_ns;
	clockbound_write(cb, &s); /* the mapping is of the renamed file */
	must(clockbound_now(cb, &r) && !hpt_wall_now(wall, &after), "both give an interval");
	must(!overlaps(&before, &r, &after), "a statement that is off by three bounds is not seen");
	hpt_wall_close(wall);
}

static void check(const char *libraries, const char *folder, int version, int n)
{
	struct clockbound cb;

	memset(&sum, 0, sizeof(sum));
	clockbound_make(&cb, libraries, folder, version);
	for (int i = 0; i < n; i++)
		check_random(&cb);
	check_lasting(&cb);
	if (version == 3)
		check_teeth(&cb, folder);
	printf("version %d: %u statements, %u overlap, %u of them HOLDOVER, %u without a bound; "
	       "our width %.4f to %.4f of theirs\n",
	       version, sum.statements, sum.bounds, sum.holdover, sum.without, sum.narrowest, sum.widest);
	must(sum.bounds > 0 && sum.holdover > 0 && sum.without > 0, "too few statements");
}

int main(int argc, char **argv)
{
	const char *text = getenv("HPT_TEST_SEED");
	char folder[64];

	if (argc != 3)
		return 2;
	seed = text ? strtoull(text, NULL, 0) : (uint64_t)clock_ns(CLOCK_MONOTONIC) | 1;
	printf("HPT_TEST_SEED=0x%llx\n", (unsigned long long)seed);
	make_folder(folder);
	check(argv[1], folder, 2, atoi(argv[2]));
	if (has_their_counter())
		check(argv[1], folder, 3, atoi(argv[2]));
	else
		printf("version 3 left out: the clock is not of the counter that ClockBound reads\n");
	remove_folder(folder);
	return 0;
}
