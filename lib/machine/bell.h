/* SPDX-License-Identifier: MIT */
/*
 * Bells: eventcounts that are never freed. A thread that waits for a wall with a waiter sleeps on the wall's bell. Its
 * waiter's own eventcount has the bell's number beside the count of sleepers, so that an interrupt learns in its one
 * operation which bell to ring, and touches neither waiter nor wall afterwards.
 */
#ifndef HPT_BELL_H
#define HPT_BELL_H

#include "arch/arch.h"
#include "machine/eventcount.h"

/* Numbered from 1. Walls share them: a thread that is woken for another wall looks at its own once more. */
#define HPT_BELLS 8u

/* A bell's number in the count of sleepers of an eventcount with one sleeper. */
#define HPT_BELL_SHIFT 16

extern struct hpt_eventcount hpt_bells[HPT_BELLS] HIDDEN;

/* The number of a bell for a new wall: each in turn. */
uint32_t hpt_bell_choose(void);

static inline struct hpt_eventcount *hpt_bell(uint32_t number)
{
	return &hpt_bells[number - 1];
}

/* Around a wait on the bell. The sleeper looks at ec's value after the first: see hpt_eventcount_enter(). */
static inline void hpt_bell_enter(struct hpt_eventcount *ec, uint32_t number)
{
	hpt_eventcount_add_sleepers(ec, 1 + (number << HPT_BELL_SHIFT));
}

static inline void hpt_bell_leave(struct hpt_eventcount *ec, uint32_t number)
{
	hpt_eventcount_add_sleepers(ec, -(1 + (number << HPT_BELL_SHIFT)));
}

/* After a notification that found these sleepers: rings their bell, if they have one. */
static inline void hpt_bell_ring_for(uint32_t sleepers, const struct hpt_env *env)
{
	uint32_t number = sleepers >> HPT_BELL_SHIFT;

	if (unlikely(number))
		hpt_eventcount_notify(hpt_bell(number), 1, env);
}

#endif
