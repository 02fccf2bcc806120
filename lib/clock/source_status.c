// SPDX-License-Identifier: MIT
/* One seqlatch for each source, so that readers and writers never wait for each other: lib/clock/source_status.h. */
#include "clock/source_status.h"

#include "arch/arch.h"
#include "machine/process.h"

#define STATUS_WORDS (sizeof(struct hpt_source_status) / sizeof(uint64_t))

static struct {
	struct hpt_seqlatch latch;
	hpt_word slots[HPT_SEQLATCH_SLOTS][STATUS_WORDS];
} table[HPT_SOURCE_IDS];

_Static_assert(sizeof(struct hpt_source_status) % sizeof(uint64_t) == 0, "whole words");

static uint32_t get(const struct hpt_source_status *at_load, uint32_t source, struct hpt_source_status *ret)
{
	uint32_t seen = hpt_seqlatch_read(&table[source].latch, table[source].slots[0], STATUS_WORDS, (hpt_word *)ret);

	if (!seen) /* load writes nothing here: that would touch one more page in each process */
		*ret = at_load[source];
	return seen;
}

static void put_status(uint32_t source, const struct hpt_source_status *status, uint32_t seen)
{
	hpt_seqlatch_write(&table[source].latch, table[source].slots[0], STATUS_WORDS, (const hpt_word *)status, seen,
			   hpt_process_known());
}

COLD void hpt_source_status_set(const struct hpt_source_status *at_load, uint32_t source,
				const struct hpt_source_status *status)
{
	struct hpt_source_status new = *status, old;
	uint32_t seen = get(at_load, source, &old);

	if (!new.frequency_uhz)
		new.frequency_uhz = old.frequency_uhz;
	put_status(source, &new, seen);
}

COLD void hpt_source_status_set_frequency(const struct hpt_source_status *at_load, uint32_t source,
					  uint64_t frequency_uhz)
{
	struct hpt_source_status status;
	uint32_t seen = get(at_load, source, &status);

	status.frequency_uhz = frequency_uhz;
	put_status(source, &status, seen);
}

COLD void hpt_source_status_get(const struct hpt_source_status *at_load, uint32_t source, struct hpt_source_status *ret)
{
	get(at_load, source, ret);
}
