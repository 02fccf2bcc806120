/* SPDX-License-Identifier: MIT */
/* info.h - facts about clocks, sources and the processor; names and the version; part of hpt.h. */
#ifndef LIBHPT_INFO_H
#define LIBHPT_INFO_H

#include <hpt/clock.h>
#include <hpt/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: values are pinned for ever and never reused -------------------------------- */

/* How far the library came with a source. */
#define HPT_STAGE_UNTRIED  0u /* not asked for */
#define HPT_STAGE_CPU      1u /* processor and process: instruction there and permitted */
#define HPT_STAGE_OPEN     2u /* device node */
#define HPT_STAGE_MAP      3u /* mapping of its registers */
#define HPT_STAGE_CAPS     4u /* width, period, enabled */
#define HPT_STAGE_COUNTING 5u /* two reads differ */
#define HPT_STAGE_USABLE   6u /* everything above passed */

/* Where a clock's rate comes from. */
#define HPT_ORIGIN_NONE     0u /* not measured yet: counter and clocks contradict each other; the rate is a guess */
#define HPT_ORIGIN_EXACT    1u /* by definition: the OS clock counts nanoseconds */
#define HPT_ORIGIN_REGISTER 2u /* stated by the hardware: the HPET's period register */
#define HPT_ORIGIN_MEASURED 3u /* measured against CLOCK_MONOTONIC_RAW */
#define HPT_ORIGIN_KERNEL   4u /* the kernel's own, told from all others that it can have by measurement */

/* What the CPU promises of its TSC. */
#define HPT_CPU_NO_TSC             0u /* no such instruction */
#define HPT_CPU_NOT_CONSTANT       1u /* rate may follow the CPU's frequency */
#define HPT_CPU_CONSTANT_BY_FAMILY 2u /* constant rate known from family and model; may stop in deep idle */
#define HPT_CPU_INVARIANT          3u /* constant rate in every state: CPUID 80000007h EDX bit 8 */

/* Why a source was chosen, not chosen, or cannot be used. hpt_reason_text() has the sentence. */
#define HPT_REASON_NONE 0u
/* chosen */
#define HPT_REASON_TSC_TRUSTED        1u
#define HPT_REASON_TSC_FAMILY         2u
#define HPT_REASON_TSC_UNCONTRADICTED 3u
#define HPT_REASON_LOWER_MEAN         4u
#define HPT_REASON_LOWER_STDDEV       5u
#define HPT_REASON_FINER              6u
#define HPT_REASON_ONLY_ONE           7u
#define HPT_REASON_REQUESTED          8u
#define HPT_REASON_REQUESTED_ENV      9u
/* usable but not chosen */
#define HPT_REASON_NOT_NEEDED      20u
#define HPT_REASON_SKIPPED_ENV     21u
#define HPT_REASON_HIGHER_MEAN     22u
#define HPT_REASON_HIGHER_STDDEV   23u
#define HPT_REASON_COARSER         24u
#define HPT_REASON_BETTER_TSC      25u
#define HPT_REASON_OTHER_REQUESTED 26u
/* this build or machine has no such source */
#define HPT_REASON_NOT_BUILT 40u
#define HPT_REASON_MANUAL    41u
/* TSC */
#define HPT_REASON_TSC_ABSENT        50u
#define HPT_REASON_TSC_NOT_ORDERED   51u
#define HPT_REASON_TSC_FORBIDDEN     52u
#define HPT_REASON_TSC_NOT_CONSTANT  53u
#define HPT_REASON_TSC_GUEST_FAMILY  54u
#define HPT_REASON_TSC_FAMILY_ALONE  55u
#define HPT_REASON_TSC_GUEST_ALONE   56u
#define HPT_REASON_KERNEL_DISAGREES  57u
#define HPT_REASON_TSC_EXPENSIVE     58u
#define HPT_REASON_TSC_NOT_COUNTING  59u
/* any counter */
#define HPT_REASON_INTERPOSED 65u
/* HPET: the papers' HPETFail list, and what it lacked */
#define HPT_REASON_HPET_ACCESS       70u /* EACCES, EPERM */
#define HPT_REASON_HPET_FAULT        71u /* EFAULT */
#define HPT_REASON_HPET_NOENT        72u /* ENOENT, ENOTDIR */
#define HPT_REASON_HPET_MFILE        73u /* EMFILE, ENFILE */
#define HPT_REASON_HPET_AGAIN        74u /* EAGAIN */
#define HPT_REASON_HPET_BUSY         75u /* EBUSY */
#define HPT_REASON_HPET_BADF         76u /* EBADF */
#define HPT_REASON_HPET_NODEV        77u /* ENODEV, ENXIO */
#define HPT_REASON_HPET_NOMEM        78u /* ENOMEM */
#define HPT_REASON_HPET_32BIT        79u /* MC32BIT: counter of 32 bits */
#define HPT_REASON_HPET_UNKNOWN      80u /* any other errno */
#define HPT_REASON_HPET_NOT_DEVICE   81u
#define HPT_REASON_HPET_MMAP_DENIED  82u
#define HPT_REASON_HPET_PERIOD       83u
#define HPT_REASON_HPET_DISABLED     84u
#define HPT_REASON_HPET_NOT_COUNTING 85u
#define HPT_REASON_HPET_GONE         86u
#define HPT_REASON_HPET_NO_MMAP      87u /* ENOSYS from mmap */

/* hpt_clock_info.flags */
#define HPT_CLOCK_IS_DEFAULT  1u /* the process's default clock */
#define HPT_CLOCK_ENV_UNKNOWN 2u /* HPT_SOURCE named no source; see env_source */
#define HPT_CLOCK_ENV_REFUSED 4u /* HPT_SOURCE named a source that cannot be used here */
#define HPT_CLOCK_RATE_CONTRADICTED 8u /* the hardware states a rate more than 0.1 % off; the measured one is used */
#define HPT_CLOCK_VETOED      16u /* opened on request although the library would not have chosen it; see reason */

/* ---- Results: plain data, filled up to the size the caller names ----------------------------- */

/* All about a clock. Members are only ever added at the end. */
struct hpt_clock_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t reason;                /* HPT_REASON_: why this source, or why it is vetoed */
	uint32_t state;                 /* HPT_STATE_ */
	uint32_t flags;                 /* HPT_CLOCK_ */
	uint32_t counter_bits;          /* implemented bits of the counter */
	uint64_t generation;            /* grows when conversion starts anew, see hpt_clock_check(); first is 1 */
	uint64_t frequency_uhz;         /* ticks per 10^6 seconds (micro-hertz); 0: not even a guess */
	uint32_t frequency_error_ppb;   /* half-width of the proven bound, parts per 10^9; UINT32_MAX: nothing proven */
	uint32_t frequency_origin;      /* HPT_ORIGIN_ */
	uint32_t granularity_ns;        /* smallest step seen, rounded up to a whole nanosecond; 0: no step was seen */
	uint32_t env_requested;         /* HPT_SOURCE_ asked for by the environment; AUTO if none */
	uint64_t read_cost_mean_ps;     /* one ordered read, picoseconds; 0 if not measured */
	uint64_t read_cost_stddev_ps;
	uint32_t read_cost_samples;     /* reads behind these two, and peaks dropped before */
	uint32_t read_cost_dropped;
	uint64_t hpet_period_fs;        /* HPET only: femtoseconds a tick, else 0 */
	uint32_t hpet_vendor_id;        /* HPET only: PCI vendor, else 0 */
	uint32_t reserved;
	int64_t  epoch_ticks;           /* this tick ... */
	int64_t  epoch_ns;              /* ... was this on the clock's nanosecond line ... */
	int64_t  epoch_unix_ns;         /* ... and this in Unix time */
	char     env_source[24];        /* text of HPT_SOURCE, cut to fit; "" if unset */
	char     kernel_clocksource[32];/* the kernel's own at load; "" if not asked or unreadable */
};
#define HPT_CLOCK_INFO_SIZE_V0 176u

/* All about a source, usable or not. */
struct hpt_source_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t usable;                /* 1: hpt_clock_open() worked or would, as far as is known */
	uint32_t chosen;                /* 1: the default clock runs on it */
	uint32_t stage;                 /* HPT_STAGE_: how far it came */
	uint32_t reason;                /* HPT_REASON_ */
	uint32_t error;                 /* errno value (positive) that stopped it, or 0 */
	uint32_t granularity_ns;        /* as in hpt_clock_info; 0 if not measured or not seen */
	uint64_t cost_mean_ps;          /* one ordered read, picoseconds; 0 if not measured */
	uint64_t cost_stddev_ps;
	uint32_t cost_samples;
	uint32_t cost_dropped;
	uint64_t frequency_uhz;         /* micro-hertz; 0 if not known yet */
	char     name[16];              /* "tsc", "hpet", ... */
};
#define HPT_SOURCE_INFO_SIZE_V0 80u

/* What CPUID tells of this processor (the papers' AccessTimeHardware). */
struct hpt_cpu_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t tsc_class;             /* HPT_CPU_ */
	uint32_t family, model, stepping;
	uint32_t tsc, rdtscp, invariant, sse2, hypervisor;      /* 0 or 1 */
	uint32_t cores_online;          /* logical processors, by sysconf */
	uint32_t crystal_hz;            /* CPUID 15h ECX; 0 if not stated */
	uint64_t tsc_hz;                /* CPUID 15h, only where all three words are given; a hint */
	char     vendor_id[16];         /* the 12 characters of CPUID 0 */
	char     vendor[16];            /* "intel", "amd", ... or "other" */
	char     brand[64];             /* trimmed */
	char     hypervisor_id[16];     /* the 12 characters of CPUID 40000000h */
};
#define HPT_CPU_INFO_SIZE_V0 168u

/* ---- Facts --------------------------------------------------------------------------------------- */

/**
 * hpt_clock_get_info - all about a clock
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  filled up to @size; a tail that this library does not know is zeroed
 * @size: sizeof(*ret) as the caller was compiled, at least HPT_CLOCK_INFO_SIZE_V0
 *
 * Recorded facts; nothing is measured but the rate, which is computed when first asked for, and refined if the latest
 * look at the clocks is too old.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size);

/**
 * hpt_source_get_info - all about a source: usable or not, and why
 *
 * @source: HPT_SOURCE_TSC and so on; AUTO means the default clock's
 * @ret:    filled up to @size; a tail that this library does not know is zeroed
 * @size:   sizeof(*ret) as the caller was compiled, at least HPT_SOURCE_INFO_SIZE_V0
 *
 * What was recorded at load or by the latest hpt_clock_open() of that source; opens nothing. Of the
 * default clock's source the rate is computed when first asked for.
 *
 * Return: 0
 *         -EINVAL  @source is unknown, @ret is NULL or @size too small
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_source_get_info(uint32_t source, struct hpt_source_info *ret, size_t size);

/**
 * hpt_cpu_get_info - what CPUID tells of this processor
 *
 * @ret:  filled up to @size; a tail that this library does not know is zeroed
 * @size: sizeof(*ret) as the caller was compiled, at least HPT_CPU_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *         -ENOTSUP this architecture has no CPUID
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: about 20 CPUID instructions, in a virtual machine microseconds
 *         each; and sysconf(_SC_NPROCESSORS_ONLN), which reads a file.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_cpu_get_info(struct hpt_cpu_info *ret, size_t size);

/**
 * hpt_kernel_hz - the kernel's timer frequency
 *
 * Return: ticks per second from the resolution of CLOCK_MONOTONIC_COARSE (100, 250, 1000, ...);
 *         0 when that is implausible.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: one system call at most.
 * Since:  0.1
 */
HPT_API uint32_t hpt_kernel_hz(void);

/**
 * hpt_source_name - "auto", "tsc", "hpet", "os", "arch", "mmio", "manual"
 *
 * @source: HPT_SOURCE_
 *
 * Return: a static string, never NULL; "unknown" for any other value.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_source_name(uint32_t source);

/**
 * hpt_source_parse - a source from its name
 *
 * @name: as hpt_source_name() returns it, in lower case
 * @ret:  HPT_SOURCE_; untouched on failure
 *
 * Return: 0
 *         -EINVAL  no source has that name, or @name or @ret is NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: some ten nanoseconds.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_source_parse(const char *name, uint32_t *ret);

/**
 * hpt_state_name - "ok", "reanchored", "disrupted", "demoted"
 *
 * @state: HPT_STATE_
 *
 * Return: a static string, never NULL; "unknown" for any other value.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_state_name(uint32_t state);

/**
 * hpt_stage_name - "untried", "cpu", "open", "map", "caps", "counting", "usable"
 *
 * @stage: HPT_STAGE_
 *
 * Return: a static string, never NULL; "unknown" for any other value.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_stage_name(uint32_t stage);

/**
 * hpt_origin_name - "none", "exact", "register", "measured", "kernel"
 *
 * @origin: HPT_ORIGIN_
 *
 * Return: a static string, never NULL; "unknown" for any other value.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_origin_name(uint32_t origin);

/**
 * hpt_reason_text - a reason as a sentence for people
 *
 * @reason: HPT_REASON_
 *
 * Return: a static string, never NULL; "unknown reason" for a value this library does not know.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_reason_text(uint32_t reason);

/**
 * hpt_version - the version of the library at run time
 *
 * Return: a static string like HPT_VERSION_STRING of the header it was built with.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_version(void);

/**
 * hpt_version_number - the version of the library at run time, for comparisons
 *
 * Return: as HPT_VERSION_NUMBER of the header it was built with: 10000 * major + 100 * minor + patch.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API uint32_t hpt_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
