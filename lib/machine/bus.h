/* SPDX-License-Identifier: MIT */
/* Tries device registers in another process, because a bus error ends the process that reads them. */
#ifndef HPT_BUS_H
#define HPT_BUS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Loads each of the n words once in a child process. 0: all can be loaded here too. -EIO: a load ended the child, by
 * whichever signal. Other -errno: no child can be made or waited for, so that nothing is known. Keeps errno.
 *
 * The program notices nothing: its signal handlers and those of pthread_atfork(3) do not run, it gets no SIGCHLD, and
 * no core is dumped. After unshare(CLONE_NEWPID) the child is the first process of the namespace, which its end closes.
 * A bus that never answers stops the child and this call with it. No cancellation point.
 */
int hpt_bus_try(const volatile uint32_t *words, size_t n);

#endif
