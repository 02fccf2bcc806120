// SPDX-License-Identifier: MIT
/*
 * The High Precision Event Timer, mapped from /dev/hpet. Registers: IA-PC HPET Specification 1.0a, section 2.3.
 *
 * The device is scarce: if the kernel uses two of three comparators, only one process at a time can hold it, until it
 * unmaps it. So it is opened only on request, and once per process: clocks share the mapping, with a count of them.
 */
#include "arch/arch.h"
#include "machine/time_calls.h"

#ifdef HPT_ARCH_X86

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "hpt/hpt.h"

#include "source/hi_lo_hi.h"
#include "source/hpet.h"

/* Byte offsets. */
#define REG_CAPS    0x00 /* low half of General Capabilities and ID */
#define REG_PERIOD  0x04 /* high half: femtoseconds a tick */
#define REG_CONFIG  0x10
#define REG_COUNTER 0xf0

#define CAPS_VENDOR_SHIFT 16
#define CAPS_64BIT        (UINT32_C(1) << 13)
#define CONFIG_ENABLE     (UINT32_C(1) << 0)

/* At most 100 ns by the specification, at least 0.1 ns by the kernel (arch/x86/kernel/hpet.c, HPET_MIN_PERIOD). */
#define PERIOD_MIN_FS 100000
#define PERIOD_MAX_FS 100000000

/* The specification allows 500 ppm over intervals of a millisecond and more (section 2.2). */
#define HPET_RATE_ERROR_PPB 500000

/* A 64-bit load that the bus splits can be torn only at a carry of the low word; 2^16 ticks are at least 0.6 ms. */
#define CARRY_MARGIN 0x10000u

/* Single loads checked against hi/lo/hi reads before they are used: 35 register reads, 35 us at 1 us each. */
#define PROOF_LOADS 8

static uint32_t load32(const struct hpt_source *src, uint32_t offset)
{
	return ((const volatile uint32_t *)src->u.hpet.page)[offset / 4];
}

/* The reference read, and the only one on 32-bit builds. */
static uint64_t read_hi_lo_hi(const struct hpt_source *src)
{
	return hpt_hi_lo_hi((const volatile uint32_t *)src->u.hpet.page + REG_COUNTER / 4);
}

#ifdef __x86_64__
static uint64_t load64(const struct hpt_source *src)
{
	return ((const volatile uint64_t *)src->u.hpet.page)[REG_COUNTER / 8];
}

static uint64_t read_single(const struct hpt_source *src)
{
	uint64_t v = load64(src);

	if (likely((uint32_t)v - CARRY_MARGIN < UINT32_MAX - 2 * CARRY_MARGIN))
		return v;
	return read_hi_lo_hi(src);
}

/* True if each 64-bit load lies between two hi/lo/hi reads: it is then usable, whether the bridge splits it or not. */
static bool single_load_works(const struct hpt_source *src)
{
	uint64_t before = read_hi_lo_hi(src);

	for (int i = 0; i < PROOF_LOADS; i++) {
		uint64_t v = load64(src), after = read_hi_lo_hi(src);

		if (v < before || v > after)
			return false;
		before = after;
	}
	return true;
}
#endif

static void choose_read(struct hpt_source *src)
{
	src->read = read_hi_lo_hi;
#ifdef __x86_64__
	if (single_load_works(src))
		src->read = read_single;
#endif
	src->read_unordered = src->read;
}

static uint32_t open_reason(int err, uint32_t stage)
{
	switch (-err) {
	case EACCES:
	case EPERM:  return stage == HPT_STAGE_MAP ? HPT_REASON_HPET_MMAP_DENIED : HPT_REASON_HPET_ACCESS;
	case EFAULT: return HPT_REASON_HPET_FAULT;
	case ENOENT:
	case ENOTDIR: return HPT_REASON_HPET_NOENT;
	case EMFILE:
	case ENFILE: return HPT_REASON_HPET_MFILE;
	case EAGAIN: return HPT_REASON_HPET_AGAIN;
	case EBUSY:  return HPT_REASON_HPET_BUSY;
	case EBADF:  return HPT_REASON_HPET_BADF;
	case ENODEV:
	case ENXIO:  return HPT_REASON_HPET_NODEV;
	case ENOMEM: return HPT_REASON_HPET_NOMEM;
	case ENOSYS: return stage == HPT_STAGE_MAP ? HPT_REASON_HPET_NO_MMAP : HPT_REASON_HPET_UNKNOWN;
	case ELOOP:
	case HPT_ENOTDEVICE: return HPT_REASON_HPET_NOT_DEVICE;
	default:     return HPT_REASON_HPET_UNKNOWN;
	}
}

/* ---- One mapping per process: its address in the page bits, the number of holders in the low bits ---- */

static _Atomic uintptr_t mapping;

#define HOLDERS    ((uintptr_t)HPT_HPET_PAGE - 1)
#define BEING_MADE ((uintptr_t)1) /* no address yet: a thread is opening the device */
#define WAIT_STEPS 10000          /* wait 1 s or somewhat longer for that thread; then -EBUSY */
#define WAIT_NS    100000

static void wait_a_little(void)
{
	int saved = errno;

	hpt_nap_ns(WAIT_NS);
	errno = saved;
}

/* True: *ret is the existing mapping, or 0 if it cannot be shared. False: the caller has to make the mapping. */
static bool share_mapping(uintptr_t *ret)
{
	uintptr_t m = atomic_load(&mapping);
	int steps = 0;

	for (;;) {
		if (m == BEING_MADE && steps++ < WAIT_STEPS) {
			wait_a_little();
			m = atomic_load(&mapping);
		} else if (m == BEING_MADE || (m & HOLDERS) == HOLDERS) {
			*ret = 0; /* the thread that makes it was lost in a fork, or 4095 clocks hold it */
			return true;
		} else if (atomic_compare_exchange_weak(&mapping, &m, m ? m + 1 : BEING_MADE)) {
			*ret = m;
			return m != 0;
		}
	}
}

static int acquire_page(struct hpt_source *src, const struct hpt_env *env)
{
	const volatile void *page = NULL;
	uintptr_t shared;
	int r;

	src->stage = HPT_STAGE_OPEN;
	if (share_mapping(&shared)) {
		src->u.hpet.page = (const volatile void *)(shared & ~HOLDERS);
		return shared ? 0 : -EBUSY;
	}
	r = env->map_hpet("/dev/hpet", &page, &src->stage);
	atomic_store(&mapping, r ? 0 : (uintptr_t)page | 1);
	src->u.hpet.page = page;
	return r;
}

static COLD void hpet_close(struct hpt_source *src)
{
	uintptr_t m = atomic_load(&mapping);

	while (!atomic_compare_exchange_weak(&mapping, &m, (m & HOLDERS) == 1 ? BEING_MADE : m - 1))
		;
	if ((m & HOLDERS) == 1) {
		/* Unmapped before another thread may open the device again, which would still be busy. */
		src->env->unmap_hpet((const volatile void *)(m & ~HOLDERS));
		atomic_store(&mapping, 0);
	}
}

/* ---- Checks of the device ------------------------------------------------------------------------ */

static int check_registers(struct hpt_source *src)
{
	uint32_t caps = load32(src, REG_CAPS), period = load32(src, REG_PERIOD);

	if (caps == UINT32_MAX && period == UINT32_MAX)
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_HPET_GONE, -EIO);
	if (period < PERIOD_MIN_FS || period > PERIOD_MAX_FS)
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_HPET_PERIOD, -ENOTSUP);
	if (!(caps & CAPS_64BIT))
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_HPET_32BIT, -ENOTSUP);
	if (!(load32(src, REG_CONFIG) & CONFIG_ENABLE))
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_HPET_DISABLED, -ENOTSUP);
	src->u.hpet.vendor_id = caps >> CAPS_VENDOR_SHIFT;
	src->u.hpet.period_fs = period;
	return 0;
}

/* 10^21 / period_fs, in two steps that fit 64 bits. */
static uint64_t frequency_uhz(uint64_t period_fs)
{
	const uint64_t fs_per_s = UINT64_C(1000000000000000);

	return fs_per_s / period_fs * 1000000 + fs_per_s % period_fs * 1000000 / period_fs;
}

static int check_counter(struct hpt_source *src)
{
	src->read = read_hi_lo_hi;
	if (!hpt_source_is_counting(src))
		return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_HPET_NOT_COUNTING, -EIO);
	choose_read(src);
	src->bits = 64;
	src->rate = (struct hpt_rate){
		.num = src->u.hpet.period_fs, .den = 1000000, .frequency_uhz = frequency_uhz(src->u.hpet.period_fs),
		.error_ppb = HPET_RATE_ERROR_PPB, .origin = HPT_ORIGIN_REGISTER,
	};
	return 0;
}

static COLD int hpet_open(struct hpt_source *src, const struct hpt_env *env)
{
	int r = acquire_page(src, env);

	if (r) {
		src->reason = open_reason(r, src->stage);
		return r == -HPT_ENOTDEVICE ? -ENODEV : r;
	}
	r = check_registers(src);
	if (!r)
		r = check_counter(src);
	if (r)
		hpet_close(src);
	return r;
}

static COLD void hpet_describe(const struct hpt_source *src, uint64_t other_ps, struct hpt_clock_info *ret)
{
	(void)other_ps;
	ret->hpet_period_fs = src->u.hpet.period_fs;
	ret->hpet_vendor_id = src->u.hpet.vendor_id;
}

const struct hpt_source_ops hpt_source_hpet = {
	.name = "hpet",
	.id = HPT_SOURCE_HPET,
	.open = hpet_open,
	.close = hpet_close,
	.describe = hpet_describe,
};

#endif
