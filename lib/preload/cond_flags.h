/* SPDX-License-Identifier: MIT */
/*
 * How the C library marks condition variables, in their word of waiters and flags. It is asked, by variables that are
 * made with each attribute, so that no layout of it is a constant here.
 */
#ifndef HPT_COND_FLAGS_H
#define HPT_COND_FLAGS_H

#include "arch/arch.h"

/* A bit each; zeros: not known, and then no condition variable is waited on. */
extern struct hpt_cond_flags {
	unsigned monotonic; /* its time is CLOCK_MONOTONIC */
	unsigned shared;    /* between processes */
} hpt_cond_flags HIDDEN;

/* Once hpt_next() was called. */
void hpt_cond_flags_ask(void);

#endif
