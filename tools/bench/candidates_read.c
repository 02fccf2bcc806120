// SPDX-License-Identifier: MIT
/* The table of the calls that read the time, and the loops that time them: tools/bench/candidates_read.h. */
#include "bench/candidates_read.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "bench/choice.h"
#include "cli/stopwatch.h"
#include "math/units.h"
#include "hpt/system.h"

/* ---- Ordering of instructions ------------------------------------------------------------------------------------ */

/*
 * No instruction after it begins before all those before it have ended. x86: "LFENCE does not execute until all prior
 * instructions have completed locally, and no later instruction begins execution until LFENCE completes" (Intel SDM
 * vol. 2A, LFENCE; on AMD Linux sets DE_CFG so that it does). Processors without LFENCE have CPUID (SDM vol. 3A, 8.3
 * "Serializing Instructions"). Arm: ISB (Arm ARM, "Instruction Synchronization Barrier"). Elsewhere: the compiler's
 * full barrier, which orders memory accesses; a counter that is read by an instruction may still be read out of order.
 */
static inline __attribute__((always_inline)) void wait_for_all(void)
{
#if defined(HPT_ARCH_X86) && defined(__SSE2__)
	__asm__ volatile("lfence" : : : "memory");
#elif defined(HPT_ARCH_X86)
	uint32_t regs[4];

	if (__builtin_cpu_supports("sse2"))
		__asm__ volatile("lfence" : : : "memory");
	else
		arch_cpuid(0, 0, regs);
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#else
	__sync_synchronize();
#endif
}

/*
 * Reads the stopwatch before and after a call that is timed alone. RDTSCP waits until everything before it has
 * executed, so the call has ended when the second reading is taken. But "subsequent instructions may begin execution
 * before the read operation is performed. If software requires RDTSCP to be executed prior to execution of any
 * subsequent instruction, it can execute LFENCE immediately after RDTSCP" (Intel SDM vol. 2B, RDTSCP): after the first
 * reading, so that the call does not begin before it; after the second, so that no later instruction slows the end of
 * the call.
 */
static inline __attribute__((always_inline)) int64_t stopwatch_ticks(const struct stopwatch *stopwatch)
{
	int64_t ticks = stopwatch_read(stopwatch);

	wait_for_all();
	return ticks;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------ */

/*
 * The three loops that time one expression, which may use clk and room. They are not inlined, so that each loop is the
 * same code for every caller.
 */
#define LOOPS(name, expression)                                                                         \
	static __attribute__((noinline)) void loop_##name(hpt_clock *clk, uint32_t calls)               \
	{                                                                                               \
		union room room;                                                                        \
                                                                                                        \
		(void)clk, (void)room;                                                                  \
		for (uint32_t i = 0; i < calls; i++)                                                    \
			STOPWATCH_USE(expression);                                                            \
	}                                                                                               \
	static __attribute__((noinline)) void isolated_##name(hpt_clock *clk, uint32_t calls)           \
	{                                                                                               \
		union room room;                                                                        \
                                                                                                        \
		(void)clk, (void)room;                                                                  \
		for (uint32_t i = 0; i < calls; i++) {                                                  \
			STOPWATCH_USE(expression);                                                            \
			wait_for_all();                                                                 \
		}                                                                                       \
	}                                                                                               \
	static __attribute__((noinline)) void singles_##name(hpt_clock *clk,                            \
							     const struct stopwatch *stopwatch,     \
							     int64_t *ret_ticks, uint32_t calls)        \
	{                                                                                               \
		union room room;                                                                        \
                                                                                                        \
		(void)clk, (void)room;                                                                  \
		for (uint32_t i = 0; i < calls; i++) {                                                  \
			int64_t start = stopwatch_ticks(stopwatch);                                     \
                                                                                                        \
			STOPWATCH_USE(expression);                                                            \
			ret_ticks[i] = stopwatch_ticks(stopwatch) - start;                              \
		}                                                                                       \
	}

#define LOOPS_OF(loops) .loop = loop_##loops, .isolated = isolated_##loops, .singles = singles_##loops

/* The buffer that a call writes to. */
union room {
	struct timespec ts;
	struct timeval tv;
};

/* Young 32-bit architectures have only the call with times of 64 bits; the room is wide enough for both. */
#ifdef SYS_clock_gettime
#define SYSCALL_GETTIME SYS_clock_gettime
#else
#define SYSCALL_GETTIME SYS_clock_gettime64
#endif

#ifdef HPT_ARCH_X86
LOOPS(rdtsc, arch_rdtsc())
LOOPS(rdtscp, arch_rdtscp())
LOOPS(lfence_rdtsc, arch_lfence_rdtsc())
#endif
/* The C library's functions by their own names, as programs call them: a library that interposes them is measured. */
LOOPS(monotonic, clock_gettime(CLOCK_MONOTONIC, &room.ts))
LOOPS(realtime, clock_gettime(CLOCK_REALTIME, &room.ts))
LOOPS(raw, clock_gettime(CLOCK_MONOTONIC_RAW, &room.ts))
LOOPS(monotonic_coarse, clock_gettime(CLOCK_MONOTONIC_COARSE, &room.ts))
LOOPS(realtime_coarse, clock_gettime(CLOCK_REALTIME_COARSE, &room.ts))
LOOPS(gettimeofday, gettimeofday(&room.tv, NULL))
LOOPS(syscall, syscall(SYSCALL_GETTIME, CLOCK_MONOTONIC, &room.ts))
LOOPS(now, hpt_now(clk))
LOOPS(unordered, hpt_now_unordered(clk))
LOOPS(now_ns, hpt_now_ns(clk))
LOOPS(ns_unordered, hpt_now_ns_unordered(clk))
LOOPS(unix_ns, hpt_now_unix_ns(clk))
LOOPS(monotonic_ns, hpt_now_monotonic_ns(clk))
LOOPS(boottime_ns, hpt_now_boottime_ns(clk))
LOOPS(tai_ns, hpt_now_tai_ns(clk))
LOOPS(nothing, 0)

const struct read_candidate read_nothing = { .name = "nothing", LOOPS_OF(nothing) };

/* ---- Reads, for the steps of a counter -------------------------------------------------------------------------- */

#define READ(name, expression)                        \
	static int64_t read_##name(hpt_clock *clk)    \
	{                                             \
		(void)clk;                            \
		return expression;                    \
	}

READ(monotonic, stopwatch_os_ns(CLOCK_MONOTONIC))
READ(realtime, stopwatch_os_ns(CLOCK_REALTIME))
READ(raw, stopwatch_os_ns(CLOCK_MONOTONIC_RAW))
READ(monotonic_coarse, stopwatch_os_ns(CLOCK_MONOTONIC_COARSE))
READ(realtime_coarse, stopwatch_os_ns(CLOCK_REALTIME_COARSE))
READ(now, hpt_now(clk))

static int64_t read_gettimeofday(hpt_clock *clk)
{
	struct timeval tv = { 0 };

	(void)clk;
	gettimeofday(&tv, NULL);
	return (int64_t)tv.tv_sec * 1000000 + tv.tv_usec;
}

/* ---- Is a call usable on this machine? --------------------------------------------------------------------------- */

#ifdef HPT_ARCH_X86
/*
 * Where the library can read no TSC, because it is absent or forbidden, the bare instruction would kill this process.
 */
static bool has_tsc(void)
{
	hpt_clock *clk;

	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk))
		return false;
	hpt_clock_close(clk);
	return true;
}

static bool has_rdtscp(void)
{
	struct hpt_cpu_info cpu;

	return has_tsc() && !hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.rdtscp;
}

static bool has_lfence_rdtsc(void)
{
	struct hpt_cpu_info cpu;

	return has_tsc() && !hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.sse2;
}
#endif

/* ---- The table -------------------------------------------------------------------------------------------------- */

#define YARDSTICK(text, which)                                                                          \
	{ .name = (text), .step_of = (text), .tick_ps = PS_PER_NS, .read = read_##which, LOOPS_OF(which) }

#define SOURCE(text, id)                                                                                \
	{ .name = "hpt_now(" text ")", .source = (id), .step_of = (text), .read = read_now, LOOPS_OF(now) }, \
	{ .name = "hpt_now_unordered(" text ")", .source = (id), LOOPS_OF(unordered) },                 \
	{ .name = "hpt_now_ns(" text ")", .source = (id), LOOPS_OF(now_ns) },                           \
	{ .name = "hpt_now_ns_unordered(" text ")", .source = (id), LOOPS_OF(ns_unordered) },           \
	{ .name = "hpt_now_unix_ns(" text ")", .source = (id), LOOPS_OF(unix_ns) },                     \
	{ .name = "hpt_now_monotonic_ns(" text ")", .source = (id), LOOPS_OF(monotonic_ns) },           \
	{ .name = "hpt_now_boottime_ns(" text ")", .source = (id), LOOPS_OF(boottime_ns) },             \
	{ .name = "hpt_now_tai_ns(" text ")", .source = (id), LOOPS_OF(tai_ns) }

const struct read_candidate read_candidates[] = {
#ifdef HPT_ARCH_X86
	{ .name = "rdtsc", .is_usable = has_tsc, LOOPS_OF(rdtsc) },
	{ .name = "rdtscp", .is_usable = has_rdtscp, LOOPS_OF(rdtscp) },
	{ .name = "lfence;rdtsc", .is_usable = has_lfence_rdtsc, LOOPS_OF(lfence_rdtsc) },
#endif
	YARDSTICK(READ_BASE, monotonic),
	YARDSTICK("clock_gettime(REALTIME)", realtime),
	YARDSTICK("clock_gettime(MONOTONIC_RAW)", raw),
	YARDSTICK("clock_gettime(MONOTONIC_COARSE)", monotonic_coarse),
	YARDSTICK("clock_gettime(REALTIME_COARSE)", realtime_coarse),
	{ .name = "gettimeofday", .step_of = "gettimeofday", .tick_ps = PS_PER_US, .read = read_gettimeofday,
	  LOOPS_OF(gettimeofday) },
	{ .name = "syscall(clock_gettime)", LOOPS_OF(syscall) },
	{ .name = "hpt_now(NULL)", .is_default = true, LOOPS_OF(now) },
	{ .name = "hpt_now_ns(NULL)", .is_default = true, LOOPS_OF(now_ns) },
	SOURCE("tsc", HPT_SOURCE_TSC),
	SOURCE("hpet", HPT_SOURCE_HPET),
	SOURCE("os", HPT_SOURCE_OS),
	SOURCE("arch", HPT_SOURCE_ARCH),
	SOURCE("mmio", HPT_SOURCE_MMIO),
};

_Static_assert(sizeof(read_candidates) / sizeof(read_candidates[0]) <= CHOICE_MAX, "each can be chosen by its name");

const unsigned n_read_candidates = sizeof(read_candidates) / sizeof(read_candidates[0]);
