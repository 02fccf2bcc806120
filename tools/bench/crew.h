/* SPDX-License-Identifier: MIT */
/* Threads that do a measuring thread's work at the same time as it, turn by turn. */
#ifndef HPT_TOOLS_CREW_H
#define HPT_TOOLS_CREW_H

struct crew;

/*
 * Starts threads 1 .. @n, on the CPUs of the caller. In each turn each of them calls work(data, its number) once.
 * Returns 0, or a negative errno with no thread left.
 */
int crew_start(unsigned n, void (*work)(void *data, unsigned number), void *data, struct crew **ret);

/* A turn begins, and all have ended it. Each crew_begin() is followed by a crew_await(). */
void crew_begin(struct crew *c);
void crew_await(struct crew *c);

/* Ends the threads and waits for them. */
void crew_stop(struct crew *c);

#endif
