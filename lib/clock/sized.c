// SPDX-License-Identifier: MIT
/* Returns and takes public structs that may grow, by the caller's size of them: lib/clock/sized.h. */
#include "clock/sized.h"

#include <string.h>

#include "arch/arch.h"

COLD void hpt_hand_out(void *ret, size_t size, void *info, uint32_t info_size)
{
	uint32_t filled = size < info_size ? (uint32_t)size : info_size;

	memcpy(info, &filled, sizeof(filled));
	memset(ret, 0, size);
	memcpy(ret, info, filled);
}

COLD bool hpt_can_take(const void *given, size_t size, size_t first, size_t known)
{
	const char *bytes = given;

	while (size > known)
		if (bytes[--size])
			return false;
	return size >= first;
}
