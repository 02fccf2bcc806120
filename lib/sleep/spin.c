// SPDX-License-Identifier: MIT
/* Spins until a deadline: lib/sleep/spin.h. */
#include "sleep/spin.h"

#include <stddef.h>

#include "sleep/relax.h"

/*
 * From this long before the deadline each turn prefetches the code that follows the sleep. After milliseconds in the
 * kernel or in one small loop that code has fallen out of the caches, which made sleeps end 100 to 200 ns late.
 */
#define WARM_NS 5000

/*
 * Far from the deadline a turn has this many PAUSEs, and after each looks for an interrupt. With a counter read after
 * each PAUSE an interrupt ended the spin 10 to 20 ns later.
 */
#define SPIN_LOOKS 4

/* The warming turns before a comparison. */
#define WARM_TURNS 64

/* From this long before the deadline turns are without PAUSE and so as short as a counter read, 10 ns. */
#define TIGHT_NS 200

/*
 * The spin ends by a lead before the deadline: half of the shortest time between two reads, if there were at least
 * LEAD_READS, and at most LEAD_NS. The caller's next read comes later still, so it is never before the deadline.
 */
#define LEAD_READS 4
#define LEAD_NS    10

/* Cache lines of 64 bytes to fetch: of the stack, up to the program's part, and of code from each return address on. */
#define STACK_LINES 8
#define CODE_LINES  4

/* Measured by the warming turns. */
struct found {
	uint64_t between; /* ticks: the shortest time between two reads */
	uint32_t reads;   /* times measured */
};

static inline __attribute__((always_inline)) void fetch_lines(const char *from, int n)
{
	for (int line = 0; line < n; line++)
		__builtin_prefetch(from + 64 * line);
}

/*
 * Fetches the cache lines needed next: the code of our callers and of the program, and the stack between. A prefetch
 * never faults. Calling a read also warms the instruction TLB and the branch predictor; a data prefetch does not.
 */
static inline __attribute__((always_inline)) void make_ready(const struct hpt_spin *sp, struct found *found)
{
	uint64_t between = hpt_source_now_unordered(&sp->s->clk->src) - sp->now;

	found->between = between < found->between ? between : found->between;
	found->reads++;
	__builtin_prefetch(__builtin_return_address(0));
	fetch_lines(sp->exits[0], CODE_LINES);
	fetch_lines(sp->exits[1], CODE_LINES);
	fetch_lines(sp->s->exit, CODE_LINES);
	fetch_lines(__builtin_frame_address(0), STACK_LINES);
	if (sp->reads_ns)
		(void)hpt_now_ns(sp->s->clk);
	else
		(void)hpt_now(sp->s->clk);
}

/* UMWAIT's deadline is a TSC value, and MWAITX's limit a number of TSC ticks: the clock's ticks must be the TSC's. */
static bool is_low_power(const struct hpt_spin *sp)
{
	return hpt_relax_kind() > HPT_RELAX_PAUSE && hpt_source_is_own(&sp->s->clk->src);
}

static void doze(const struct hpt_spin *sp, uint64_t until)
{
	const struct hpt_eventcount none = { 0 }, *ec = sp->s->eventcount ? sp->s->eventcount : &none;

	hpt_relax_until(hpt_relax_kind(), hpt_eventcount_futex(ec), sp->s->key, sp->now, until);
}

/* The rest of a turn far from the deadline. True: it was interrupted. */
static inline bool relax(const struct hpt_spin *sp, uint64_t until)
{
	bool is_interrupted = false;

	if (is_low_power(sp))
		doze(sp, until);
	else
		for (int i = 0; i < SPIN_LOOKS && !is_interrupted; i++) {
			arch_relax();
			is_interrupted = hpt_sleeper_is_interrupted(sp->s);
		}
	return is_interrupted;
}

/*
 * Spins until the tick `until`. If found is set, turns warm the caches, and each is three reads long. Such a turn
 * begins only if there is time for three turns as long as the previous one. Fewer than WARM_TURNS fit into 5 us.
 */
static inline __attribute__((always_inline)) enum hpt_spin_end spin_until(struct hpt_spin *sp, uint64_t until,
									  struct found *found)
{
	for (int n = found ? WARM_TURNS : HPT_SPIN_PAUSES / SPIN_LOOKS; n; n--) {
		uint64_t now, passed, turn;

		if (unlikely(hpt_sleeper_is_interrupted(sp->s)))
			return HPT_SPIN_INTERRUPTED;
		now = hpt_source_now_unordered(&sp->s->clk->src);
		passed = now - sp->now; /* more than any gap where the counter went back */
		turn = found ? 3 * passed : 0;
		sp->now = now;
		if (unlikely(passed > sp->gap))
			return HPT_SPIN_CHECK;
		if ((int64_t)(now + turn - until) >= 0)
			return HPT_SPIN_REACHED;
		if (found) {
			make_ready(sp, found);
			arch_relax();
		} else if (unlikely(relax(sp, until))) {
			return HPT_SPIN_INTERRUPTED;
		}
	}
	return HPT_SPIN_CHECK;
}

static uint64_t spin_ticks(const struct hpt_spin *sp, uint64_t ns)
{
	return hpt_scale_floor(ns, sp->tick_per_ns.whole, sp->tick_per_ns.frac);
}

/*
 * By how many ticks the spin may end before the deadline. The program's next counter read comes later than the
 * deciding one by at least the shortest time between two reads of this spin, whatever the core's present frequency. A
 * counter that moves in steps shows up to a step more than that time. Half of the rest is safe.
 */
static uint64_t lead(const struct hpt_spin *sp, const struct found *found)
{
	uint64_t most = spin_ticks(sp, LEAD_NS);

	if (found->reads < LEAD_READS || found->between <= sp->step)
		return 0;
	return (found->between - sp->step) / 2 < most ? (found->between - sp->step) / 2 : most;
}

enum hpt_spin_end hpt_spin_near(struct hpt_spin *sp)
{
	uint64_t warm = sp->deadline - spin_ticks(sp, WARM_NS), tight = sp->deadline - spin_ticks(sp, TIGHT_NS);
	struct found found = { UINT64_MAX, 0 };
	enum hpt_spin_end end;

	sp->gap = spin_ticks(sp, HPT_SPIN_GAP_NS);
	end = spin_until(sp, warm, NULL);
	if (end == HPT_SPIN_REACHED)
		end = spin_until(sp, tight, &found);
	sp->until = sp->deadline - lead(sp, &found);
	return end;
}
