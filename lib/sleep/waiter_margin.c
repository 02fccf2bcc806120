// SPDX-License-Identifier: MIT
/* The margins of sleeps for waits of the program's own, and what those teach. */
#include "hpt/wait.h"

#include "arch/arch.h"
#include "math/units.h"
#include "sleep/slack.h"
#include "sleep/spin_limits.h"
#include "sleep/wait_margins.h"
#include "sleep/waiter.h"

static struct hpt_wait_margins margins_of(struct hpt_waiter *w, const struct hpt_habits *h, int64_t left_ns)
{
	return hpt_wait_margins_of(h, hpt_policy_never_early(hpt_object_policy_current(&w->policy)),
				   hpt_spin_limits_block_after_ns(), left_ns);
}

/* So that no sum overflows. */
#define SLACK_MOST_NS (INT64_C(1) << 60)

static int64_t used_slack_ns(const struct hpt_waiter *w, struct hpt_habits *h)
{
	int64_t slack_ns = hpt_slack_ns(w->clk->src.env, h);

	return slack_ns < SLACK_MOST_NS ? slack_ns : SLACK_MOST_NS;
}

/* The program's wait has the thread's slack, and ends as much earlier. No manual clock waits for the kernel's. */
int hpt_waiter_margin_ns(hpt_waiter *w, int64_t left_ns, int64_t *ret)
{
	struct hpt_wait_margins m;
	int saved = errno;

	if (!w || !ret)
		return -EINVAL;
	if (w->clk->src.own_time) {
		*ret = 0;
		return 0;
	}
	m = margins_of(w, hpt_habits_known(), left_ns);
	m.slack_ns = used_slack_ns(w, hpt_habits_claim());
	atomic_store_explicit(&w->is_long, hpt_wait_margins_are_two(&m, left_ns), memory_order_relaxed);
	*ret = hpt_wait_margins_ahead_ns(&m, left_ns) + m.slack_ns;
	errno = saved;
	return 0;
}

int hpt_waiter_learn_ns(hpt_waiter *w, int64_t asked_at, int64_t woke_at)
{
	struct hpt_habits *h = hpt_habits_claim();
	int saved = errno;
	int64_t late_ns, slack_ns;
	struct hpt_wait_margins m;

	if (!w)
		return -EINVAL;
	if (!h || woke_at < asked_at || w->clk->src.own_time)
		return 0;
	if (__builtin_sub_overflow(woke_at, asked_at, &late_ns))
		late_ns = INT64_MAX;
	slack_ns = used_slack_ns(w, h);
	late_ns -= slack_ns;
	m = margins_of(w, h, 0);
	hpt_wait_margins_learn(&m, h, late_ns > 0 ? late_ns : 0,
			       atomic_load_explicit(&w->is_long, memory_order_relaxed));
	hpt_slack_note_wake(h, slack_ns, late_ns, late_ns > NS_PER_MS ? -1 : 0); /* a larger slack, perhaps */
	errno = saved;
	return 0;
}
