// SPDX-License-Identifier: MIT
/* The live environment: system calls, files and CPUID, each in one small function. See lib/machine/env.h. */
#include "machine/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "machine/bus.h"
#include "machine/cpu_time.h"
#include "machine/datagram.h"
#include "machine/file_read.h"
#include "machine/futex.h"
#include "machine/ptp.h"
#include "machine/sys_clock.h"
#include "machine/time_calls.h"
#include "machine/timex.h"

/* What glibc alone has. Its header may be on the path of a compiler for another C library. */
#if defined(__GLIBC__) && defined(__has_include)
#if defined(HPT_ARCH_X86) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#elif defined(__powerpc64__) && __has_include(<sys/platform/ppc.h>)
#include <sys/platform/ppc.h>
#define HAS_PLATFORM_PPC
#endif
#endif

/* drivers/char/hpet.c registers a misc device: major 10, HPET_MINOR (include/linux/miscdevice.h). */
#define HPET_MAJOR 10
#define HPET_MINOR 228

static COLD void live_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
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
static COLD bool live_cached_cpu(struct hpt_cpu *ret)
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
#else
#define live_cached_cpu NULL
#endif

static COLD bool live_tsc_forbidden(void)
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

static int64_t live_clock_ns(clockid_t id)
{
	int64_t ns;

	return read_clock(id, &ns) ? ns : coarse_ns(id);
}

/* errno may change: saving it would cost every read 1 ns. */
static uint64_t live_read_os(const struct hpt_source *src)
{
	struct timespec ts;

	(void)src;
	if (likely(!clock_gettime(CLOCK_MONOTONIC, &ts)))
		return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return (uint64_t)live_clock_ns(CLOCK_MONOTONIC);
}

static int64_t live_clock_ns_syscall(clockid_t id)
{
	int64_t ns;

	return hpt_sys_clock_ns(id, &ns) ? ns : coarse_ns(id);
}

static COLD int live_try_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	return (by_syscall ? hpt_sys_clock_ns(id, ret_ns) : read_clock(id, ret_ns)) ? 0 : -errno;
}

static uint64_t live_auxval(uint64_t type)
{
	return getauxval((unsigned long)type);
}

#ifdef HAS_PLATFORM_PPC
/* glibc asks the vDSO (__kernel_get_tbfreq), or reads /proc/cpuinfo. */
static COLD uint64_t live_counter_hz(void)
{
	return __ppc_get_timebase_freq();
}
#elif defined(__riscv)
#define SYS_HWPROBE        258 /* riscv_hwprobe(2), Linux 6.4 */
#define HWPROBE_TIME_CSR   8   /* RISCV_HWPROBE_KEY_TIME_CSR_FREQ, Linux 6.11 */

/* For machines without a device tree. A kernel that does not know the key sets it to -1. */
static COLD uint64_t live_counter_hz(void)
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
#else
#define live_counter_hz NULL
#endif

/* Only the real device is mapped: truncating a mapped file would kill the process by SIGBUS. */
static COLD int check_hpet_node(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && major(st->st_rdev) == HPET_MAJOR && minor(st->st_rdev) == HPET_MINOR ?
		       0 : -HPT_ENOTDEVICE;
}

static COLD int check_any_node(const struct stat *st)
{
	return S_ISCHR(st->st_mode) ? 0 : -HPT_ENOTDEVICE;
}

/* Maps whole pages. O_SYNC, because /dev/mem could otherwise be mapped with a cache; other drivers ignore it. */
static COLD int map_device(const char *path, int (*check_node)(const struct stat *st), off_t start, size_t length,
			   const volatile void **ret, uint32_t *ret_stage)
{
	/* O_NONBLOCK, which the drivers ignore, because opening a FIFO of this name would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_SYNC), r;
	struct stat st;
	void *page;

	*ret_stage = HPT_STAGE_OPEN;
	if (fd < 0)
		return -errno;
	r = fstat(fd, &st) < 0 ? -errno : check_node(&st);
	if (!r) {
		*ret_stage = HPT_STAGE_MAP;
		page = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, start);
		if (page == MAP_FAILED)
			r = -errno;
		else
			*ret = page;
	}
	close(fd);
	return r;
}

static COLD int live_map_hpet(const char *path, const volatile void **ret, uint32_t *ret_stage)
{
	return map_device(path, check_hpet_node, 0, HPT_HPET_PAGE, ret, ret_stage);
}

static COLD void live_unmap_hpet(const volatile void *page)
{
	munmap((void *)(uintptr_t)page, HPT_HPET_PAGE);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static COLD int live_map_registers(const char *path, uint64_t start, size_t length, const volatile void **ret,
				   uint32_t *ret_stage)
{
	size_t in_page = (size_t)start & (page_size() - 1);
	const volatile void *page;
	int r = map_device(path, check_any_node, (off_t)(start - in_page), in_page + length, &page, ret_stage);

	if (!r)
		*ret = (const volatile char *)page + in_page;
	return r;
}

static COLD void live_unmap_registers(const volatile void *start, size_t length)
{
	size_t in_page = (uintptr_t)start & (page_size() - 1);

	munmap((void *)((uintptr_t)start - in_page), in_page + length);
}

static COLD int64_t live_coarse_step_ns(void)
{
	return hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE);
}

static const char *live_getenv(const char *name)
{
	return secure_getenv(name);
}

const struct hpt_env hpt_env_live = {
	.cpuid = live_cpuid,
	.cached_cpu = live_cached_cpu,
	.tsc_forbidden = live_tsc_forbidden,
	.clock_ns = live_clock_ns,
	.clock_ns_syscall = live_clock_ns_syscall,
	.read_os = live_read_os,
	.kernel_ns = hpt_sys_clock_ns,
	.try_clock = live_try_clock,
	.auxval = live_auxval,
	.counter_hz = live_counter_hz,
	.map_hpet = live_map_hpet,
	.unmap_hpet = live_unmap_hpet,
	.map_registers = live_map_registers,
	.unmap_registers = live_unmap_registers,
	.try_words = hpt_bus_try,
	.open = hpt_path_open,
	.coarse_step_ns = live_coarse_step_ns,
	.getenv = live_getenv,
	.wait = hpt_futex_wait,
	.wake = hpt_futex_wake,
	.slack_ns = hpt_timer_slack_ns,
	.set_slack_ns = hpt_timer_slack_set_ns,
	.is_filtered = hpt_cpu_time_is_filtered,
	.scheduler = hpt_cpu_time_class,
	.rttime_ns = hpt_cpu_time_rttime_ns,
	.cpus = hpt_cpu_time_cpus,
	.adjtimex = hpt_adjtimex,
	.exchange = hpt_datagram_exchange,
	.ptp_read = hpt_ptp_read,
};
