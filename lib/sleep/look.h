/* SPDX-License-Identifier: MIT */
/*
 * Looks at descriptors in a sleep. One that finds an event, or an error, ends the sleep as an interrupt does:
 * -ECANCELED. What it found is in the sleeper's struct hpt_look.
 */
#ifndef HPT_LOOK_H
#define HPT_LOOK_H

#include "machine/fds.h"
#include "sleep/habits.h"
#include "sleep/sleep_state.h"

struct hpt_look {
	struct hpt_fds fds;
	uint64_t took;   /* ticks of the shortest look in the spin; 0: not known yet */
	int result;      /* how many are ready, or -errno; 0: nothing has ended the sleep yet */
	bool has_looked; /* at least once */
	bool is_near;    /* the kernel phase has ended without an event, and the thread's habits know that */
};

/*
 * Looks for ns, as hpt_fds_wait(). Returns -ECANCELED: that ends the sleep; -ETIMEDOUT; or 0: a signal came. An
 * interrupt ends the look only by the waiter's descriptor, if that is one of them.
 */
int hpt_look_for(const struct hpt_sleeper *s, int64_t ns);

/* Looks until the clock id reaches until_ns, as hpt_kernel_wait(). */
int hpt_look_wait(const struct hpt_sleep *sl, clockid_t id, int64_t until_ns);

/* Looks in turns until what is left is for hpt_spin_near(). REACHED, INTERRUPTED or CHECK, as that. */
enum hpt_spin_end hpt_look_spin(struct hpt_spin *sp);

/* Of a wait that came near its deadline, for the thread's habits: whether an event ended it. h: or NULL. */
void hpt_look_note_end(const struct hpt_look *look, struct hpt_habits *h, bool is_event);

#endif
