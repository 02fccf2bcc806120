// SPDX-License-Identifier: MIT
/* Reads the device tree's timebase-frequency: lib/machine/counter_hz.h. */
#include "machine/counter_hz.h"

#include "arch/arch.h"
#include "machine/file_read.h"

#define TIMEBASE_PATH "/proc/device-tree/cpus/timebase-frequency"

/* A property of one or two big-endian cells of 32 bits. */
COLD uint64_t hpt_counter_hz(const struct hpt_env *env)
{
	unsigned char bytes[9];
	ssize_t n = hpt_file_read(env, TIMEBASE_PATH, (char *)bytes, sizeof(bytes));
	uint64_t hz = 0;

	if (n != 4 && n != 8)
		return env->counter_hz ? env->counter_hz() : 0;
	for (ssize_t i = 0; i < n; i++)
		hz = hz << 8 | bytes[i];
	return hz;
}
