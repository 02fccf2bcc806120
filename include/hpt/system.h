/* SPDX-License-Identifier: MIT */
/*
 * system.h - the processor, the kernel's timer, the thread's time slice and idle CPUs. hpt.h does not include it:
 * libhpt(3) says what young headers promise. clock.h has the rules of all functions.
 */
#ifndef LIBHPT_SYSTEM_H
#define LIBHPT_SYSTEM_H

#include <hpt/clock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Facts --------------------------------------------------------------------------------------------- */

/* What the CPU states about its TSC. */
enum {
	HPT_CPU_NO_TSC             = 0, /* no such instruction */
	HPT_CPU_NOT_CONSTANT       = 1, /* the rate may follow the CPU's frequency */
	HPT_CPU_CONSTANT_BY_FAMILY = 2, /* constant rate, by family and model; it may stop in deep idle */
	HPT_CPU_INVARIANT          = 3 /* constant rate in every power state: CPUID 80000007h EDX bit 8 */
};

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
enum { HPT_CPU_INFO_SIZE_V0 = 168 };

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
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_cpu_get_info(struct hpt_cpu_info *ret, size_t size);

/**
 * hpt_kernel_hz - the kernel's timer frequency
 *
 * Return: jiffies per second (100, 250, 1000, ...), by the resolution of CLOCK_MONOTONIC_COARSE; 0 if that is not
 *         plausible
 *
 * Safety: leaf. Cost: at most one system call.
 * Since:  1.0
 */
HPT_API uint32_t hpt_kernel_hz(void);

/* ---- On request ---------------------------------------------------------------------------------------- */

/**
 * hpt_thread_set_slice_ns - the calling thread's time slice
 *
 * @ns: the slice, clamped to the kernel's range of 0.1 to 100 ms; 0: the kernel's own
 *
 * With a short slice a thread that wakes may take a CPU from threads with longer ones (Linux 6.12 and later), and gives
 * it up sooner. The thread keeps its class and nice value. The price is more switches where threads share CPUs. The
 * slice lasts until it is set again, and new threads inherit it. Beside busy threads the library sets one of 0.1 ms by
 * itself for a while, unless the thread has one of up to 0.5 ms: hpt_sleep(7). 0 also resets the thread's timer slack:
 * a sleep left by cancellation or by a jump leaves that at 1 ns.
 *
 * Return: 0
 *         -EINVAL  @ns is negative
 *         -ENOTSUP this kernel, or the thread's scheduling class, has no such slices
 *         other    errno of sched_setattr(2), such as -EPERM or -ENOSYS in a sandbox
 *
 * Safety: leaf. Cost: three or four system calls.
 * Since:  1.0
 */
HPT_API int hpt_thread_set_slice_ns(int64_t ns);

/**
 * hpt_low_latency_open - keep all CPUs of the machine out of deep idle states while a descriptor is open
 *
 * @max_us: the longest time that an idle CPU may take to wake, in microseconds; 0: CPUs idle at full power
 *
 * Opens /dev/cpu_dma_latency and writes the request, which holds for all CPUs of the machine. The kernel wakes threads
 * sooner, and the machine uses more power and may run slower where power or cooling is short.
 *
 * Return: a descriptor (close-on-exec), whose close(2) ends the request
 *         -EINVAL  @max_us is negative
 *         -EIO     the kernel did not take the request
 *         other    errno of open(2) or write(2): -EACCES, -ENOENT, ...
 *
 * Safety: blocking; MT-Safe, AS-Safe; not a cancellation point. Cost: two system calls.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_low_latency_open(int32_t max_us);

#ifdef __cplusplus
}
#endif

#endif
