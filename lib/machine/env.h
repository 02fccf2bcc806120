/* SPDX-License-Identifier: MIT */
/*
 * env.h - every contact with the machine but the counter reads themselves. The library uses
 * hpt_env_live; tests hand in their own.
 */
#ifndef HPT_ENV_H
#define HPT_ENV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "machine/cpu.h"

/* fstat() found something that is not the device; no errno says so. Reported as ENODEV. */
#define HPT_ENOTDEVICE 4000

#define HPT_HPET_PAGE 4096 /* the driver maps whole pages, the register block is 1 KiB */

/* Nanoseconds of an OS clock. */
typedef int64_t hpt_clock_ns_fn(clockid_t id);

struct hpt_env {
	/* Required. CPUID; on architectures without it, a function that answers zeros. */
	hpt_cpuid_fn *cpuid;
	void         *cpuid_ctx;
	/* Optional: decision facts that somebody already holds. False: ask CPUID. A fact it cannot
	 * know (vendor) may be empty if ->invariant is set: then nothing else is looked at. */
	bool (*cached_cpu)(struct hpt_cpu *ret);
	/* Required. PR_GET_TSC says that reading the TSC is a SIGSEGV. */
	bool (*tsc_forbidden)(void);
	/* Required. An OS clock through libc (vDSO where there is one), and by raw system call. May touch errno. */
	hpt_clock_ns_fn *clock_ns;
	hpt_clock_ns_fn *clock_ns_syscall;
	/* Required. The kernel's own answer, whoever stands in for libc's clock_gettime(). False: denied. */
	bool (*kernel_ns)(clockid_t id, int64_t *ret_ns);
	/* Required. Maps the HPET's registers read-only: 0 or -errno, then *ret_stage is OPEN or MAP. */
	int (*map_hpet)(const char *path, const volatile void **ret, uint32_t *ret_stage);
	void (*unmap_hpet)(const volatile void *page);
	/* Required. A variable of the environment, or NULL; NULL also in set-id programs. */
	const char *(*getenv)(const char *name);
	/*
	 * Required for sleeping. Waits until the OS clock id (MONOTONIC or REALTIME) says until_ns, if *word is value:
	 * -ETIMEDOUT then; 0: woken, by whatever, or *word was another; -EINTR; other errno: refused. May touch errno.
	 */
	int (*wait)(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns);
	/* All who wait on word. errno stays as it is. */
	void (*wake)(const _Atomic uint32_t *word);
	/* The calling thread's timer slack, negative where it cannot be had. May touch errno. */
	int64_t (*slack_ns)(void);
	void (*set_slack_ns)(int64_t ns);
	const char *hpet_path;
	const char *vmclock_path;
	const char *sysfs_root;
};

extern const struct hpt_env hpt_env_live;

/* What the kernel keeps time with. */
enum hpt_kernel_source {
	HPT_KERNEL_UNREADABLE, /* no /sys, or not ours to read */
	HPT_KERNEL_TSC,
	HPT_KERNEL_OTHER,
};

/* Whole-word comparison: hyperv_clocksource_tsc_page is not the TSC. The name is cut to size. */
enum hpt_kernel_source hpt_kernel_clocksource(const struct hpt_env *env, char *ret_name, size_t size);

/*
 * The hypervisor's count of what disrupted the guest's counters (migration, restored snapshot), from the device of Linux's
 * include/uapi/linux/vmclock-abi.h. False: there is none, or it is being updated.
 */
bool hpt_vm_marker(const struct hpt_env *env, uint64_t *ret);

#endif
