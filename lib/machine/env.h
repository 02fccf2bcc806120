/* SPDX-License-Identifier: MIT */
/* Every contact with the machine except the counter reads. The library is given that of live.h; tests pass another. */
#ifndef HPT_ENV_H
#define HPT_ENV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "machine/cpu.h"

/* The opened file is not the device. There is no errno for this; it is reported as ENODEV. */
#define HPT_ENOTDEVICE 4000

#define HPT_HPET_PAGE 4096 /* the driver maps whole pages; the register block is 1 KiB */

/* For wait(), in place of a clock: the time is a duration. */
#define HPT_DURATION ((clockid_t)-1)

/* Reads an OS clock, in nanoseconds. 0: it cannot be read at all, as hpt_sample_is_blind() makes sure. */
typedef int64_t hpt_clock_ns_fn(clockid_t id);

struct hpt_datagrams;
struct hpt_fds;
struct hpt_ptp_reading;
struct hpt_source;
struct timex;

struct hpt_env {
	/* Required. CPUID; on architectures without it, a function that returns zeros. */
	hpt_cpuid_fn *cpuid;
	void         *cpuid_ctx;
	/*
	 * Optional. Facts that are known without CPUID; false: execute CPUID. If ->invariant is set no other fact is
	 * used, so that an unknown one (the vendor) may be empty.
	 */
	bool (*cached_cpu)(struct hpt_cpu *ret);
	/* Required. True if reading the TSC, or Arm's generic timer, raises SIGSEGV (PR_GET_TSC). */
	bool (*tsc_forbidden)(void);
	/* Required. An OS clock by libc (and its vDSO, if any), and by raw system call. May change errno. */
	hpt_clock_ns_fn *clock_ns;
	hpt_clock_ns_fn *clock_ns_syscall;
	/* Required. CLOCK_MONOTONIC as clock_ns() reads it: the read of the source "os", called directly. */
	uint64_t (*read_os)(const struct hpt_source *src);
	/* Required. An OS clock by the kernel, even if libc's clock_gettime() is replaced. False: denied. */
	bool (*kernel_ns)(clockid_t id, int64_t *ret_ns);
	/*
	 * Required. An OS clock as clock_ns() or clock_ns_syscall() reads it, for callers that must know if it was
	 * refused. Returns 0, or -errno: of a sandbox, or -EINVAL for a clock that this kernel does not have.
	 */
	int (*try_clock)(clockid_t id, bool by_syscall, int64_t *ret_ns);
	/* Required. Maps the HPET's registers read-only. On failure: -errno, and *ret_stage is OPEN or MAP. */
	int (*map_hpet)(const char *path, const volatile void **ret, uint32_t *ret_stage);
	void (*unmap_hpet)(const volatile void *page);
	/*
	 * Required. Maps `length` bytes of a character device read-only, from byte `start` on, at which *ret points. On
	 * failure as map_hpet(). The unmapping takes the same pointer and length.
	 */
	int (*map_registers)(const char *path, uint64_t start, size_t length, const volatile void **ret,
			     uint32_t *ret_stage);
	void (*unmap_registers)(const volatile void *start, size_t length);
	/* Required. As hpt_bus_try(): 0 if n words of a device can be loaded without a bus error. */
	int (*try_words)(const volatile uint32_t *words, size_t n);
	/* Required. Opens a file for reading, and does not wait for a FIFO. A descriptor; -1: errno says why not. */
	int (*open)(const char *path);
	/* Required. The time between two steps of CLOCK_MONOTONIC_COARSE. INT64_MAX: there is no such clock. */
	int64_t (*coarse_step_ns)(void);
	/* Required. A variable of the environment, or NULL; always NULL in set-id programs. */
	const char *(*getenv)(const char *name);
	/*
	 * Required for sleeping. If *word is value, waits until the OS clock id (MONOTONIC or REALTIME) reads until_ns,
	 * or, with HPT_DURATION, for until_ns, then returns -ETIMEDOUT. 0: woken for any reason, or *word was not
	 * value. -EINTR: a signal. Other errno: the wait was refused. May change errno.
	 */
	int (*wait)(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns);
	/* Required for sleeping. Wakes all threads that wait on word. Leaves errno unchanged. */
	void (*wake)(const _Atomic uint32_t *word);
	/* Required for waits for descriptors. As hpt_fds_wait(): see machine/fds.h. */
	int (*poll)(const struct hpt_fds *f, int64_t ns);
	/* Required for sleeping. The calling thread's timer slack; negative if it cannot be read. May change errno. */
	int64_t (*slack_ns)(void);
	void (*set_slack_ns)(int64_t ns);
	/*
	 * For the limits of spins, optional as a group. True: the thread has a seccomp filter, or that cannot be asked.
	 * The thread's scheduling class (SCHED_), or negative. The soft RLIMIT_RTTIME; INT64_MAX: none, or not known.
	 * The CPUs that the process may use, and whether the thread has one alone. All may change errno. See
	 * machine/cpu_time.h.
	 */
	bool (*is_filtered)(void);
	int (*scheduler)(void);
	int64_t (*rttime_ns)(void);
	uint32_t (*cpus)(void);
	bool (*is_pinned)(void);
	/*
	 * Optional, each. The thread's time slice; 0: not known. A change of it, as hpt_cpu_time_change_slice_ns().
	 * Both may change errno.
	 */
	int64_t (*slice_ns)(void);
	int64_t (*change_slice_ns)(int64_t was_ns, int64_t ns);
	/* Required. An entry of the auxiliary vector, as getauxval(3). */
	uint64_t (*auxval)(uint64_t type);
	/* Optional. The rate of the architecture's counter by the kernel or libc, in Hz; 0: not stated. */
	uint64_t (*counter_hz)(void);
	/* For hybrid logical clocks. Random bits of the kernel; 0: it gives none. May change errno. */
	uint64_t (*random)(void);
	/* For walls, optional: as adjtimex(2) that changes nothing. Returns TIME_OK ..., or -errno. */
	int (*adjtimex)(struct timex *ret);
	/* For walls, optional: see machine/datagram.h and machine/ptp.h. */
	int (*exchange)(const char *address, struct hpt_datagrams *d, int64_t timeout_ns);
	int (*ptp_read)(const char *path, struct hpt_ptp_reading *ret);
};

#endif
