/* SPDX-License-Identifier: MIT */
/* Fibres of one thread, by a library that has waits of its own, in which other fibres run: tests/preload/fibres.c. */
#ifndef HPT_PRELOAD_FIBRES_H
#define HPT_PRELOAD_FIBRES_H

/* Runs n of them, each with its number, until all have returned. */
void fibres_run(int n, void (*run)(int number));

#endif
