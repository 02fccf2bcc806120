// SPDX-License-Identifier: MIT
/* HPT_MMIO: what is taken is within its limits and comes back as it went in; what is refused leaves no trace. */
#include <inttypes.h>

#include "hpt/hpt.h"
#include "hpt/mmio.h"

#include "fuzz.h"
#include "source/mmio_text.h"

static void check_limits(const struct hpt_mmio *m)
{
	size_t n = strnlen(m->uio, sizeof(m->uio));

	MUST(n < sizeof(m->uio) && !n != !m->address);
	MUST(m->width == 16 || m->width == 32 || m->width == 64);
	MUST(m->frequency_hz >= 1000 && m->frequency_hz <= UINT64_C(10000000000));
	MUST(!(m->address % 4) && !(m->offset % 4) && m->address <= INT64_MAX - 8 - m->offset);
	MUST(!(m->flags & ~(HPT_MMIO_DOWN | HPT_MMIO_POLLED)));
	MUST(hpt_mmio_validate(m) == HPT_REASON_NONE);
}

/* The same as text, with the fields in another order and numbers in another base. */
static void check_again(const struct hpt_mmio *m)
{
	struct hpt_mmio again;
	char text[256], place[80];

	if (m->address)
		snprintf(place, sizeof(place), "devmem=%" PRIu64, m->address);
	else
		snprintf(place, sizeof(place), "uio=%s", m->uio);
	snprintf(text, sizeof(text), "direction=%s,frequency=0x%" PRIx64 ",offset=%" PRIu64 ",%s%s,width=0x%x",
		 m->flags & HPT_MMIO_DOWN ? "down" : "up", m->frequency_hz, m->offset,
		 m->flags & HPT_MMIO_POLLED ? "polled," : "", place, (unsigned)m->width);
	MUST(hpt_mmio_parse(text, &again) == HPT_REASON_NONE);
	MUST(!memcmp(&again, m, sizeof(again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct hpt_mmio mmio, before;
	char text[512];
	uint32_t reason;

	fuzz_text(&in, text, sizeof(text));
	memset(&before, 0x5a, sizeof(before));
	mmio = before;
	reason = hpt_mmio_parse(text, &mmio);
	if (reason == HPT_REASON_NONE) {
		check_limits(&mmio);
		check_again(&mmio);
		return 0;
	}
	MUST(strncmp(hpt_reason_text(reason), "HPT_MMIO: ", 10) == 0);
	MUST(!memcmp(&mmio, &before, sizeof(before)));
	return 0;
}
