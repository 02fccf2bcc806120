/* SPDX-License-Identifier: MIT */
/* info.h - facts about clocks and sources; names and the version; part of hpt.h. */
#ifndef LIBHPT_INFO_H
#define LIBHPT_INFO_H

#include <hpt/clock.h>
#include <hpt/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* The last stage that the library reached with a source. */
enum {
	HPT_STAGE_UNTRIED  = 0, /* not tried */
	HPT_STAGE_CPU      = 1, /* the processor has the instruction, and the process may use it */
	HPT_STAGE_OPEN     = 2, /* device node */
	HPT_STAGE_MAP      = 3, /* mapping of its registers */
	HPT_STAGE_CAPS     = 4, /* width, period, enabled */
	HPT_STAGE_COUNTING = 5, /* two reads differ */
	HPT_STAGE_USABLE   = 6 /* all stages passed */
};

/* Where a clock's rate comes from. */
enum {
	HPT_ORIGIN_NONE     = 0, /* a guess: counter and clocks contradicted each other in all measurements */
	HPT_ORIGIN_EXACT    = 1, /* by definition: the OS clock counts nanoseconds; a manual clock has the rate given */
	HPT_ORIGIN_REGISTER = 2, /* stated by the hardware: the HPET's period, a register of ARCH */
	HPT_ORIGIN_MEASURED = 3, /* measured against CLOCK_MONOTONIC_RAW */
	HPT_ORIGIN_KERNEL   = 4 /* the kernel's own: of those it can have the only one that fits, or the one stated */
};

/* The instruction of a clock's ordered reads. */
enum {
	HPT_ORDERED_OTHER        = 0, /* the clock does not read the TSC */
	HPT_ORDERED_RDTSCP       = 1,
	HPT_ORDERED_LFENCE_RDTSC = 2
};

/* Why a source was chosen, was not chosen, or cannot be used. hpt_reason_text() returns the sentence. */
enum {
	HPT_REASON_NONE               = 0,
	/* chosen */
	HPT_REASON_TSC_TRUSTED        = 1,
	HPT_REASON_TSC_FAMILY         = 2,
	HPT_REASON_TSC_UNCONTRADICTED = 3,
	HPT_REASON_LOWER_MEAN         = 4,
	HPT_REASON_LOWER_STDDEV       = 5,
	HPT_REASON_FINER              = 6,
	HPT_REASON_ONLY_ONE           = 7,
	HPT_REASON_REQUESTED          = 8,
	HPT_REASON_REQUESTED_ENV      = 9,
	HPT_REASON_ARCH_TRUSTED       = 10,
	/* usable but not chosen */
	HPT_REASON_NOT_NEEDED         = 20,
	HPT_REASON_SKIPPED_ENV        = 21,
	HPT_REASON_HIGHER_MEAN        = 22,
	HPT_REASON_HIGHER_STDDEV      = 23,
	HPT_REASON_COARSER            = 24,
	HPT_REASON_BETTER_TSC         = 25,
	HPT_REASON_OTHER_REQUESTED    = 26,
	HPT_REASON_BETTER_ARCH        = 27,
	/* this build or machine has no such source */
	HPT_REASON_NOT_BUILT          = 40,
	HPT_REASON_MANUAL             = 41,
	/* TSC */
	HPT_REASON_TSC_ABSENT         = 50,
	HPT_REASON_TSC_NOT_ORDERED    = 51,
	HPT_REASON_TSC_FORBIDDEN      = 52,
	HPT_REASON_TSC_NOT_CONSTANT   = 53,
	HPT_REASON_TSC_GUEST_FAMILY   = 54,
	HPT_REASON_TSC_FAMILY_ALONE   = 55,
	HPT_REASON_TSC_GUEST_ALONE    = 56,
	HPT_REASON_KERNEL_DISAGREES   = 57,
	HPT_REASON_TSC_EXPENSIVE      = 58,
	HPT_REASON_TSC_NOT_COUNTING   = 59,
	/* any counter */
	HPT_REASON_INTERPOSED         = 65,
	/* HPET: the papers' HPETFail list, and further reasons */
	HPT_REASON_HPET_ACCESS        = 70, /* EACCES, EPERM */
	HPT_REASON_HPET_FAULT         = 71, /* EFAULT */
	HPT_REASON_HPET_NOENT         = 72, /* ENOENT, ENOTDIR */
	HPT_REASON_HPET_MFILE         = 73, /* EMFILE, ENFILE */
	HPT_REASON_HPET_AGAIN         = 74, /* EAGAIN */
	HPT_REASON_HPET_BUSY          = 75, /* EBUSY */
	HPT_REASON_HPET_BADF          = 76, /* EBADF */
	HPT_REASON_HPET_NODEV         = 77, /* ENODEV, ENXIO */
	HPT_REASON_HPET_NOMEM         = 78, /* ENOMEM */
	HPT_REASON_HPET_32BIT         = 79, /* MC32BIT: counter of 32 bits */
	HPT_REASON_HPET_UNKNOWN       = 80, /* any other errno */
	HPT_REASON_HPET_NOT_DEVICE    = 81,
	HPT_REASON_HPET_MMAP_DENIED   = 82,
	HPT_REASON_HPET_PERIOD        = 83,
	HPT_REASON_HPET_DISABLED      = 84,
	HPT_REASON_HPET_NOT_COUNTING  = 85,
	HPT_REASON_HPET_GONE          = 86,
	HPT_REASON_HPET_NO_MMAP       = 87, /* ENOSYS from mmap */
	/* ARCH */
	HPT_REASON_ARCH_FORBIDDEN     = 90,
	HPT_REASON_ARCH_NO_EVTSTRM    = 91,
	HPT_REASON_ARCH_NOT_COUNTING  = 92,
	HPT_REASON_ARCH_ALONE         = 93,
	HPT_REASON_ARCH_NOT_VIRTUAL   = 94,
	HPT_REASON_ARCH_EXPENSIVE     = 95,
	/* memory-mapped counter */
	HPT_REASON_MMIO_UNDESCRIBED   = 100,
	HPT_REASON_MMIO_FIELD         = 101,
	HPT_REASON_MMIO_PLACE         = 102,
	HPT_REASON_MMIO_UIO           = 103,
	HPT_REASON_MMIO_DEVMEM        = 104,
	HPT_REASON_MMIO_OFFSET        = 105,
	HPT_REASON_MMIO_WIDTH         = 106,
	HPT_REASON_MMIO_DIRECTION     = 107,
	HPT_REASON_MMIO_FREQUENCY     = 108,
	HPT_REASON_MMIO_NO_UIO        = 109,
	HPT_REASON_MMIO_BEYOND        = 110,
	HPT_REASON_MMIO_ACCESS        = 111, /* EACCES, EPERM */
	HPT_REASON_MMIO_NO_NODE       = 112,
	HPT_REASON_MMIO_NOT_DEVICE    = 113,
	HPT_REASON_MMIO_REFUSED       = 114,
	HPT_REASON_MMIO_NO_COARSE     = 115,
	HPT_REASON_MMIO_TOO_FAST      = 116,
	HPT_REASON_MMIO_NOT_COUNTING  = 117,
	HPT_REASON_MMIO_OTHER_WAY     = 118,
	HPT_REASON_MMIO_BUS_ERROR     = 119,
	HPT_REASON_MMIO_UNPROVEN      = 120 /* no child process to try the read */
};

/* hpt_clock_info.flags */
enum {
	HPT_CLOCK_IS_DEFAULT        = 1, /* the process's default clock */
	HPT_CLOCK_ENV_UNKNOWN       = 2, /* HPT_SOURCE in the environment names no source; see env_source */
	HPT_CLOCK_ENV_REFUSED       = 4, /* it names a source that cannot be used here */
	HPT_CLOCK_RATE_CONTRADICTED = 8, /* the hardware's stated rate is more than 0.1 % off the measured one */
	HPT_CLOCK_VETOED            = 16 /* opened on request; not what the library would choose: see reason */
};

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
	int64_t  os_error_ns;           /* how far hpt_now_unix_ns(), _monotonic_ns(), _boottime_ns() and _tai_ns() may
					   be from the kernel's clocks now; INT64_MAX: not known */
};
enum { HPT_CLOCK_INFO_SIZE_V0 = 200 };

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
enum { HPT_SOURCE_INFO_SIZE_V0 = 80 };


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
 * os_error_ns is about a read at the moment of this call. A read before the call is not covered, because the call may
 * compare the clocks again. It covers any slew that the kernel can have made since the latest comparison, 101 us a
 * millisecond: 10 % by the clock's tick, 500 ppm by its frequency and 500 ppm by adjtime(3). It is smallest after
 * hpt_clock_check(). It does not cover a step, a suspend or a jump of the counter, which the next comparison finds; nor
 * what ADJ_OFFSET adds to these, and an ADJ_OFFSET of more than 0.4 s with the time constant 0, for which no daemon
 * asks. 0: the reads are the kernel's own.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @size is too small
 *
 * Safety: conversion. Cost: below a microsecond, and once a second of use as hpt_now_ns().
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size);

/**
 * hpt_source_get_info - facts about a source: whether it can be used, and why
 *
 * @source: HPT_SOURCE_; AUTO means the default clock's source
 * @ret:    the facts; untouched on failure
 * @size:   sizeof(*ret), at least HPT_SOURCE_INFO_SIZE_V0
 *
 * Copies what load or the latest hpt_clock_open() of that source recorded, and opens nothing. The default clock's
 * source is usable, however that clock became the default; its rate is computed, if that is not known yet.
 *
 * Return: 0
 *         -EINVAL  @source is unknown, @ret is NULL, or @size is too small
 *
 * Safety: conversion. Cost: below a microsecond.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_source_get_info(uint32_t source, struct hpt_source_info *ret, size_t size);

/**
 * hpt_source_name - "auto", "tsc", "hpet", "os", "arch", "mmio", "manual"
 *
 * @source: HPT_SOURCE_
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  1.0
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
 * Since:  1.0
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
 * Since:  1.0
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
 * Since:  1.0
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
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API const char *hpt_reason_text(uint32_t reason);

/**
 * hpt_version - the version of the library that runs
 *
 * Return: a static string: HPT_VERSION_STRING of the header that the library was built with
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  1.0
 */
HPT_API const char *hpt_version(void);

/**
 * hpt_version_number - the version of the library that runs, for comparisons
 *
 * Return: HPT_VERSION_NUMBER of the header that the library was built with
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  1.0
 */
HPT_API uint32_t hpt_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
