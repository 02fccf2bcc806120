/* SPDX-License-Identifier: MIT */
/* info.h - facts about clocks, sources and the processor; names and the version; part of hpt.h. */
#ifndef LIBHPT_INFO_H
#define LIBHPT_INFO_H

#include <hpt/clock.h>
#include <hpt/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* The last stage that the library reached with a source. */
#define HPT_STAGE_UNTRIED  0u /* not tried */
#define HPT_STAGE_CPU      1u /* the processor has the instruction, and the process may use it */
#define HPT_STAGE_OPEN     2u /* device node */
#define HPT_STAGE_MAP      3u /* mapping of its registers */
#define HPT_STAGE_CAPS     4u /* width, period, enabled */
#define HPT_STAGE_COUNTING 5u /* two reads differ */
#define HPT_STAGE_USABLE   6u /* all stages passed */

/* Where a clock's rate comes from. */
#define HPT_ORIGIN_NONE     0u /* a guess: counter and clocks contradicted each other in all measurements */
#define HPT_ORIGIN_EXACT    1u /* by definition: the OS clock counts nanoseconds; a manual clock has the rate given */
#define HPT_ORIGIN_REGISTER 2u /* stated by the hardware: the HPET's period, a register of ARCH */
#define HPT_ORIGIN_MEASURED 3u /* measured against CLOCK_MONOTONIC_RAW */
#define HPT_ORIGIN_KERNEL   4u /* the kernel's own: of those it can have the only one that fits, or the one stated */

/* What the CPU states about its TSC. */
#define HPT_CPU_NO_TSC             0u /* no such instruction */
#define HPT_CPU_NOT_CONSTANT       1u /* the rate may follow the CPU's frequency */
#define HPT_CPU_CONSTANT_BY_FAMILY 2u /* constant rate, by family and model; it may stop in deep idle */
#define HPT_CPU_INVARIANT          3u /* constant rate in every power state: CPUID 80000007h EDX bit 8 */

/* The instruction of a clock's ordered reads. */
#define HPT_ORDERED_OTHER        0u /* the clock does not read the TSC */
#define HPT_ORDERED_RDTSCP       1u
#define HPT_ORDERED_LFENCE_RDTSC 2u

/* Why a source was chosen, was not chosen, or cannot be used. hpt_reason_text() returns the sentence. */
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
#define HPT_REASON_ARCH_TRUSTED       10u
/* usable but not chosen */
#define HPT_REASON_NOT_NEEDED      20u
#define HPT_REASON_SKIPPED_ENV     21u
#define HPT_REASON_HIGHER_MEAN     22u
#define HPT_REASON_HIGHER_STDDEV   23u
#define HPT_REASON_COARSER         24u
#define HPT_REASON_BETTER_TSC      25u
#define HPT_REASON_OTHER_REQUESTED 26u
#define HPT_REASON_BETTER_ARCH     27u
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
/* HPET: the papers' HPETFail list, and further reasons */
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
/* ARCH */
#define HPT_REASON_ARCH_FORBIDDEN    90u
#define HPT_REASON_ARCH_NO_EVTSTRM   91u
#define HPT_REASON_ARCH_NOT_COUNTING 92u
#define HPT_REASON_ARCH_ALONE        93u
#define HPT_REASON_ARCH_NOT_VIRTUAL  94u
#define HPT_REASON_ARCH_EXPENSIVE    95u
/* memory-mapped counter */
#define HPT_REASON_MMIO_UNDESCRIBED  100u
#define HPT_REASON_MMIO_FIELD        101u
#define HPT_REASON_MMIO_PLACE        102u
#define HPT_REASON_MMIO_UIO          103u
#define HPT_REASON_MMIO_DEVMEM       104u
#define HPT_REASON_MMIO_OFFSET       105u
#define HPT_REASON_MMIO_WIDTH        106u
#define HPT_REASON_MMIO_DIRECTION    107u
#define HPT_REASON_MMIO_FREQUENCY    108u
#define HPT_REASON_MMIO_NO_UIO       109u
#define HPT_REASON_MMIO_BEYOND       110u
#define HPT_REASON_MMIO_ACCESS       111u /* EACCES, EPERM */
#define HPT_REASON_MMIO_NO_NODE      112u
#define HPT_REASON_MMIO_NOT_DEVICE   113u
#define HPT_REASON_MMIO_REFUSED      114u
#define HPT_REASON_MMIO_NO_COARSE    115u
#define HPT_REASON_MMIO_TOO_FAST     116u
#define HPT_REASON_MMIO_NOT_COUNTING 117u
#define HPT_REASON_MMIO_OTHER_WAY    118u
#define HPT_REASON_MMIO_BUS_ERROR    119u
#define HPT_REASON_MMIO_UNPROVEN     120u /* no child process to try the read */

/* hpt_clock_info.flags */
#define HPT_CLOCK_IS_DEFAULT  1u /* the process's default clock */
#define HPT_CLOCK_ENV_UNKNOWN 2u /* HPT_SOURCE in the environment names no source; see env_source */
#define HPT_CLOCK_ENV_REFUSED 4u /* it names a source that cannot be used here */
#define HPT_CLOCK_RATE_CONTRADICTED 8u /* the hardware's stated rate is more than 0.1 % off the measured one */
#define HPT_CLOCK_VETOED 16u /* opened on request; the library would not have chosen it, for the reason given */

/*
 * ---- Structs ----------------------------------------------------------------------------------------------
 *
 * Plain data without pointers. New members are added at the end. A caller passes sizeof(*ret) as it was compiled; a
 * library that knows fewer members zeroes the rest, and one that knows more leaves out those that do not fit.
 */

/* Facts about a clock. */
struct hpt_clock_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t reason;                /* HPT_REASON_: why this source, or why it has HPT_CLOCK_VETOED */
	uint32_t state;                 /* HPT_STATE_: why the present generation began */
	uint32_t flags;                 /* sum of HPT_CLOCK_ */
	uint32_t counter_bits;          /* implemented bits of the counter */
	uint64_t generation;            /* 1 at first; each event adds 1, see hpt_clock_check() */
	uint64_t frequency_uhz;         /* ticks per 10^6 seconds (micro-hertz); 0: not even guessed */
	uint32_t frequency_error_ppb;   /* half-width of the proven bound, parts per 10^9; UINT32_MAX: a guess */
	uint32_t frequency_origin;      /* HPT_ORIGIN_ */
	uint32_t granularity_ns;        /* the counter's smallest step seen, rounded up; 0: none was seen. (Steps much
					   shorter than a read are seen only where reads take equally long.) */
	uint32_t env_requested;         /* HPT_SOURCE_ that the environment asks for; AUTO if none */
	uint64_t read_cost_mean_ps;     /* mean cost of an ordered read; 0 if not measured */
	uint64_t read_cost_stddev_ps;   /* its standard deviation */
	uint32_t read_cost_samples;     /* reads that these two come from ... */
	uint32_t read_cost_dropped;     /* ... and peaks dropped before */
	uint64_t hpet_period_fs;        /* HPET: femtoseconds a tick; else 0 */
	uint32_t hpet_vendor_id;        /* HPET: PCI vendor number; else 0 */
	uint32_t ordered_read;          /* HPT_ORDERED_: chosen by cost where the CPU has both in order */
	int64_t  epoch_ticks;           /* a tick ... */
	int64_t  epoch_ns;              /* ... its time on hpt_now_ns()'s timeline ... */
	int64_t  epoch_unix_ns;         /* ... and its Unix time in ns */
	char     env_source[24];        /* text of HPT_SOURCE, cut to fit; "" if not set */
	char     kernel_clocksource[32];/* the kernel's clocksource at load; "" if not asked for or unreadable */
	uint64_t rdtscp_mean_ps;        /* mean cost of a read by RDTSCP ... */
	uint64_t lfence_rdtsc_mean_ps;  /* ... and by LFENCE and RDTSC; 0: not measured, or not known to be ordered */
};
#define HPT_CLOCK_INFO_SIZE_V0 176u

/* Facts about a source, usable or not. */
struct hpt_source_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t usable;                /* 1: hpt_clock_open() succeeded or is expected to */
	uint32_t chosen;                /* 1: the default clock runs on it */
	uint32_t stage;                 /* HPT_STAGE_: the last one reached */
	uint32_t reason;                /* HPT_REASON_ */
	uint32_t error;                 /* the errno value, positive, that stopped it there; or 0 */
	uint32_t granularity_ns;        /* as in hpt_clock_info */
	uint64_t cost_mean_ps;          /* these four as read_cost_ in hpt_clock_info */
	uint64_t cost_stddev_ps;
	uint32_t cost_samples;
	uint32_t cost_dropped;
	uint64_t frequency_uhz;         /* micro-hertz; 0 if not known yet */
	char     name[16];              /* "tsc", "hpet", ... */
};
#define HPT_SOURCE_INFO_SIZE_V0 80u

/* What CPUID states about this processor (the papers' AccessTimeHardware). */
struct hpt_cpu_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t tsc_class;             /* HPT_CPU_ */
	uint32_t family, model, stepping;
	uint32_t tsc, rdtscp, invariant, sse2, hypervisor;      /* 0 or 1 */
	uint32_t cores_online;          /* logical processors online, by sysconf(3) */
	uint32_t crystal_hz;            /* CPUID 15h ECX in Hz; 0 if not stated */
	uint64_t tsc_hz;                /* by CPUID 15h, if all three words are stated; a hint */
	char     vendor_id[16];         /* the 12 characters of CPUID 0 */
	char     vendor[16];            /* "intel", "amd", ... or "other" */
	char     brand[64];             /* brand string without outer blanks */
	char     hypervisor_id[16];     /* the 12 characters of CPUID 40000000h */
};
#define HPT_CPU_INFO_SIZE_V0 168u

/* ---- Facts --------------------------------------------------------------------------------------------- */

/**
 * hpt_clock_get_info - facts about a clock
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_CLOCK_INFO_SIZE_V0
 *
 * Copies recorded facts. The one exception is the rate: the first call computes it, and a call that comes more than
 * about a second after the latest comparison with the system's clocks refines it.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *
 * Safety: conversion. Cost: below a microsecond, and once a second of use as hpt_now_ns().
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size);

/**
 * hpt_source_get_info - facts about a source: whether it can be used, and why
 *
 * @source: HPT_SOURCE_; AUTO means the default clock's source
 * @ret:    the facts; untouched on failure
 * @size:   sizeof(*ret), at least HPT_SOURCE_INFO_SIZE_V0
 *
 * Copies what load or the latest hpt_clock_open() of that source recorded, and opens nothing. For the default clock's
 * source it computes the rate, if that is not known yet.
 *
 * Return: 0
 *         -EINVAL  @source is unknown, @ret is NULL, or @size is too small
 *
 * Safety: conversion. Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_source_get_info(uint32_t source, struct hpt_source_info *ret, size_t size);

/**
 * hpt_cpu_get_info - what CPUID states about this processor
 *
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_CPU_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *         -ENOTSUP this architecture has no CPUID
 *
 * Safety: blocking (sysconf(3) reads a file); MT-Safe, AS-Unsafe. Cost: about 20 CPUID instructions, in a virtual
 *         machine microseconds each, and the file.
 * Since:  0.1
 */
HPT_API_CHECKED int hpt_cpu_get_info(struct hpt_cpu_info *ret, size_t size);

/**
 * hpt_kernel_hz - the kernel's timer frequency
 *
 * Return: jiffies per second (100, 250, 1000, ...), by the resolution of CLOCK_MONOTONIC_COARSE; 0 if that is not
 *         plausible
 *
 * Safety: leaf. Cost: at most one system call.
 * Since:  0.1
 */
HPT_API uint32_t hpt_kernel_hz(void);

/**
 * hpt_source_name - "auto", "tsc", "hpet", "os", "arch", "mmio", "manual"
 *
 * @source: HPT_SOURCE_
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_source_name(uint32_t source);

/**
 * hpt_source_parse - the source of a name
 *
 * @name: as hpt_source_name() returns it, in lower case
 * @ret:  HPT_SOURCE_; untouched on failure
 *
 * Return: 0
 *         -EINVAL  no source has that name, or @name or @ret is NULL
 *
 * Safety: leaf. Cost: some ten nanoseconds.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_source_parse(const char *name, uint32_t *ret);

/**
 * hpt_state_name - "ok", "reanchored", "disrupted", "demoted"
 *
 * @state: HPT_STATE_
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_state_name(uint32_t state);

/**
 * hpt_stage_name - "untried", "cpu", "open", "map", "caps", "counting", "usable"
 *
 * @stage: HPT_STAGE_
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_stage_name(uint32_t stage);

/**
 * hpt_origin_name - "none", "exact", "register", "measured", "kernel"
 *
 * @origin: HPT_ORIGIN_
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_origin_name(uint32_t origin);

/**
 * hpt_reason_text - the sentence that belongs to a reason
 *
 * @reason: HPT_REASON_
 *
 * Return: a static string, never NULL; "unknown reason" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_reason_text(uint32_t reason);

/**
 * hpt_version - the version of the library that runs
 *
 * Return: a static string: HPT_VERSION_STRING of the header that the library was built with
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_version(void);

/**
 * hpt_version_number - the version of the library that runs, for comparisons
 *
 * Return: HPT_VERSION_NUMBER of the header that the library was built with
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API uint32_t hpt_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
