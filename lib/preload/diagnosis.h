/* SPDX-License-Identifier: MIT */
/* What "hpt doctor" counts, in memory that the command shares with all programs that it started. */
#ifndef HPT_DIAGNOSIS_H
#define HPT_DIAGNOSIS_H

#include <stdatomic.h>
#include <stdint.h>

#include "preload/cause.h"
#include "preload/tally.h"

#define HPT_DIAGNOSIS_MAGIC 0x31676169447470a8u /* another layout has another number */

/* Late wakes that are kept one by one: the first ones. */
#define HPT_DIAGNOSIS_WAKES 4096

struct hpt_late_wake {
	_Alignas(8) _Atomic uint64_t at_ns; /* CLOCK_MONOTONIC, and set last; 0: not yet */
	_Alignas(8) int64_t late_ns;
	uint32_t process, thread;
	uint32_t call, cause;               /* HPT_CALL_, HPT_CAUSE_ */
};

/* Programs of 32 and of 64 bits have the same layout. */
struct hpt_diagnosis {
	_Alignas(8) uint64_t magic;
	/* The command sets these. */
	_Alignas(8) int64_t late_ns;           /* a wait is late that ends later than this */
	_Alignas(8) int64_t idle_exit_ns;      /* of struct hpt_evidence */
	/* Zeros: nothing happened. */
	_Atomic uint64_t programs;             /* that were started with the object */
	_Atomic uint64_t punctual[HPT_CALLS];  /* waits that time ended, and not late */
	_Atomic uint64_t by_event[HPT_CALLS];  /* that events ended, or signals */
	_Atomic uint64_t late[HPT_CALLS][HPT_CAUSES];
	_Atomic uint64_t lateness[HPT_CAUSES][HPT_TALLY_BINS]; /* as in struct hpt_tally */
	_Atomic uint64_t unread;               /* of those late: nothing could be read of the thread */
	_Atomic uint64_t n_wakes;              /* late ones, also those that are not kept */
	struct hpt_late_wake wakes[HPT_DIAGNOSIS_WAKES];
};

#endif
