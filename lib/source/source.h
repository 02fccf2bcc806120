/* SPDX-License-Identifier: MIT */
/*
 * The contract between a hardware counter and the clock that uses it.
 *
 * A driver is one file, lib/source/NAME.c, that ends in one const struct hpt_source_ops, which NAME.h declares. It does
 * not depend on other drivers, on the choice between them, or on conversion.
 */
#ifndef HPT_SOURCE_H
#define HPT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "machine/env.h"
#include "math/scale.h"
#include "source/narrow.h"

#define HPT_SOURCE_IDS 7u /* HPT_SOURCE_AUTO to HPT_SOURCE_MANUAL */

/* The source of the counter that programs of this architecture may read. */
#ifdef HPT_ARCH_X86
#define HPT_SOURCE_OWN HPT_SOURCE_TSC
#else
#define HPT_SOURCE_OWN HPT_SOURCE_ARCH
#endif

/* Units that Linux registers counters in: by clocksource_register_khz() and by clocksource_register_hz(). */
#define HPT_KERNEL_KHZ 1000u
#define HPT_KERNEL_HZ  1u

/* 1 GHz in micro-hertz: nanoseconds per tick = this / frequency_uhz. */
#define HPT_UHZ_PER_GHZ UINT64_C(1000000000000000)

/* The rate of a counter: nanoseconds per tick = num / den. */
struct hpt_rate {
	uint64_t num, den;
	uint64_t frequency_uhz;
	uint32_t error_ppb;
	uint32_t origin; /* HPT_ORIGIN_ */
	bool is_kernels; /* one that the kernel can have, not proven: lib/rate/staircase.h */
};

/* By which instructions the own counter is read: source/own_read.h. The first two are bits of hpt_source.orders. */
enum hpt_own_order {
	HPT_OWN_NONE   = 0, /* by none of them: it is another counter */
	HPT_OWN_FIRST  = 1,
	HPT_OWN_SECOND = 2,
	HPT_OWN_BARE   = 4, /* in no order */
};

struct hpt_clock_info;
struct hpt_own_time;
struct hpt_manual;

/* An open counter. The driver's open() fills it in; the caller of hpt_source_open() owns it. */
struct hpt_source {
	/* One cache line up to the union's first words: hpt_now() reads no other member. */
	uint64_t (*read)(const struct hpt_source *src);           /* ordered */
	uint64_t (*read_unordered)(const struct hpt_source *src); /* the bare instruction */
	const struct hpt_own_time *own_time; /* source/own_time.h; NULL: the kernel's clocks say what time it is */
	const struct hpt_source_ops *ops;
	const struct hpt_env *env;
	hpt_clock_ns_fn *clock_ns; /* the OS clocks to compare with: libc's, or the raw call if the TSC is forbidden */
	uint8_t order;             /* enum hpt_own_order of read() */
	uint8_t orders;            /* those that this processor executes, and that are known to be in order */
	bool tsc_forbidden;        /* reading the TSC or ARCH raises SIGSEGV; so does a vDSO clock, which may read it */
	bool is_private;           /* the ticks mean nothing to another clock, or another process */
	uint32_t bits;             /* implemented bits */
	/* Each driver's own. */
	union {
		struct {
			uint32_t cpu_class; /* HPT_CPU_ */
			bool is_guest;      /* by CPUID */
		} tsc;
		struct {
			const volatile void *page;
			uint64_t period_fs;
			uint32_t vendor_id;
		} hpet;
		struct {
			const volatile uint32_t *registers; /* the counter's */
			size_t mapped;            /* bytes, of which those registers are the last */
			/* Up to 32 bits: which wrap it is. Copied only before the first read. */
			struct hpt_narrow narrow;
		} mmio;
		struct {
			uint64_t (*read)(const struct hpt_source *src); /* CLOCK_MONOTONIC in ns */
			struct hpt_scale ticks_per_ns;
		} os; /* used with HPT_OS_HZ alone */
		struct hpt_manual *manual;
		void *priv;                       /* for fakes */
	} u;
	struct hpt_rate rate;      /* origin NONE: to be measured */
	uint32_t stage;            /* HPT_STAGE_: how far open() came */
	uint32_t reason;           /* HPT_REASON_: why it stopped there */
};

struct hpt_source_ops {
	const char *name; /* such as "tsc", in the command, in HPT_SOURCE and in manual pages */
	uint32_t    id;   /* such as HPT_SOURCE_TSC; public, never changes */
	const char *clocksource;    /* Linux's clocksource on this counter; NULL: not compared */
	uint32_t    kernel_unit_hz; /* HPT_KERNEL_: the unit of the rate that it is registered with */
	/*
	 * Required. Acquires the counter and proves that it counts. Sets the read functions, bits and, if the hardware
	 * states it, rate. On failure returns -errno, with stage and reason set and nothing left open.
	 */
	int (*open)(struct hpt_source *src, const struct hpt_env *env);
	/* Optional. Releases what open() acquired. */
	void (*close)(struct hpt_source *src);
	/*
	 * Optional. Adds its own facts to those that all sources have. other_ps: the mean cost of the ordered read that
	 * was not chosen, or 0.
	 */
	void (*describe)(const struct hpt_source *src, uint64_t other_ps, struct hpt_clock_info *ret);
};

/* Sets the members that every driver needs, all others to 0. For opens that need more than the env. */
void hpt_source_prepare(struct hpt_source *src, const struct hpt_source_ops *ops, const struct hpt_env *env);

/*
 * Opens a source by its driver, after setting the members that every driver needs. NULL: the build has no such driver,
 * -ENODEV. Sets stage and reason in any case.
 */
int hpt_source_open(struct hpt_source *src, const struct hpt_source_ops *ops, const struct hpt_env *env);
void hpt_source_close(struct hpt_source *src);

/* For a driver's open(): records where and why it stopped. Returns err. */
static inline int hpt_source_stop(struct hpt_source *src, uint32_t stage, uint32_t reason, int err)
{
	src->stage = stage;
	src->reason = reason;
	return err;
}

/* Reads until two reads differ. False if all are equal for 100 us and two stated ticks by the OS clock. */
bool hpt_source_is_counting(const struct hpt_source *src);

#endif
