// SPDX-License-Identifier: MIT
/* The paths of hpt_now_ns(), hpt_now_ns_unordered() and hpt_now_unix_ns(): lib/clock/read.h. */
#include "clock/read.h"

#include <errno.h>
#include <stddef.h>

#include "arch/arch.h"
#include "source/own_read.h"
#include "clock/timekeeper.h"

#define WORD(member)   (offsetof(struct hpt_record, read.member) / sizeof(hpt_word))
#define WORD_START     WORD(start)
#define WORD_LINE_SPAN WORD(line_span)
#define WORD_FAST_SPAN WORD(fast_span)
#define LINE_NS        WORD(ns)
#define LINE_UNIX      WORD(unix_ns)

static int64_t raw_slowly(struct hpt_clock *clk);
static int64_t unix_slowly(struct hpt_clock *clk);

typedef uint64_t read_fn(const struct hpt_source *src);

static inline __attribute__((always_inline)) int64_t now_by_read(struct hpt_clock *clk, read_fn *read, size_t line,
								 hpt_now_fn *slowly)
{
	uint32_t seen = hpt_seqlatch_begin(&clk->latch);
	const hpt_word *words = (const hpt_word *)&clk->records[hpt_seqlatch_slot(seen)];
	uint64_t tick = read(&clk->src), start = hpt_word_load(&words[WORD_START]);
	int64_t ns = hpt_line_ns((uint32_t)tick, hpt_word_load(&words[line]), hpt_word_load(&words[line + 1]),
				 hpt_word_load(&words[line + 2]), hpt_word_load(&words[line + 3]));

	if (likely(tick - start < hpt_word_load(&words[WORD_LINE_SPAN]) && hpt_seqlatch_same(&clk->latch, seen)))
		return ns;
	return slowly(clk);
}

static ALIGNED int64_t now_ns(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read, LINE_NS, raw_slowly);
}

static ALIGNED int64_t now_ns_unordered(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read_unordered, LINE_NS, raw_slowly);
}

static ALIGNED int64_t now_unix_ns(struct hpt_clock *clk)
{
	return now_by_read(clk, clk->src.read, LINE_UNIX, unix_slowly);
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
							     enum hpt_own_order order, size_t line,
							     hpt_now_fn *slowly)
{
	const hpt_word *words = (const hpt_word *)&clk->records[slot];
	uint32_t stamp = hpt_seqlatch_stamp(&clk->latch, slot), low;
	uint64_t start = hpt_word_load(&words[WORD_START]), span = hpt_word_load(&words[OWN_SPAN]);
	uint64_t whole = OWN_WHOLE(words, line), frac = hpt_word_load(&words[line + 1]);
	uint64_t at_ns = hpt_word_load(&words[line + 2]), at_frac = hpt_word_load(&words[line + 3]);

	if (likely(hpt_seqlatch_same(&clk->latch, stamp))) {
		if (likely(hpt_own_tick(order, &low) - start < span))
			return hpt_line_ns(low, whole, frac, at_ns, at_frac);
	}
	return slowly(clk);
}

struct own_reads {
	hpt_now_fn *ns, *unix_ns, *bare_ns;
};

#define OWN_READ(name, order, slot, line, slowly)                   \
	static ALIGNED int64_t name##_##slot(struct hpt_clock *clk) \
	{                                                           \
		return own_now(clk, slot, order, line, slowly);     \
	}

#define FIRST_READS(slot)                                             \
	OWN_READ(first_ns, HPT_OWN_FIRST, slot, LINE_NS, raw_slowly)  \
	OWN_READ(first_unix_ns, HPT_OWN_FIRST, slot, LINE_UNIX, unix_slowly)
#define SECOND_READS(slot)                                            \
	OWN_READ(second_ns, HPT_OWN_SECOND, slot, LINE_NS, raw_slowly) \
	OWN_READ(second_unix_ns, HPT_OWN_SECOND, slot, LINE_UNIX, unix_slowly)
#define BARE_READ(slot) OWN_READ(bare_ns, HPT_OWN_BARE, slot, LINE_NS, raw_slowly)

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
			.unix_ns = is_first ? first_unix_ns_##slot : SECOND(unix_ns, slot), \
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
	atomic_store_explicit(&clk->now_unix_ns, reads.unix_ns, memory_order_release);
	atomic_store_explicit(&clk->now_ns_unordered, reads.bare_ns, memory_order_release);
}
#else
static void install_reads(struct hpt_clock *clk, uint32_t slot)
{
	(void)clk, (void)slot;
}
#endif

/* Not COLD, because gcc gives each caller of a COLD function a second part, which has its own entry in .eh_frame. */
static inline int64_t now_slowly(struct hpt_clock *clk, clockid_t id)
{
	struct hpt_record rec;
	uint64_t tick = hpt_timekeeper_now(clk, &rec);
	const struct hpt_line *line = id == CLOCK_REALTIME ? &rec.read.unix_ns : &rec.read.ns;
	int saved = errno;
	int64_t ns;

	install_reads(clk, hpt_seqlatch_slot(hpt_seqlatch_begin(&clk->latch)));
	if (rec.read.line_span)
		return (int64_t)hpt_line_at(line, rec.read.start, tick).ns;
	ns = hpt_timekeeper_os_ns(clk, id, &rec, tick);
	errno = saved;
	return ns;
}

static __attribute__((noinline)) int64_t raw_slowly(struct hpt_clock *clk)
{
	return now_slowly(clk, CLOCK_MONOTONIC_RAW);
}

static __attribute__((noinline)) int64_t unix_slowly(struct hpt_clock *clk)
{
	return now_slowly(clk, CLOCK_REALTIME);
}

COLD void hpt_read_set(struct hpt_clock *clk)
{
	bool is_exact = clk->src.rate.origin == HPT_ORIGIN_EXACT;

	atomic_init(&clk->now_ns, is_exact ? os_now_ns : now_ns);
	atomic_init(&clk->now_ns_unordered, is_exact ? os_now_ns : now_ns_unordered);
	atomic_init(&clk->now_unix_ns, is_exact ? os_now_unix_ns : now_unix_ns);
	install_reads(clk, 0);
}
