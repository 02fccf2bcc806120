// SPDX-License-Identifier: MIT
/* The parser of HPT_MMIO, and the limits of each field: lib/source/mmio_text.h. */
#include "source/mmio_text.h"

#include <stdbool.h>
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/mmio.h"

#include "arch/arch.h"

/* Below this the counter would take longer than a millisecond to prove that it counts. */
#define SLOWEST_HZ UINT64_C(1000)
#define FASTEST_HZ UINT64_C(10000000000)

/* A part of the text, not terminated. */
struct word {
	const char *at;
	size_t n;
};

static COLD bool is_word(struct word w, const char *text)
{
	return w.n == strlen(text) && !memcmp(w.at, text, w.n);
}

/* Takes the text up to the separator, and the separator. */
static COLD struct word take_word(struct word *rest, char separator)
{
	struct word w = { .at = rest->at };
	size_t taken;

	while (w.n < rest->n && w.at[w.n] != separator)
		w.n++;
	taken = w.n + (w.n < rest->n);
	rest->at += taken;
	rest->n -= taken;
	return w;
}

static COLD uint32_t digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (uint32_t)(c - 'a' + 10);
	return c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : UINT32_MAX;
}

/* A number of 64 bits, decimal or after 0x hexadecimal. */
static COLD bool take_number(struct word w, uint64_t *ret)
{
	uint32_t base = w.n > 2 && w.at[0] == '0' && (w.at[1] == 'x' || w.at[1] == 'X') ? 16 : 10;
	uint64_t value = 0;

	for (size_t i = base == 16 ? 2 : 0; i < w.n; i++) {
		uint32_t digit = digit_of(w.at[i]);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*ret = value;
	return w.n > 0;
}

static COLD uint32_t take_uio(struct word w, struct hpt_mmio *ret)
{
	if (!w.n || w.n >= sizeof(ret->uio))
		return HPT_REASON_MMIO_UIO;
	memcpy(ret->uio, w.at, w.n);
	return HPT_REASON_NONE;
}

/* Address 0 means "no address" in the struct, so it cannot be asked for. */
static COLD uint32_t take_devmem(struct word w, struct hpt_mmio *ret)
{
	return take_number(w, &ret->address) && ret->address ? HPT_REASON_NONE : HPT_REASON_MMIO_DEVMEM;
}

static COLD uint32_t take_offset(struct word w, struct hpt_mmio *ret)
{
	return take_number(w, &ret->offset) ? HPT_REASON_NONE : HPT_REASON_MMIO_OFFSET;
}

static COLD uint32_t take_width(struct word w, struct hpt_mmio *ret)
{
	uint64_t bits;

	if (!take_number(w, &bits) || bits > UINT32_MAX)
		return HPT_REASON_MMIO_WIDTH;
	ret->width = (uint32_t)bits;
	return HPT_REASON_NONE;
}

static COLD uint32_t take_direction(struct word w, struct hpt_mmio *ret)
{
	if (is_word(w, "down"))
		ret->flags |= HPT_MMIO_DOWN;
	else if (!is_word(w, "up"))
		return HPT_REASON_MMIO_DIRECTION;
	return HPT_REASON_NONE;
}

static COLD uint32_t take_frequency(struct word w, struct hpt_mmio *ret)
{
	return take_number(w, &ret->frequency_hz) ? HPT_REASON_NONE : HPT_REASON_MMIO_FREQUENCY;
}

/* No table of functions: each pointer is a relocation, which costs every process time at load. */
enum { UIO, DEVMEM, OFFSET, WIDTH, DIRECTION, FREQUENCY, POLLED, FIELDS };

static const char field_names[FIELDS][10] = {
	[UIO] = "uio", [DEVMEM] = "devmem", [OFFSET] = "offset", [WIDTH] = "width",
	[DIRECTION] = "direction", [FREQUENCY] = "frequency", [POLLED] = "polled",
};

static COLD uint32_t take_value(uint32_t field, struct word value, struct hpt_mmio *ret)
{
	switch (field) {
	case UIO:       return take_uio(value, ret);
	case DEVMEM:    return take_devmem(value, ret);
	case OFFSET:    return take_offset(value, ret);
	case WIDTH:     return take_width(value, ret);
	case DIRECTION: return take_direction(value, ret);
	case FREQUENCY: return take_frequency(value, ret);
	default:
		ret->flags |= HPT_MMIO_POLLED;
		return HPT_REASON_NONE;
	}
}

/* One field. *seen has a bit for each that was there before: a field may be there once. POLLED alone has no value. */
static COLD uint32_t take_field(struct word value, uint32_t *seen, struct hpt_mmio *ret)
{
	size_t n = value.n;
	struct word name = take_word(&value, '=');
	bool has_value = name.n < n;
	uint32_t field = 0;

	while (field < FIELDS && !is_word(name, field_names[field]))
		field++;
	if (field == FIELDS || (*seen >> field & 1) || has_value == (field == POLLED))
		return HPT_REASON_MMIO_FIELD;
	*seen |= 1u << field;
	return take_value(field, value, ret);
}

COLD uint32_t hpt_mmio_parse(const char *text, struct hpt_mmio *ret)
{
	struct word rest = { text, strlen(text) };
	struct hpt_mmio mmio = { 0 };
	uint32_t seen = 0, reason = HPT_REASON_NONE;

	while (rest.n && reason == HPT_REASON_NONE)
		reason = take_field(take_word(&rest, ','), &seen, &mmio);
	if (reason == HPT_REASON_NONE)
		reason = hpt_mmio_validate(&mmio);
	if (reason == HPT_REASON_NONE)
		*ret = mmio;
	return reason;
}

/* The counter's bytes must not wrap around the end of the address space. */
static COLD bool is_valid_offset(const struct hpt_mmio *m)
{
	uint64_t end;

	return !__builtin_add_overflow(m->address, m->offset, &end) && !(end % 4) && end <= INT64_MAX - 8;
}

COLD uint32_t hpt_mmio_validate(const struct hpt_mmio *m)
{
	struct word uio = { m->uio, sizeof(m->uio) };

	if (take_word(&uio, '\0').n == sizeof(m->uio))
		return HPT_REASON_MMIO_UIO;
	if (!m->uio[0] == !m->address)
		return HPT_REASON_MMIO_PLACE;
	if (m->address % 4)
		return HPT_REASON_MMIO_DEVMEM;
	if (!is_valid_offset(m))
		return HPT_REASON_MMIO_OFFSET;
	if (m->width != 16 && m->width != 32 && m->width != 64)
		return HPT_REASON_MMIO_WIDTH;
	if (m->frequency_hz < SLOWEST_HZ || m->frequency_hz > FASTEST_HZ)
		return HPT_REASON_MMIO_FREQUENCY;
	if (m->flags & ~(uint32_t)(HPT_MMIO_DOWN | HPT_MMIO_POLLED))
		return HPT_REASON_MMIO_FIELD;
	return HPT_REASON_NONE;
}
