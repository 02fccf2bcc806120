// SPDX-License-Identifier: MIT
/*
 * A memory-mapped counter of a system on chip, through a UIO device or /dev/mem. All loads have 32 bits: most
 * peripherals answer no others, and a refused access is a bus error.
 */
#include "source/mmio.h"

#include <errno.h>

#include "hpt/hpt.h"
#include "hpt/mmio.h"

#include "arch/arch.h"
#include "math/units.h"
#include "arch/io.h"
#include "machine/uio.h"
#include "machine/virtual_clock.h"
#include "source/hi_lo_hi.h"
#include "source/mmio_text.h"

/* The board's crystal, and the digits of the description. */
#define MMIO_RATE_ERROR_PPB 500000

/* A counter that a preemption let wrap seems to count in the other direction: it must seem so this many times. */
#define DIRECTION_TRIES 3

static const volatile uint32_t *registers(const struct hpt_source *src)
{
	return src->u.mmio.registers;
}

/* The base that reads renew. A source is never a constant object. */
static struct hpt_narrow *narrow_of(const struct hpt_source *src)
{
	return &((struct hpt_source *)(uintptr_t)src)->u.mmio.narrow;
}

/* ---- Reads ----------------------------------------------------------------------------------------------- */

static uint64_t bare_up(const struct hpt_source *src)
{
	return hpt_hi_lo_hi(registers(src));
}

static uint64_t bare_down(const struct hpt_source *src)
{
	return ~hpt_hi_lo_hi(registers(src));
}

/* Again if the thread was preempted for long between the two clocks: the value may then be of a later wrap. */
static uint64_t bare_by_clock(const struct hpt_source *src)
{
	struct hpt_narrow *n = narrow_of(src);
	uint64_t base, value;
	int64_t before_ns;

	do {
		before_ns = src->env->clock_ns(CLOCK_MONOTONIC_COARSE);
		base = atomic_load_explicit(&n->base, memory_order_relaxed);
		value = hpt_narrow_value(n, *registers(src));
	} while (unlikely(src->env->clock_ns(CLOCK_MONOTONIC_COARSE) - before_ns > n->window_ns));
	return hpt_narrow_by_clock(n, base, before_ns, value);
}

/* Again if another thread renewed the base in between: this thread may have been preempted for long. */
static uint64_t bare_by_promise(const struct hpt_source *src)
{
	struct hpt_narrow *n = narrow_of(src);
	uint64_t base, value;

	do {
		base = atomic_load_explicit(&n->base, memory_order_relaxed);
		value = hpt_narrow_value(n, *registers(src));
	} while (unlikely(atomic_load_explicit(&n->base, memory_order_relaxed) != base));
	return hpt_narrow_by_promise(n, base, value);
}

/* The ordered form of each. */
#define ORDERED(name)                                            \
	static uint64_t ordered_##name(const struct hpt_source *src) \
	{                                                        \
		uint64_t tick;                                   \
								 \
		arch_io_fence();                                 \
		tick = bare_##name(src);                         \
		arch_io_fence();                                 \
		return tick;                                     \
	}

ORDERED(up)
ORDERED(down)
ORDERED(by_clock)
ORDERED(by_promise)

#define SET_READS(src, name) ((src)->read = ordered_##name, (src)->read_unordered = bare_##name)

/* ---- The mapping ------------------------------------------------------------------------------------------- */

static COLD uint32_t map_reason(int err, uint32_t stage)
{
	if (err == -HPT_ENOTDEVICE)
		return HPT_REASON_MMIO_NOT_DEVICE;
	if (stage == HPT_STAGE_MAP)
		return HPT_REASON_MMIO_REFUSED;
	return err == -EACCES || err == -EPERM ? HPT_REASON_MMIO_ACCESS : HPT_REASON_MMIO_NO_NODE;
}

/* Maps the device's bytes from start on; the counter's registers are the last of them. */
static COLD int map(struct hpt_source *src, const char *path, uint64_t start, uint64_t length, size_t bytes)
{
	const volatile void *page;
	int r;

	src->u.mmio.mapped = (size_t)length;
	r = src->env->map_registers(path, start, src->u.mmio.mapped, &page, &src->stage);
	if (r) {
		src->reason = map_reason(r, src->stage);
		return r == -HPT_ENOTDEVICE ? -ENODEV : r;
	}
	page = (const volatile char *)page + (src->u.mmio.mapped - bytes);
	src->u.mmio.registers = page;
	return 0;
}

static COLD int map_uio(struct hpt_source *src, const struct hpt_mmio *m, size_t bytes)
{
	struct hpt_uio uio;
	uint64_t end;

	if (hpt_uio_find(src->env, m->uio, &uio))
		return hpt_source_stop(src, HPT_STAGE_OPEN, HPT_REASON_MMIO_NO_UIO, -ENODEV);
	/* The kernel selects the map by the offset of the mapping, so that it begins at the first byte. */
	if (__builtin_add_overflow(uio.offset, m->offset + bytes, &end) || end > uio.size || end > PTRDIFF_MAX ||
	    end % 4)
		return hpt_source_stop(src, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND, -EINVAL);
	return map(src, uio.path, 0, end, bytes);
}

static COLD int map_counter(struct hpt_source *src, const struct hpt_mmio *m)
{
	size_t bytes = m->width == 64 ? 8 : 4;

	return m->address ? map(src, "/dev/mem", m->address + m->offset, bytes, bytes) : map_uio(src, m, bytes);
}

static COLD void mmio_close(struct hpt_source *src)
{
	size_t bytes = src->bits == 64 ? 8 : 4;

	src->env->unmap_registers((const volatile char *)src->u.mmio.registers + bytes - src->u.mmio.mapped,
				  src->u.mmio.mapped);
}

/* ---- Checks ------------------------------------------------------------------------------------------------ */

/* At an address that no device answers, and in a device without a clock, a load may end the process. */
static int try_words(struct hpt_source *src)
{
	int r = src->env->try_words(registers(src), src->bits == 64 ? 2 : 1);

	if (!r)
		return 0;
	return hpt_source_stop(src, HPT_STAGE_MAP, r == -EIO ? HPT_REASON_MMIO_BUS_ERROR : HPT_REASON_MMIO_UNPROVEN,
			       r);
}

/* Chooses the reads. A narrow counter needs a clock that costs no system call and notices each wrap in time. */
static COLD int set_reads(struct hpt_source *src, const struct hpt_mmio *m)
{
	bool is_down = m->flags & HPT_MMIO_DOWN;

	if (m->width == 64) {
		if (is_down)
			SET_READS(src, down);
		else
			SET_READS(src, up);
		return 0;
	}
	hpt_narrow_start(&src->u.mmio.narrow, m->width, m->frequency_hz, is_down);
	if (m->flags & HPT_MMIO_POLLED) {
		SET_READS(src, by_promise);
		return 0;
	}
	SET_READS(src, by_clock);
	if (src->u.mmio.narrow.window_ns < src->env->coarse_step_ns())
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_MMIO_TOO_FAST, -ENOTSUP);
	if (!hpt_clock_is_virtual(src->env, src->clock_ns, CLOCK_MONOTONIC_COARSE))
		return hpt_source_stop(src, HPT_STAGE_CAPS, HPT_REASON_MMIO_NO_COARSE, -ENOTSUP);
	return 0;
}

static COLD int check_mmio_counter(struct hpt_source *src)
{
	for (int tries = 0; tries < DIRECTION_TRIES; tries++) {
		uint64_t first = src->read(src);

		if (!hpt_source_is_counting(src))
			return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_MMIO_NOT_COUNTING, -EIO);
		if (src->read(src) - first <= INT64_MAX)
			return 0;
	}
	return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_MMIO_OTHER_WAY, -EIO);
}

static COLD int open_described(struct hpt_source *src, const struct hpt_mmio *m)
{
	int r;

	src->reason = hpt_mmio_validate(m);
	if (src->reason != HPT_REASON_NONE)
		return -EINVAL;
	src->bits = m->width;
	src->is_private = m->width < 64; /* extended ticks */
	src->rate = (struct hpt_rate){
		.num = NS_PER_S, .den = m->frequency_hz, .frequency_uhz = m->frequency_hz * 1000000,
		.error_ppb = MMIO_RATE_ERROR_PPB, .origin = HPT_ORIGIN_REGISTER,
	};
	r = map_counter(src, m);
	if (r)
		return r;
	r = try_words(src);
	if (!r)
		r = set_reads(src, m);
	if (!r)
		r = check_mmio_counter(src);
	if (r)
		mmio_close(src);
	return r;
}

static COLD int mmio_open(struct hpt_source *src, const struct hpt_env *env)
{
	const char *text = env->getenv("HPT_MMIO");
	struct hpt_mmio mmio;

	if (!text || !*text)
		return hpt_source_stop(src, HPT_STAGE_UNTRIED, HPT_REASON_MMIO_UNDESCRIBED, -EINVAL);
	src->reason = hpt_mmio_parse(text, &mmio);
	return src->reason == HPT_REASON_NONE ? open_described(src, &mmio) : -EINVAL;
}

COLD int hpt_mmio_open(struct hpt_source *src, const struct hpt_env *env, const struct hpt_mmio *mmio)
{
	int r;

	hpt_source_prepare(src, &hpt_source_mmio, env);
	r = open_described(src, mmio);
	if (!r)
		src->stage = HPT_STAGE_USABLE;
	return r;
}

const struct hpt_source_ops hpt_source_mmio = {
	.name = "mmio",
	.id = HPT_SOURCE_MMIO,
	.open = mmio_open,
	.close = mmio_close,
};
