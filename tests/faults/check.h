/* SPDX-License-Identifier: MIT */
/* Checks that hold for the clock whatever is wrong around it. Each returns how many of its conditions failed. */
#ifndef HPT_FAULTS_CHECK_H
#define HPT_FAULTS_CHECK_H

#include <stdint.h>

#include <hpt/hpt.h>

/* Calls the function before the library's constructor, whether it is linked shared or not. One per program. */
#define AT_PREINIT(function)                                              \
	__attribute__((section(".preinit_array"), used)) static void      \
		(*const preinit_entry)(int argc, char **argv, char **envp) = function

/* The kernel's verdict on the TSC: its current clocksource. */
enum kernel_word { KERNEL_UNREADABLE, KERNEL_TSC, KERNEL_OTHER };

/* Reads it without the library. May be called before constructors. */
enum kernel_word kernel_word(void);

/* Where and why a source stopped. */
struct refusal {
	uint32_t reason, error, stage;
};

/* Reads advance and never go back, conversions agree with each other, and times follow the kernel's clocks. */
int check_clock(hpt_clock *clk);

/*
 * The choice at load is that of hpt_source(7) for this CPU and that verdict of the kernel. The TSC is not forbidden.
 * hpet: how the HPET was refused if it was tried; NULL where that is not known.
 */
int check_choice(enum kernel_word word, const struct refusal *hpet);

/* The recorded state of a source that cannot be used. */
int check_refused(uint32_t source, const struct refusal *want);

/* Opening the source fails with that error, leaves the result and errno unchanged, and is recorded. */
int check_not_opened(uint32_t source, const struct refusal *want);

#endif
