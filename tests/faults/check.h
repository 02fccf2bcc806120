/* SPDX-License-Identifier: MIT */
/* What must hold of the clock, whatever is wrong around it. Each check returns how many things were not so. */
#ifndef HPT_FAULTS_CHECK_H
#define HPT_FAULTS_CHECK_H

#include <stdint.h>

#include <hpt/hpt.h>

/* Calls the function before the library's constructor, be it linked shared or not. One a program. */
#define AT_PREINIT(function)                                              \
	__attribute__((section(".preinit_array"), used)) static void      \
		(*const preinit_entry)(int argc, char **argv, char **envp) = function

/* What the kernel says of the TSC. */
enum kernel_word { KERNEL_UNREADABLE, KERNEL_TSC, KERNEL_OTHER };

/* Asked without the library. May be called before constructors. */
enum kernel_word kernel_word(void);

/* Where and why a source stopped. */
struct refusal {
	uint32_t reason, error, stage;
};

/* Reads advance and never go back, conversions fit together, and the lines are the kernel's. */
int check_clock(hpt_clock *clk);

/*
 * The choice at load is that of hpt_source(7) for this CPU, whose TSC is not forbidden, and that word of the kernel.
 * hpet: how the HPET was refused if it had to be tried; NULL where that is not known.
 */
int check_choice(enum kernel_word word, const struct refusal *hpet);

/* What is on record of a source that cannot be used. */
int check_refused(uint32_t source, const struct refusal *want);

/* Opening it fails like that, leaves the result and errno alone, and is recorded. */
int check_not_opened(uint32_t source, const struct refusal *want);

#endif
