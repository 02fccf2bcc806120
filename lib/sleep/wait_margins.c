// SPDX-License-Identifier: MIT
/* The margins of waits: lib/sleep/wait_margins.h. */
#include "sleep/wait_margins.h"

#include "hpt/hpt.h"

#include "math/scale.h"
#include "math/units.h"

/*
 * A long wait wakes late, so a second, short one follows it. How late the kernel wakes a thread grows with the time
 * that the CPU was idle, up to 155 to 190 us for 250 ms. After a short wait it is 50 to 100 us whatever came before (an
 * AMD EPYC guest with 2 CPUs). The second wake costs some 15 us of CPU: there is one only where it replaces more
 * spinning. In sleeps of a millisecond it does so at most on idle CPUs: beside two busy threads on 2 CPUs a 1 kHz
 * sleeper used 60 us of CPU time a sleep with two waits and 54 us with one, without such threads 137 and 146.
 */
#define SECOND_NS    20000
#define WORTH_TWO_NS 2000000

/*
 * NOSPIN that is never early is late by the kernel's lateness anyhow. One wait does until the two clocks may come to
 * differ by more than that.
 */
#define WORTH_TWO_LATE_NS (LONG_GUESS_NS * EARLY_PART)

/* The long margin until one is learned. It is waited away by the second wait, not spun. */
#define LONG_GUESS_NS 150000
#define LONG_CAP_NS   1000000

/* At this many samples half of them are forgotten. */
#define WINDOW 128

/* A long margin costs no CPU time, and a late wake after it is a late sleep as any other. */
static const struct hpt_price long_price = { 10000000, 0 };

/*
 * A long wait ends earlier by a part of its length, since the rates of the counter and CLOCK_MONOTONIC may come to
 * differ from those last seen. 1/1024, 0.1 %, covers NTP's 500 ppm twice. From a second on the part is 1/16, 6 %,
 * because a slew may begin in that time.
 */
#define EARLY_PART      1024
#define EARLY_PART_LONG 16

struct hpt_wait_margins hpt_wait_margins_of(const struct hpt_habits *h, struct hpt_policy p, int64_t most_ns,
					    int64_t left_ns)
{
	bool is_late = hpt_policy_kind(p) == HPT_SLEEP_NOSPIN && !hpt_policy_cap_ns(p);
	struct hpt_wait_margins m = { .cap_ns = hpt_policy_cap_ns(p) };

	if (hpt_policy_kind(p) == HPT_SLEEP_SPIN) {
		m.brief_ns = m.cap_ns;
		return m;
	}
	if (m.cap_ns > most_ns)
		m.cap_ns = most_ns;
	m.brief_ns = hpt_margin_ns(&h->after_brief, hpt_policy_price(p), m.cap_ns, HPT_WAIT_MARGINS_GUESS_NS);
	m.two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;
	if (left_ns > SECOND_NS + m.two_ns) /* the habits' bins are seldom in the CPU's cache */
		m.long_ns = hpt_margin_ns(&h->after_long, long_price, LONG_CAP_NS, LONG_GUESS_NS);
	m.is_learned = !is_late;
	return m;
}

bool hpt_wait_margins_are_two(const struct hpt_wait_margins *m, int64_t left_ns)
{
	return m->long_ns && left_ns > m->long_ns + m->brief_ns + SECOND_NS + m->two_ns;
}

/*
 * The margin of a long wait that no second one follows: 0 where a second wake costs less than the spinning that it
 * replaces, as on idle CPUs. Where other threads keep the CPUs busy the kernel wakes soon after any wait.
 */
static int64_t once_ns(const struct hpt_wait_margins *m, int64_t early_ns)
{
	int64_t once = m->long_ns + early_ns;

	return once <= m->brief_ns + SECOND_NS && once <= m->cap_ns ? once : 0;
}

int64_t hpt_wait_margins_ahead_ns(const struct hpt_wait_margins *m, int64_t left_ns)
{
	int64_t early_ns = left_ns / (left_ns < NS_PER_S ? EARLY_PART : EARLY_PART_LONG), once;

	if (!hpt_wait_margins_are_two(m, left_ns))
		return m->brief_ns;
	once = once_ns(m, early_ns);
	return once ? once : m->brief_ns + m->slack_ns + SECOND_NS + m->long_ns + early_ns;
}

void hpt_wait_margins_learn(const struct hpt_wait_margins *m, struct hpt_habits *h, int64_t late_ns, bool was_long)
{
	if (was_long)
		hpt_margin_add(&h->after_long, late_ns, WINDOW);
	else if (m->is_learned)
		hpt_margin_add(&h->after_brief, late_ns, WINDOW);
}
