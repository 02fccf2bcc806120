// SPDX-License-Identifier: MIT
/* Clocks, CPUID and facts of the running process, each in one small function: lib/machine/live_calls.h. */
#include "machine/live_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "machine/sys_clock.h"
#include "machine/time_calls.h"

COLD void hpt_live_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	(void)ctx;
#ifdef HPT_ARCH_X86
	arch_cpuid(leaf, subleaf, regs);
#else
	(void)leaf, (void)subleaf;
	memset(regs, 0, 4 * sizeof(regs[0]));
#endif
}

#ifdef CPU_FEATURE_PRESENT
/*
 * glibc >= 2.33 has read these leaves when the process started. That saves the CPUID instructions, which take 3.5 us
 * each in a virtual machine. glibc keeps no vendor, and no leaves for vendors unknown to it, so that only an
 * invariant TSC can be recognised this way.
 */
COLD bool hpt_live_cached_cpu(struct hpt_cpu *ret)
{
	const unsigned *leaf1 = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1)->cpuid_array;

	memset(ret, 0, sizeof(*ret));
	hpt_cpu_signature(leaf1[0], ret);
	ret->tsc = CPU_FEATURE_PRESENT(TSC);
	ret->sse2 = CPU_FEATURE_PRESENT(SSE2);
	ret->hypervisor = leaf1[2] >> 31;
	ret->rdtscp = CPU_FEATURE_PRESENT(RDTSCP);
	ret->invariant = CPU_FEATURE_PRESENT(INVARIANT_TSC);
	ret->lfence_orders = ret->sse2 && hpt_cpu_lfence_orders_by_family(ret->family);
	return ret->invariant;
}
#endif

COLD bool hpt_live_tsc_forbidden(void)
{
	int mode = PR_TSC_ENABLE;

	return !prctl(PR_GET_TSC, &mode, 0, 0, 0) && mode == PR_TSC_SIGSEGV;
}

static int64_t to_ns(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

/* By libc. A 32-bit libc knows the old system call only after ENOSYS: then it is asked here. */
static bool read_clock(clockid_t id, int64_t *ret_ns)
{
	struct timespec ts;

	if (clock_gettime(id, &ts))
		return hpt_sys_clock_ns(id, ret_ns);
	*ret_ns = to_ns(&ts);
	return true;
}

/*
 * For a sandbox that denies the clock's system call: the coarse clocks are read from memory, without a system call and
 * without the TSC, and are off by at most a jiffy. 0: there is no vDSO either.
 */
static COLD int64_t coarse_ns(clockid_t id)
{
	int64_t ns;

	return read_clock(id == CLOCK_REALTIME ? CLOCK_REALTIME_COARSE : CLOCK_MONOTONIC_COARSE, &ns) ? ns : 0;
}

int64_t hpt_live_clock_ns(clockid_t id)
{
	int64_t ns;

	return read_clock(id, &ns) ? ns : coarse_ns(id);
}

/* errno may change: saving it would cost every read 1 ns. */
uint64_t hpt_live_read_os(const struct hpt_source *src)
{
	struct timespec ts;

	(void)src;
	if (likely(!clock_gettime(CLOCK_MONOTONIC, &ts)))
		return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return (uint64_t)hpt_live_clock_ns(CLOCK_MONOTONIC);
}

int64_t hpt_live_clock_ns_syscall(clockid_t id)
{
	int64_t ns;

	return hpt_sys_clock_ns(id, &ns) ? ns : coarse_ns(id);
}

COLD int hpt_live_try_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	return (by_syscall ? hpt_sys_clock_ns(id, ret_ns) : read_clock(id, ret_ns)) ? 0 : -errno;
}

uint64_t hpt_live_auxval(uint64_t type)
{
	return getauxval((unsigned long)type);
}

/* Does not wait for the kernel to have enough of them, as it may not soon after it booted. */
COLD uint64_t hpt_live_random(void)
{
	uint64_t bits;

	return syscall(SYS_getrandom, &bits, sizeof(bits), GRND_NONBLOCK) == sizeof(bits) ? bits : 0;
}

#ifdef HAS_PLATFORM_PPC
/* glibc asks the vDSO (__kernel_get_tbfreq), or reads /proc/cpuinfo. */
COLD uint64_t hpt_live_counter_hz(void)
{
	return __ppc_get_timebase_freq();
}
#elif defined(__riscv)
#define SYS_HWPROBE        258 /* riscv_hwprobe(2), Linux 6.4 */
#define HWPROBE_TIME_CSR   8   /* RISCV_HWPROBE_KEY_TIME_CSR_FREQ, Linux 6.11 */

/* For machines without a device tree. A kernel that does not know the key sets it to -1. */
COLD uint64_t hpt_live_counter_hz(void)
{
	struct {
		int64_t  key;
		uint64_t value;
	} pair = { .key = HWPROBE_TIME_CSR };
	int saved = errno;
	bool is_known = !syscall(SYS_HWPROBE, &pair, 1L, 0L, NULL, 0L) && pair.key == HWPROBE_TIME_CSR;

	errno = saved;
	return is_known ? pair.value : 0;
}
#endif

COLD int64_t hpt_live_coarse_step_ns(void)
{
	return hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE);
}

const char *hpt_live_getenv(const char *name)
{
	return secure_getenv(name);
}
