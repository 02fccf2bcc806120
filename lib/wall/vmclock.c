// SPDX-License-Identifier: MIT
/* VMClock's page: its mapping, its marker, and the source VMCLOCK. See lib/wall/vmclock.h. */
#include "wall/vmclock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"
#include "wall/leap.h"

/*
 * struct vmclock_abi of Linux's include/uapi/linux/vmclock-abi.h. What its members mean, and that true time is within
 * its errors, is in UAPI.13 VMClock (the UAPI Group's specs/vmclock.md).
 */
#define PAGE_MAGIC   0x4b4c4356u /* "VCLK" */
#define PAGE_VERSION 1

#define PAGE_AT_MAGIC           0
#define PAGE_AT_SIZE            4
#define PAGE_AT_VERSION         8
#define PAGE_AT_COUNTER         10
#define PAGE_AT_TIME_TYPE       11
#define PAGE_AT_FLAGS           24
#define PAGE_AT_STATUS          34
#define PAGE_AT_TAI_OFFSET      36
#define PAGE_AT_LEAP            38
#define PAGE_AT_PERIOD_SHIFT    39
#define PAGE_AT_COUNTER_VALUE   40
#define PAGE_AT_PERIOD          48
#define PAGE_AT_PERIOD_MAXERROR 64
#define PAGE_AT_TIME_SEC        72
#define PAGE_AT_TIME_FRAC       80
#define PAGE_AT_TIME_MAXERROR   96
#define PAGE_AT_GENERATION      104

/* The driver takes a page whose size ends with the flags: VMCLOCK_MIN_SIZE in Linux's drivers/ptp/ptp_vmclock.c. */
#define LEAST_SIZE 32
#define TIME_SIZE  104 /* up to the time's maximal error */
#define PAGE_WORDS      (TIME_SIZE / 4)
#define GENERATION_SIZE 112

/* The driver maps a whole page only, which these bytes are part of. */
#define MAPPED GENERATION_SIZE

enum { COUNTER_NONE = 0xff };
enum { TYPE_UTC, TYPE_TAI, TYPE_MONOTONIC, TYPE_SMEARED };
enum { STATUS_SYNCHRONIZED = 2, STATUS_FREERUNNING };
enum { LEAP_NONE, LEAP_PRE_POS, LEAP_PRE_NEG, LEAP_POS, LEAP_POST_POS, LEAP_POST_NEG };

#define FLAG_TAI_OFFSET      UINT64_C(1)
#define FLAG_PERIOD_MAXERROR (UINT64_C(1) << 4)
#define FLAG_TIME_MAXERROR   (UINT64_C(1) << 6)
#define FLAG_GENERATION      (1u << 8) /* 7 in UAPI.13, whose table leaves out Linux's 7 */
#define FLAG_NOTIFICATION    (1u << 9)
#define FLAGS_OF_BOUND       (FLAG_PERIOD_MAXERROR | FLAG_TIME_MAXERROR)

/*
 * An update takes a hypervisor less than a microsecond, this many looks take tens. If it is interrupted meanwhile, the
 * next hpt_wall_update() asks again.
 */
#ifndef HPT_VMCLOCK_LOOKS /* tests/model has fewer */
#define HPT_VMCLOCK_LOOKS 1000
#endif

/* Values beyond these are nonsense. A counter slower than 1 kHz; an error of 10 years. */
#define MOST_PERIOD_NS 1000000u
#define MOST_ERROR_NS  UINT64_C(315360000000000000)
#define MOST_SHIFT     63
#define MOST_SEC       ((uint64_t)(HPT_WALL_MOST_NS / NS_PER_S))

/* ---- The page ------------------------------------------------------------------------------------------------ */

static bool is_vmclock(const volatile void *page)
{
	return hpt_vmclock_word(page, PAGE_AT_MAGIC) == PAGE_MAGIC &&
	       hpt_vmclock_word(page, PAGE_AT_SIZE) >= LEAST_SIZE &&
	       (hpt_vmclock_word(page, PAGE_AT_VERSION) & 0xffff) == PAGE_VERSION;
}

COLD const char *hpt_vmclock_path(const struct hpt_wall_ask *ask)
{
	return ask->config->vmclock_path[0] ? ask->config->vmclock_path : HPT_VMCLOCK_DEVICE;
}

/* try_words(): a load from another device's registers could raise SIGBUS. */
COLD uint32_t hpt_vmclock_map(struct hpt_wall_ask *ask, const volatile void **ret)
{
	const struct hpt_env *env = ask->clk->src.env;
	const volatile void *page;
	uint32_t stage;
	int r = env->map_registers(hpt_vmclock_path(ask), 0, MAPPED, &page, &stage);

	if (r)
		return hpt_wall_ask_failed(ask, r);
	r = env->try_words(page, MAPPED / 4);
	if (r || !is_vmclock(page)) {
		env->unmap_registers(page, MAPPED);
		return r ? hpt_wall_ask_failed(ask, r) : HPT_WALL_REASON_FORMAT;
	}
	*ret = page;
	return HPT_WALL_REASON_NONE;
}

COLD void hpt_vmclock_unmap(const struct hpt_env *env, const volatile void *page)
{
	env->unmap_registers(page, MAPPED);
}

/* Begins a look. False: the page is being updated. */
static bool begin_page_read(const volatile void *page, uint32_t *ret_seq)
{
	*ret_seq = hpt_vmclock_word(page, HPT_VMCLOCK_SEQ);
	atomic_thread_fence(memory_order_acquire);
	return !(*ret_seq & 1);
}

/* Ends it. True if all that was read since is of one update. A counter that was read is so too. */
static bool is_same(const volatile void *page, uint32_t seq)
{
	arch_fence_loads();
	return hpt_vmclock_word(page, HPT_VMCLOCK_SEQ) == seq;
}

static uint64_t long_of(const volatile void *page, size_t offset)
{
	uint32_t lo = hpt_vmclock_word(page, offset), hi = hpt_vmclock_word(page, offset + 4);

	return (uint64_t)hi << 32 | lo;
}

static struct hpt_wall_marks load_marks(const volatile void *page, uint32_t seq)
{
	struct hpt_wall_marks m = { .marker = long_of(page, HPT_VMCLOCK_MARKER), .seq = seq };

	m.has_generation = hpt_vmclock_word(page, PAGE_AT_SIZE) >= GENERATION_SIZE &&
			   (hpt_vmclock_word(page, PAGE_AT_FLAGS) & FLAG_GENERATION);
	if (m.has_generation)
		m.generation = long_of(page, PAGE_AT_GENERATION);
	return m;
}

COLD bool hpt_vmclock_read_marks(const volatile void *page, struct hpt_wall_marks *ret)
{
	for (int looks = 0; looks < HPT_VMCLOCK_LOOKS; looks++) {
		uint32_t seq;

		if (begin_page_read(page, &seq)) {
			struct hpt_wall_marks m = load_marks(page, seq);

			if (is_same(page, seq)) {
				*ret = m;
				return true;
			}
		}
		arch_relax();
	}
	return false;
}

/*
 * vmclock_miscdev_poll() of Linux's ptp_vmclock.c, from 2026 on: the device is readable from its opening on, until a
 * read, and then from the next change on. Without that flag it says POLLHUP. A read moves on in the file, so a device
 * is read once.
 */
COLD int hpt_vmclock_open_notifier(const struct hpt_wall_ask *ask, const volatile void *page)
{
	unsigned char bytes[MAPPED];
	int fd;

	if (!(hpt_vmclock_word(page, PAGE_AT_FLAGS) & FLAG_NOTIFICATION))
		return -1;
	fd = ask->clk->src.env->open(hpt_vmclock_path(ask));
	/* By system call: read(2) is a cancellation point. */
	if (fd >= 0)
		syscall(SYS_read, fd, bytes, sizeof(bytes));
	return fd;
}

/* A copy of the page, and a tick at which it held. */
struct copy {
	uint32_t words[PAGE_WORDS];
	uint64_t tick;
};

static bool copy_page(const volatile void *page, const struct hpt_source *src, struct copy *ret)
{
	for (int looks = 0; looks < HPT_VMCLOCK_LOOKS; looks++) {
		uint32_t seq;

		if (begin_page_read(page, &seq)) {
			for (size_t i = 0; i < PAGE_WORDS; i++)
				ret->words[i] = hpt_vmclock_word(page, i * 4);
			ret->tick = src->read(src);
			if (is_same(page, seq))
				return true;
		}
		arch_relax();
	}
	return false;
}

static uint32_t byte_at(const struct copy *c, size_t at)
{
	return c->words[at / 4] >> at % 4 * 8 & 0xff;
}

static uint64_t long_at(const struct copy *c, size_t at)
{
	return (uint64_t)c->words[at / 4 + 1] << 32 | c->words[at / 4];
}

static int32_t tai_offset_s(const struct copy *c)
{
	return (int16_t)(c->words[PAGE_AT_TAI_OFFSET / 4] & 0xffff);
}

static bool has_flags(const struct copy *c, uint64_t flags)
{
	return (long_at(c, PAGE_AT_FLAGS) & flags) == flags;
}

/* ---- What it states ------------------------------------------------------------------------------------------ */

static bool is_own_counter(const struct copy *c, const struct hpt_clock *clk)
{
#ifdef ARCH_VMCLOCK_COUNTER
	return clk->src.ops->id == HPT_SOURCE_OWN && byte_at(c, PAGE_AT_COUNTER) == ARCH_VMCLOCK_COUNTER;
#else
	(void)c, (void)clk;
	return false;
#endif
}

/*
 * Of MONOTONIC's epoch nothing is known, and of a time that may be smeared not what it is. The hint of how the guest
 * may smear its own time says nothing of the page's.
 */
static bool has_timescale(const struct copy *c)
{
	uint32_t type = byte_at(c, PAGE_AT_TIME_TYPE);

	return type == TYPE_UTC || type == TYPE_SMEARED || (type == TYPE_TAI && has_flags(c, FLAG_TAI_OFFSET));
}

static bool is_absurd(const struct copy *c)
{
	uint64_t period = long_at(c, PAGE_AT_PERIOD), error = long_at(c, PAGE_AT_PERIOD_MAXERROR);

	return byte_at(c, PAGE_AT_PERIOD_SHIFT) > MOST_SHIFT || error >= period || period + error < period ||
	       long_at(c, PAGE_AT_TIME_SEC) >= MOST_SEC || long_at(c, PAGE_AT_TIME_MAXERROR) > MOST_ERROR_NS ||
	       byte_at(c, PAGE_AT_LEAP) > LEAP_POST_NEG || (int64_t)(c->tick - long_at(c, PAGE_AT_COUNTER_VALUE)) < 0 ||
	       (has_flags(c, FLAG_TAI_OFFSET) && !hpt_leap_is_tai_offset(tai_offset_s(c)));
}

/*
 * Why the page states no bound; NONE: it does. A hypervisor that states disruptions alone fills in nothing else, its
 * status is then unknown. UNKNOWN, INITIALIZING and UNRELIABLE mean that the values are not valid.
 */
static uint32_t page_refusal(const struct copy *c, const struct hpt_clock *clk)
{
	uint32_t status = byte_at(c, PAGE_AT_STATUS);

	if (c->words[PAGE_AT_SIZE / 4] < TIME_SIZE || !has_flags(c, FLAGS_OF_BOUND) ||
	    byte_at(c, PAGE_AT_COUNTER) == COUNTER_NONE)
		return HPT_WALL_REASON_NO_BOUND;
	if (!is_own_counter(c, clk))
		return HPT_WALL_REASON_OTHER_COUNTER;
	if (status != STATUS_SYNCHRONIZED && status != STATUS_FREERUNNING)
		return HPT_WALL_REASON_UNSYNCED;
	if (!has_timescale(c))
		return HPT_WALL_REASON_NO_TIMESCALE;
	if (is_absurd(c))
		return HPT_WALL_REASON_ABSURD;
	return byte_at(c, PAGE_AT_LEAP) == LEAP_POS ? HPT_WALL_REASON_LEAP : HPT_WALL_REASON_NONE;
}

/* ---- Its line ------------------------------------------------------------------------------------------------ */

/* Nanoseconds, of a period in units of 2^-(64 + shift) s. */
static struct hpt_scale period_ns(uint64_t period, uint32_t shift, bool rounds_up)
{
	uint64_t hi, lo = hpt_mul_wide(period, (uint64_t)NS_PER_S, &hi);
	uint64_t rest = lo & ((UINT64_C(1) << shift) - 1);
	struct hpt_scale s = { .whole = hi >> shift, .frac = shift ? hi << (64 - shift) | lo >> shift : lo };

	if (rounds_up && rest && !++s.frac)
		s.whole++;
	return s;
}

static struct hpt_band band_of(const struct copy *c)
{
	uint64_t period = long_at(c, PAGE_AT_PERIOD), error = long_at(c, PAGE_AT_PERIOD_MAXERROR);
	uint32_t shift = byte_at(c, PAGE_AT_PERIOD_SHIFT);

	return (struct hpt_band){ .lo = period_ns(period - error, shift, false),
				  .hi = period_ns(period + error, shift, true) };
}

static bool is_possible_band(const struct hpt_band *band)
{
	return (band->lo.whole || band->lo.frac) && band->hi.whole < MOST_PERIOD_NS;
}

/* UTC, as Unix time, when the counter was at the page's value. */
static struct hpt_fixed reference(const struct copy *c)
{
	uint64_t sec = long_at(c, PAGE_AT_TIME_SEC), ns;
	struct hpt_fixed f = { .frac = hpt_mul_wide(long_at(c, PAGE_AT_TIME_FRAC), (uint64_t)NS_PER_S, &ns) };

	if (byte_at(c, PAGE_AT_TIME_TYPE) == TYPE_TAI)
		sec -= (uint64_t)tai_offset_s(c);
	f.ns = sec * (uint64_t)NS_PER_S + ns;
	return f;
}

static int64_t max_age_ns(const struct hpt_wall_ask *ask)
{
	return ask->config->max_age_ns ? ask->config->max_age_ns : HPT_WALL_MAX_AGE_NS;
}

/* From the line's own moment to the tick. False: the page has not been updated for too long. */
static bool is_fresh(const struct hpt_wall_ask *ask, uint64_t ticks, const struct hpt_band *band)
{
	int64_t age_ns;

	return !hpt_wide_narrow(hpt_scale_wide((struct hpt_wide){ .lo = ticks }, band->hi), &age_ns) &&
	       age_ns <= max_age_ns(ask);
}

/* Rounded outward. Sums beyond int64 are negative, which is not plausible: both are below 2^63. */
static void set_interval(const struct copy *c, struct hpt_fixed at, uint64_t ticks, struct hpt_wall_reading *ret)
{
	struct hpt_fixed lo = hpt_fixed_add(at, hpt_slope_times(ticks, ret->rate.lo));
	struct hpt_fixed hi = hpt_fixed_add(at, hpt_slope_times(ticks, ret->rate.hi));
	int64_t error_ns = (int64_t)long_at(c, PAGE_AT_TIME_MAXERROR);

	ret->sample.before = ret->sample.after = (hpt_time_t)c->tick;
	ret->sample.earliest_ns = hpt_sum((int64_t)lo.ns, -error_ns);
	ret->sample.latest_ns = hpt_sum((int64_t)(hi.ns + (hi.frac != 0)), error_ns);
}

/* ---- Leap seconds -------------------------------------------------------------------------------------------- */

/*
 * The indicator is valid for the line's own moment, and the line knows no leap second after that. False: the tick may
 * be beyond, or near, the leap second that it announces.
 */
static bool set_leap(const struct copy *c, struct hpt_fixed at, struct hpt_wall_reading *ret)
{
	uint32_t leap = byte_at(c, PAGE_AT_LEAP);

	ret->leap = HPT_WALL_LEAP_ABSENT;
	ret->leap_at_ns = 0;
	if (leap != LEAP_PRE_POS && leap != LEAP_PRE_NEG)
		return true;
	ret->leap = leap == LEAP_PRE_POS ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT;
	ret->leap_at_ns = hpt_leap_month_ns((int64_t)at.ns, 1);
	return ret->sample.latest_ns < ret->leap_at_ns - HPT_LEAP_NEAR_NS;
}

/* ---- The source ---------------------------------------------------------------------------------------------- */

static uint32_t state(const struct hpt_wall_ask *ask, const struct copy *c, struct hpt_wall_reading *ret)
{
	struct hpt_fixed at = reference(c);
	uint64_t ticks = c->tick - long_at(c, PAGE_AT_COUNTER_VALUE);

	ret->rate = band_of(c);
	if (!is_possible_band(&ret->rate))
		return HPT_WALL_REASON_ABSURD;
	if (!is_fresh(ask, ticks, &ret->rate))
		return HPT_WALL_REASON_OLD;
	set_interval(c, at, ticks, ret);
	if (!hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))
		return HPT_WALL_REASON_ABSURD;
	if (!set_leap(c, at, ret))
		return HPT_WALL_REASON_LEAP;
	ret->has_rate = true;
	ret->sample.flags = byte_at(c, PAGE_AT_TIME_TYPE) == TYPE_SMEARED ? HPT_WALL_FLAG_SMEARED : 0;
	ret->tai_offset_s = has_flags(c, FLAG_TAI_OFFSET) ? tai_offset_s(c) : 0;
	ret->is_holdover = byte_at(c, PAGE_AT_STATUS) == STATUS_FREERUNNING;
	return HPT_WALL_REASON_NONE;
}

static COLD uint32_t vmclock_ask(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	struct copy c;
	uint32_t reason;

	if (!ask->vmclock)
		return HPT_WALL_REASON_ABSENT;
	if (!copy_page(ask->vmclock, &ask->clk->src, &c))
		return HPT_WALL_REASON_TORN;
	reason = page_refusal(&c, ask->clk);
	return reason ? reason : state(ask, &c, ret);
}

const struct hpt_wall_source_ops hpt_wall_vmclock = {
	.id = HPT_WALL_SOURCE_VMCLOCK, .ask = vmclock_ask, .path = hpt_vmclock_path,
};
