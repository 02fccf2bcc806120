// SPDX-License-Identifier: MIT
/* Reads VMClock's marker as a file: lib/machine/vm_marker.h. */
#include "machine/vm_marker.h"

#include "arch/arch.h"
#include "machine/file_read.h"

/* struct vmclock_abi: little-endian magic at 0, sequence at 12 (odd during an update), marker at 16. */
#define VMCLOCK_MAGIC  0x4b4c4356u /* "VCLK" */
#define VMCLOCK_SEQ    12
#define VMCLOCK_MARKER 16
#define VMCLOCK_SIZE   24

static uint64_t little_endian(const unsigned char *bytes, uint32_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | bytes[n];
	return v;
}

COLD bool hpt_vm_marker(const struct hpt_env *env, uint64_t *ret)
{
	unsigned char page[VMCLOCK_SIZE];

	/* The driver's read() gives one consistent copy. */
	if (hpt_file_read(env, HPT_VMCLOCK_DEVICE, (char *)page, sizeof(page)) != sizeof(page))
		return false;
	if (little_endian(page, 4) != VMCLOCK_MAGIC || little_endian(page + VMCLOCK_SEQ, 4) & 1)
		return false;
	*ret = little_endian(page + VMCLOCK_MARKER, 8);
	return true;
}
