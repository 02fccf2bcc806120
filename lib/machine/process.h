/* SPDX-License-Identifier: MIT */
/*
 * Tells a process from those that it was forked from. Objects and claims that a fork copied belong to threads that the
 * child does not have.
 */
#ifndef HPT_PROCESS_H
#define HPT_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* A word that the kernel sets to 0 in a forked child; NULL until hpt_process_number() has made one. */
extern _Atomic(_Atomic uint32_t *) hpt_process_word HIDDEN;

/* As hpt_process(), which calls it where the word has no number. */
uint32_t hpt_process_number(void);

/*
 * This process's number, never 0, which differs from those of all processes that it was forked from. Two loads; the
 * first call of a process makes three system calls. Keeps errno. Callable from signal handlers.
 */
static inline uint32_t hpt_process(void)
{
	_Atomic uint32_t *word = atomic_load_explicit(&hpt_process_word, memory_order_acquire);
	uint32_t number = likely(word != NULL) ? atomic_load_explicit(word, memory_order_relaxed) : 0;

	return likely(number) ? number : hpt_process_number();
}

/*
 * As hpt_process(), but makes no system call, for the slow paths of reads: 1 where the number is not known without one.
 * It is known once hpt_process() has been called in this process or one before it, on Linux 4.14 and later.
 */
uint32_t hpt_process_known(void);

/* The calling thread's ID; 0 if a sandbox denies it. May change errno. */
uint32_t hpt_thread_id(void);

/* True if this process has no thread of that ID. May change errno. */
bool hpt_thread_is_gone(uint32_t id);

#endif
