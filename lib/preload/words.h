/* SPDX-License-Identifier: MIT */
/* The words by which "hpt run" passes its options to libhpt-preload.so, in the environment. */
#ifndef HPT_WORDS_H
#define HPT_WORDS_H

/*
 * HPT_RUN holds these words, separated by commas, all numbers in decimal:
 *   policy=N     HPT_SLEEP_
 *   max-spin=N   in ns; 0: the policy's own
 *   least=N      in ns: shorter sleeps are passed on
 *   budget=N     per cent of a thread's time that it may spin
 *   waits=N      enum hpt_run_waits: which waits are served that events end too
 *   quota=N      the least CPU quota of the control groups, in thousandths of a CPU; missing or 0: none is known
 * HPT_RUN_SLACK is the timer slack in ns that there was before "hpt run" changed it.
 * HPT_RUN_STATS is the path of a file that is a struct hpt_tally.
 * HPT_RUN_DOCTOR is the path of a file that is a struct hpt_diagnosis: nothing is served, all is watched.
 * HPT_RUN_CROWD is the path of a file that is a struct hpt_shared_crowd.
 * HPT_RUN_EXCLUDE holds the names of programs that are left alone, with colons between.
 * HPT_PRELOAD is the path of the object to load in place of the installed one; the command alone reads it.
 */
#define HPT_RUN_SETTINGS "HPT_RUN"
#define HPT_RUN_SLACK    "HPT_RUN_SLACK"
#define HPT_RUN_STATS    "HPT_RUN_STATS"
#define HPT_RUN_DOCTOR   "HPT_RUN_DOCTOR"
#define HPT_RUN_CROWD    "HPT_RUN_CROWD"
#define HPT_RUN_EXCLUDE  "HPT_RUN_EXCLUDE"

/* Which waits that events end too are served. */
enum hpt_run_waits {
	HPT_RUN_WAITS_NONE,
	HPT_RUN_WAITS_ALL,
	HPT_RUN_WAITS_MS, /* those for whole milliseconds by the program's own system call alone */
	HPT_RUN_WAITS_KINDS
};

#define HPT_RUN_LEAST_NS 50000
#define HPT_RUN_BUDGET   25
#define HPT_RUN_WAITS    HPT_RUN_WAITS_ALL

#endif
