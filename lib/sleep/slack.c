// SPDX-License-Identifier: MIT
/* A thread's timer slack: lib/sleep/slack.h. */
#include "sleep/slack.h"

#include <stdbool.h>

/*
 * The kernel may end a wait as much later as the thread's timer slack. A slack up to this is allowed for: the wait is
 * asked for that much earlier. Setting it to 1 ns and back takes three system calls a sleep, 0.7 us, or 8 us after the
 * CPU idled for 20 ms. In exchange some wakes are early by up to the slack, where another timer ends in that time.
 */
#define SLACK_SMALL_NS 100000

/* This many wakes before their time in a row are no coincidence: another timer ends one wait in 80 (50 us of 4 ms). */
#define EARLY_UNUSED 4

/* The thread's timer slack, at least 1 ns: asked for, or as known. */
static int64_t ask_slack_ns(const struct hpt_env *env, struct hpt_habits *h)
{
	int64_t slack_ns = env->slack_ns();

	if (slack_ns < 1)
		slack_ns = 1;
	if (h)
		h->slack_ns = slack_ns;
	return slack_ns;
}

int64_t hpt_slack_ns(const struct hpt_env *env, struct hpt_habits *h)
{
	return h && h->slack_ns > 0 ? h->slack_ns : ask_slack_ns(env, h);
}

int64_t hpt_slack_small_ns(const struct hpt_env *env, struct hpt_habits *h)
{
	int64_t slack_ns = hpt_slack_ns(env, h);

	return slack_ns <= SLACK_SMALL_NS ? slack_ns : 0;
}

/* The value read here is restored, not the remembered one: the program may have changed the slack. */
int64_t hpt_slack_drop(const struct hpt_env *env, struct hpt_habits *h)
{
	int64_t slack_ns = ask_slack_ns(env, h);

	if (slack_ns > 1)
		env->set_slack_ns(1);
	return slack_ns;
}

void hpt_slack_restore(const struct hpt_env *env, struct hpt_habits *h, int64_t slack_ns)
{
	if (slack_ns > 1)
		env->set_slack_ns(slack_ns);
	if (h) /* a signal handler that slept meanwhile found the other one */
		h->slack_ns = h->early < EARLY_UNUSED ? slack_ns : 1;
}

/*
 * The timer slack is no longer known if it probably changed: after a wake before its time, or after the deadline. Where
 * wakes are early one after another the kernel does not use it: before 6.12, of real-time threads.
 */
void hpt_slack_note_wake(struct hpt_habits *h, int64_t slack_ns, int64_t late_ns, int64_t left_ns)
{
	bool is_early = slack_ns && late_ns < -slack_ns / 2;

	if (slack_ns)
		h->early = is_early ? h->early + 1 : 0;
	if (is_early || left_ns < 0)
		h->slack_ns = h->early < EARLY_UNUSED ? 0 : 1;
}
