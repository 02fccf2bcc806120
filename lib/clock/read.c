// SPDX-License-Identifier: MIT
/* The paths of hpt_now_ns(), hpt_now_ns_unordered() and the reads of the kernel's lines: lib/clock/read.h. */
#include "clock/read.h"

#include <errno.h>

#include "arch/arch.h"
#include "source/own_read.h"
#include "rate/os_lines.h"
#include "clock/timekeeper.h"

#define WORD_START     HPT_READ_WORD(start)
#define WORD_LINE_SPAN HPT_READ_WORD(line_span)
#define WORD_FAST_SPAN HPT_READ_WORD(fast_span)
#define LINE_NS        HPT_READ_WORD(ns)
#define WORD_AT_NS     HPT_READ_WORD(ns.at.ns)

/* The words of a line from its first one on. */
#define TO_SLOPE_FRAC  1
#define TO_AT_FRAC     3

/* Each try that fails means that another thread has published a record since. */
#define OS_TRIES 8

static int64_t slowly(struct hpt_clock *clk, size_t at);

typedef uint64_t read_fn(const struct hpt_source *src);

static inline __attribute__((always_inline)) int64_t now_by_read(struct hpt_clock *clk, read_fn *read, size_t line,
								 size_t at)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const hpt_word *words = (const hpt_word *)&clk->records[hpt_seqlatch_slot(seen)];
	uint64_t tick = read(&clk->src), start = hpt_word_load(&words[WORD_START]);
	uint64_t frac = hpt_word_load(&words[line + TO_SLOPE_FRAC]);
	int64_t ns = hpt_line_ns((uint32_t)tick, hpt_word_load(&words[line]), frac, hpt_word_load(&words[at]),
				 hpt_word_load(&words[line + TO_AT_FRAC]));

	if (likely(tick - start < hpt_word_load(&words[WORD_LINE_SPAN]) && hpt_seqlatch_same(&clk->latch, seen)))
		return ns;
	return slowly(clk, at);
}

static ALIGNED int64_t now_ns(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read, LINE_NS, WORD_AT_NS);
}

static ALIGNED int64_t now_ns_unordered(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read_unordered, LINE_NS, WORD_AT_NS);
}

static ALIGNED int64_t now_on_line(struct hpt_clock *clk, size_t line, size_t at)
{
	return now_by_read(clk, clk->src.read, line, at);
}

/* The kernel's clock whose line that is. */
static clockid_t clock_of(size_t at)
{
	switch (at) {
	case HPT_READ_UNIX:
		return CLOCK_REALTIME;
	case HPT_READ_MONOTONIC:
		return CLOCK_MONOTONIC;
	case HPT_READ_BOOTTIME:
		return CLOCK_BOOTTIME;
	case HPT_READ_TAI:
		return CLOCK_TAI;
	default:
		return CLOCK_MONOTONIC_RAW;
	}
}

/* The OS clock needs no record: its tick is the ns of CLOCK_MONOTONIC, and the kernel returns the other clocks. */
static int64_t os_now_ns(struct hpt_clock *clk)
{
	return (int64_t)clk->src.read(&clk->src);
}

static int64_t os_now_os_ns(struct hpt_clock *clk, size_t line, size_t at)
{
	int saved = errno;
	int64_t ns = at == HPT_READ_MONOTONIC ? os_now_ns(clk) : hpt_sample_os_ns(&clk->src, clock_of(at));

	(void)line;
	errno = saved;
	return ns;
}

#if HPT_OWN_READS
#ifdef HPT_ARCH_X86
#define OWN_SPAN               WORD_FAST_SPAN
#define OWN_WHOLE(words, line) 0
#else
#define OWN_SPAN               WORD_LINE_SPAN
#define OWN_WHOLE(words, line) hpt_word_load(&(words)[line])
#endif

/*
 * The read of the own counter by one instruction on one line, one copy for each slot that the current record may be in.
 * - RDTSCP and LFENCE wait: each cycle in the chain of instructions before or after them adds 2 % to the read.
 * - In a known slot all loads run in parallel before that. Computing an index costs 16 %.
 * - After the read the low word is multiplied while the range is checked.
 * - On x86 fast_span implies that the slope's whole part is 0, as it is above 1 GHz. With that part registers would
 *   run out. Other counters are slower, and their processors have more registers.
 * - If the slot is no longer the current one, the slow path reads, and installs the copies for the current slot.
 */
static inline __attribute__((always_inline)) int64_t own_now(struct hpt_clock *clk, uint32_t slot,
							     enum hpt_own_order order, size_t line, size_t at)
{
	const hpt_word *words = (const hpt_word *)&clk->records[slot];
	uint32_t stamp = hpt_seqlatch_stamp(&clk->latch, slot), low;
	uint64_t start = hpt_word_load(&words[WORD_START]), span = hpt_word_load(&words[OWN_SPAN]);
	uint64_t whole = OWN_WHOLE(words, line), frac = hpt_word_load(&words[line + TO_SLOPE_FRAC]);
	uint64_t at_ns = hpt_word_load(&words[at]), at_frac = hpt_word_load(&words[line + TO_AT_FRAC]);

	if (likely(hpt_seqlatch_same(&clk->latch, stamp))) {
		if (likely(hpt_own_tick(order, &low) - start < span))
			return hpt_line_ns(low, whole, frac, at_ns, at_frac);
	}
	return slowly(clk, at);
}

struct own_reads {
	hpt_now_fn *ns, *bare_ns;
	hpt_now_os_fn *os_ns;
};

#define OWN_READ(name, order, slot)                                 \
	static ALIGNED int64_t name##_##slot(struct hpt_clock *clk) \
	{                                                           \
		return own_now(clk, slot, order, LINE_NS, WORD_AT_NS);   \
	}

#define OWN_OS_READ(name, order, slot)                                                      \
	static ALIGNED int64_t name##_##slot(struct hpt_clock *clk, size_t line, size_t at) \
	{                                                                                   \
		return own_now(clk, slot, order, line, at);                                 \
	}

#define FIRST_READS(slot)                       \
	OWN_READ(first_ns, HPT_OWN_FIRST, slot) \
	OWN_OS_READ(first_os_ns, HPT_OWN_FIRST, slot)
#define SECOND_READS(slot)                        \
	OWN_READ(second_ns, HPT_OWN_SECOND, slot) \
	OWN_OS_READ(second_os_ns, HPT_OWN_SECOND, slot)
#define BARE_READ(slot) OWN_READ(bare_ns, HPT_OWN_BARE, slot)

#define FOR_EACH_SLOT(of) of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7)

FOR_EACH_SLOT(FIRST_READS)
FOR_EACH_SLOT(BARE_READ)
#if HPT_OWN_READS > 1
FOR_EACH_SLOT(SECOND_READS)
#define SECOND(name, slot) second_##name##_##slot
#else
#define SECOND(name, slot) first_##name##_##slot
#endif

/* No table of functions: each pointer is a relocation, which costs every process time at load. */
#define CASE(slot)                                                                          \
	case slot:                                                                          \
		return (struct own_reads){                                                  \
			.ns = is_first ? first_ns_##slot : SECOND(ns, slot),                \
			.os_ns = is_first ? first_os_ns_##slot : SECOND(os_ns, slot),       \
			.bare_ns = bare_ns_##slot,                                          \
		};

static COLD struct own_reads reads_in_slot(uint32_t slot, bool is_first)
{
	switch (slot) {
	default:
	FOR_EACH_SLOT(CASE)
	}
}

/*
 * Makes the clock's reads the copies for this slot. Sources other than the own counter have one copy.
 *
 * A release, so that no thread assumes a slot before it sees that a record has been published in it. The readers' loads
 * are relaxed: the fence in hpt_seqlatch_same() comes after them.
 */
static COLD void install_reads(struct hpt_clock *clk, uint32_t slot)
{
	struct own_reads reads = reads_in_slot(slot, clk->src.order == HPT_OWN_FIRST);

	if (!hpt_source_is_own(&clk->src))
		return;
	atomic_store_explicit(&clk->now_ns, reads.ns, memory_order_release);
	atomic_store_explicit(&clk->now_os_ns, reads.os_ns, memory_order_release);
	atomic_store_explicit(&clk->now_ns_unordered, reads.bare_ns, memory_order_release);
}
#else
static void install_reads(struct hpt_clock *clk, uint32_t slot)
{
	(void)clk, (void)slot;
}
#endif

/* Not COLD, because gcc gives each caller of a COLD function a second part, which has its own entry in .eh_frame. */
static __attribute__((noinline)) int64_t slowly(struct hpt_clock *clk, size_t at)
{
	int saved = errno, tries = 0;
	struct hpt_record rec;
	uint32_t seen;
	int64_t ns;

	do {
		uint64_t tick;

		seen = hpt_seqlatch_begin(&clk->latch);
		tick = hpt_timekeeper_now(clk, &rec);
		ns = rec.read.line_span ? hpt_os_lines_ns(&rec, clock_of(at), tick) :
		     hpt_timekeeper_os_ns(clk, clock_of(at), &rec, tick);
		/* A time of the kernel's from before lines took over would be above a later one of theirs. */
	} while (!rec.read.line_span && !hpt_seqlatch_same(&clk->latch, seen) && ++tries < OS_TRIES);
	install_reads(clk, hpt_seqlatch_slot(seen));
	errno = saved;
	return ns;
}

COLD void hpt_read_set(struct hpt_clock *clk)
{
	bool is_exact = clk->src.rate.origin == HPT_ORIGIN_EXACT;

	atomic_init(&clk->now_ns, is_exact ? os_now_ns : now_ns);
	atomic_init(&clk->now_ns_unordered, is_exact ? os_now_ns : now_ns_unordered);
	atomic_init(&clk->now_os_ns, is_exact ? os_now_os_ns : now_on_line);
	install_reads(clk, 0);
}
