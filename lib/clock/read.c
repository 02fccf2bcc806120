// SPDX-License-Identifier: MIT
/* The paths of hpt_now_ns(), hpt_now_ns_unordered() and hpt_now_unix_ns(): lib/clock/read.h. */
#include "clock/read.h"

#include <errno.h>
#include <stddef.h>

#include "arch/arch.h"
#include "source/tsc.h"
#include "clock/timekeeper.h"

#define WORD(member)   (offsetof(struct hpt_record, read.member) / sizeof(hpt_word))
#define WORD_START     WORD(start)
#define WORD_LINE_SPAN WORD(line_span)
#define WORD_FAST_SPAN WORD(fast_span)
#define LINE_NS        WORD(ns)
#define LINE_UNIX      WORD(unix_ns)

static int64_t now_slowly(struct hpt_clock *clk, clockid_t id);

typedef uint64_t read_fn(const struct hpt_source *src);

static inline __attribute__((always_inline)) int64_t now_by_read(struct hpt_clock *clk, read_fn *read, size_t line,
								 clockid_t id)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const hpt_word *words = (const hpt_word *)&clk->records[hpt_seqlatch_slot(seen)];
	uint64_t tick = read(&clk->src), start = hpt_word_load(&words[WORD_START]);
	int64_t ns = hpt_line_ns((uint32_t)tick, hpt_word_load(&words[line]), hpt_word_load(&words[line + 1]),
				 hpt_word_load(&words[line + 2]), hpt_word_load(&words[line + 3]));

	if (likely(tick - start < hpt_word_load(&words[WORD_LINE_SPAN]) && hpt_seqlatch_same(&clk->latch, seen)))
		return ns;
	return now_slowly(clk, id);
}

static int64_t now_ns(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read, LINE_NS, CLOCK_MONOTONIC_RAW);
}

static int64_t now_ns_unordered(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read_unordered, LINE_NS, CLOCK_MONOTONIC_RAW);
}

static int64_t now_unix_ns(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read, LINE_UNIX, CLOCK_REALTIME);
}

/* The OS clock needs no record: its tick is the ns, and the kernel returns Unix time. */
static int64_t os_now_ns(struct hpt_clock *clk)
{
	return (int64_t)clk->src.read(&clk->src);
}

static int64_t os_now_unix_ns(struct hpt_clock *clk)
{
	int saved = errno;
	int64_t ns = clk->src.clock_ns(CLOCK_REALTIME);

	errno = saved;
	return ns;
}

#ifdef HPT_ARCH_X86
/*
 * The read of a TSC by one instruction on one line, one copy for each slot that the current record may lie in.
 * - RDTSCP and LFENCE wait: each cycle in the chain of instructions before or after them adds 2 % to the read.
 * - In a known slot all loads run in parallel before that. Computing an index costs 16 %.
 * - After the read the low word is multiplied while the range is checked.
 * - fast_span implies that the slope's whole part is 0, as it is above 1 GHz. With that part registers would run out.
 * - If the slot is no longer the current one, the slow path reads, and installs the copies for the current slot.
 */
static inline __attribute__((always_inline)) int64_t tsc_now(struct hpt_clock *clk, uint32_t slot,
							     void (*read)(uint32_t *lo, uint32_t *hi), size_t line,
							     clockid_t id)
{
	const hpt_word *words = (const hpt_word *)&clk->records[slot];
	uint32_t stamp = hpt_seqlatch_stamp(&clk->latch, slot), lo, hi;
	uint64_t start = hpt_word_load(&words[WORD_START]), span = hpt_word_load(&words[WORD_FAST_SPAN]);
	uint64_t frac = hpt_word_load(&words[line + 1]), at_ns = hpt_word_load(&words[line + 2]);
	uint64_t at_frac = hpt_word_load(&words[line + 3]);

	if (likely(hpt_seqlatch_same(&clk->latch, stamp))) {
		read(&lo, &hi);
		if (likely(((uint64_t)hi << 32 | lo) - start < span))
			return hpt_line_ns(lo, 0, frac, at_ns, at_frac);
	}
	return now_slowly(clk, id);
}

struct tsc_reads {
	hpt_now_fn *ns, *unix_ns;
};

#define TSC_READ(instruction, slot, name, line, id)                                       \
	static int64_t instruction##_##name##_##slot(struct hpt_clock *clk)               \
	{                                                                                 \
		return tsc_now(clk, slot, arch_##instruction##_halves, line, id);         \
	}

#define TSC_READS(slot)                                                                   \
	TSC_READ(rdtscp, slot, ns, LINE_NS, CLOCK_MONOTONIC_RAW)                          \
	TSC_READ(rdtscp, slot, unix_ns, LINE_UNIX, CLOCK_REALTIME)                        \
	TSC_READ(lfence_rdtsc, slot, ns, LINE_NS, CLOCK_MONOTONIC_RAW)                    \
	TSC_READ(lfence_rdtsc, slot, unix_ns, LINE_UNIX, CLOCK_REALTIME)                  \
	TSC_READ(rdtsc, slot, ns, LINE_NS, CLOCK_MONOTONIC_RAW)

TSC_READS(0) TSC_READS(1) TSC_READS(2) TSC_READS(3) TSC_READS(4) TSC_READS(5) TSC_READS(6) TSC_READS(7)

#define IN_EACH_SLOT(of) { of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7) }
#define OF_RDTSCP(slot)  { rdtscp_ns_##slot, rdtscp_unix_ns_##slot }
#define OF_LFENCE(slot)  { lfence_rdtsc_ns_##slot, lfence_rdtsc_unix_ns_##slot }
#define OF_RDTSC(slot)   rdtsc_ns_##slot

static const struct tsc_reads by_rdtscp[HPT_SEQLATCH_SLOTS] = IN_EACH_SLOT(OF_RDTSCP);
static const struct tsc_reads by_lfence[HPT_SEQLATCH_SLOTS] = IN_EACH_SLOT(OF_LFENCE);
static hpt_now_fn *const by_rdtsc[HPT_SEQLATCH_SLOTS] = IN_EACH_SLOT(OF_RDTSC);

/*
 * Makes the clock's reads the copies for this slot. Sources other than the TSC have one copy.
 *
 * A release, so that no thread assumes a slot before it sees that a record has been published in it. The readers' loads
 * are relaxed: the fence in hpt_seqlatch_same() comes after them.
 */
static void install_reads(struct hpt_clock *clk, uint32_t slot)
{
	const struct tsc_reads *reads = clk->src.read == hpt_tsc_read_rdtscp ? by_rdtscp : by_lfence;

	if (!hpt_source_is_tsc(&clk->src))
		return;
	atomic_store_explicit(&clk->now_ns, reads[slot].ns, memory_order_release);
	atomic_store_explicit(&clk->now_unix_ns, reads[slot].unix_ns, memory_order_release);
	atomic_store_explicit(&clk->now_ns_unordered, by_rdtsc[slot], memory_order_release);
}
#else
static void install_reads(struct hpt_clock *clk, uint32_t slot)
{
	(void)clk, (void)slot;
}
#endif

static COLD __attribute__((noinline)) int64_t now_slowly(struct hpt_clock *clk, clockid_t id)
{
	struct hpt_record rec;
	uint64_t tick = hpt_timekeeper_now(clk, &rec);
	const struct hpt_line *line = id == CLOCK_REALTIME ? &rec.read.unix_ns : &rec.read.ns;
	int saved = errno;
	int64_t ns;

	install_reads(clk, hpt_seqlatch_slot(hpt_seqlatch_begin(&clk->latch)));
	if (rec.read.line_span)
		return (int64_t)hpt_line_at(line, rec.read.start, tick).ns;
	ns = clk->src.clock_ns(id);
	errno = saved;
	return ns;
}

COLD void hpt_read_set(struct hpt_clock *clk)
{
	bool is_exact = clk->src.rate.origin == HPT_ORIGIN_EXACT;

	atomic_init(&clk->now_ns, is_exact ? os_now_ns : now_ns);
	atomic_init(&clk->now_ns_unordered, is_exact ? os_now_ns : now_ns_unordered);
	atomic_init(&clk->now_unix_ns, is_exact ? os_now_unix_ns : now_unix_ns);
	install_reads(clk, 0);
}
