/* SPDX-License-Identifier: MIT */
/* Ways to sleep with known lateness, in whole runs of hpt bench sleep --load, and a worker that may stop one. */
#ifndef HPT_TEST_FAKE_PACED_H
#define HPT_TEST_FAKE_PACED_H

#include "bench/paced.h"

/* Those of a turn that are not counted. */
#define PACED_SETTLING 10

/* Sleeps of a turn at a rate, and of a round, settled and counted. */
#define PACED_TURN(rate) (PACED_SETTLING + paced_rates[rate].sleeps)
#define PACED_ROUND      (PACED_WAYS * (PACED_TURN(0) + PACED_TURN(1)))

/* worker_step(): number of calls, the call that returns false (0: none), and the arguments of the last. */
extern int64_t paced_steps, paced_steps_wanted, paced_step_done, paced_step_total;

/* The sleeps of each way, and the ways of all sleeps in order. */
#define PACED_ORDER_MAX 4096
extern _Atomic unsigned paced_calls[PACED_WAYS], paced_n_order;
extern unsigned paced_order[PACED_ORDER_MAX];

/* Of the next runs: 1 at first. */
extern uint32_t paced_threads;

/* Runs with @late: the lateness in ns of call @n of a way. The third way reports that counter and clock diverged. */
void paced_run(uint32_t rounds, uint32_t seed, int64_t (*late)(unsigned way, unsigned n), struct paced *ret);

void paced_free(struct paced *s);

#endif
