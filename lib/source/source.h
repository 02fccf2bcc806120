/* SPDX-License-Identifier: MIT */
/*
 * source.h - the contract between a hardware counter and the clock above it.
 *
 * A driver is one file, source_<name>.c, that ends in one const struct hpt_source_ops. It knows nothing of
 * other drivers, of the choice between them, or of conversion.
 */
#ifndef HPT_SOURCE_H
#define HPT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "machine/env.h"

#define HPT_SOURCE_IDS 6u /* HPT_SOURCE_AUTO to HPT_SOURCE_MMIO */

/* 1 GHz in micro-hertz: nanoseconds a tick = this / frequency_uhz. */
#define HPT_UHZ_PER_GHZ UINT64_C(1000000000000000)

/* Nanoseconds a tick = num / den. */
struct hpt_rate {
	uint64_t num, den;
	uint64_t frequency_uhz;
	uint32_t error_ppb;
	uint32_t origin; /* HPT_ORIGIN_ */
};

/* A counter in use. The driver fills it in open(); whoever opened it owns it. */
struct hpt_source {
	/* Hot: all that hpt_now() touches. */
	uint64_t (*read)(const struct hpt_source *src);           /* ordered */
	uint64_t (*read_unordered)(const struct hpt_source *src); /* the bare instruction */
	union {
		const volatile void *page; /* HPET registers */
		void *priv;                /* for fakes */
	} u;

	/* Cold. */
	const struct hpt_source_ops *ops;
	const struct hpt_env *env;
	bool tsc_forbidden;        /* then the vDSO's clocks are forbidden too */
	hpt_clock_ns_fn *clock_ns; /* the OS clock to compare with: libc's, or the raw call if the TSC is forbidden */
	struct hpt_rate rate;      /* origin NONE: to be measured */
	uint32_t bits;             /* implemented bits */
	uint32_t stage;            /* HPT_STAGE_: how far open() came */
	uint32_t reason;           /* HPT_REASON_: what stopped it */
	uint32_t tsc_class;        /* TSC: HPT_CPU_ */
	bool     hypervisor;       /* TSC: CPUID says that this is a guest */
	uint64_t period_fs;        /* HPET */
	uint32_t vendor_id;        /* HPET */
};

struct hpt_source_ops {
	const char *name; /* "tsc": command, HPT_SOURCE, man page */
	uint32_t    id;   /* HPT_SOURCE_TSC: public, pinned */
	/*
	 * Required. Acquires the counter and proves that it counts: sets the read functions, bits
	 * and, where the hardware states it, rate. 0, or -errno with stage and reason set and
	 * nothing left open.
	 */
	int (*open)(struct hpt_source *src, const struct hpt_env *env);
	/* Optional: gives back what open() acquired. NULL: nothing. */
	void (*close)(struct hpt_source *src);
};

extern const struct hpt_source_ops hpt_source_tsc, hpt_source_hpet, hpt_source_os;

/* The driver of an id, or NULL: this build has none. */
const struct hpt_source_ops *hpt_source_find(uint32_t id);

/* HPT_SOURCE_ of a name as HPT_SOURCE and the command take it, or -1. */
int hpt_source_by_name(const char *name);

/* Opens by driver (NULL: no such source here), filling in what every driver needs. Stage and reason are always set. */
int hpt_source_open(struct hpt_source *src, const struct hpt_source_ops *ops, const struct hpt_env *env);
void hpt_source_close(struct hpt_source *src);

/* For a driver's open(): note where and why it stopped; returns err. */
static inline int hpt_source_stop(struct hpt_source *src, uint32_t stage, uint32_t reason, int err)
{
	src->stage = stage;
	src->reason = reason;
	return err;
}

/* Reads until two reads differ; false if they do not within 100 us of the OS clock. */
bool hpt_source_is_counting(const struct hpt_source *src);

#endif
