// SPDX-License-Identifier: MIT
/* Reads the clocksource's name from sysfs: lib/machine/clocksource.h. */
#include "machine/clocksource.h"

#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"

#define CLOCKSOURCE_PATH "/sys/devices/system/clocksource/clocksource0/current_clocksource"

COLD enum hpt_kernel_source hpt_kernel_clocksource(const struct hpt_env *env, const char *own, char *ret_name,
						   size_t size)
{
	char line[64];
	ssize_t n = hpt_file_read(env, CLOCKSOURCE_PATH, line, sizeof(line) - 1);
	size_t len;

	ret_name[0] = '\0';
	if (n <= 0)
		return HPT_KERNEL_UNREADABLE;
	line[n] = '\0';
	for (len = 0; line[len] && line[len] != ' ' && line[len] != '\n'; len++)
		;
	line[len] = '\0';
	if (!len)
		return HPT_KERNEL_UNREADABLE;
	if (len >= size)
		len = size - 1;
	memcpy(ret_name, line, len);
	ret_name[len] = '\0';
	return strcmp(line, own) ? HPT_KERNEL_OTHER : HPT_KERNEL_AGREES;
}
