// SPDX-License-Identifier: MIT
/* Reads the clocksource's name from sysfs: lib/machine/clocksource.h. */
#include "machine/clocksource.h"

#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"

COLD enum hpt_kernel_source hpt_kernel_clocksource(const struct hpt_env *env, const char *own, char *ret_name,
						   size_t size)
{
	static const char rest[] = "/devices/system/clocksource/clocksource0/current_clocksource";
	char path[256], line[64];
	size_t root = strlen(env->sysfs_root), len;
	ssize_t n;

	ret_name[0] = '\0';
	if (root + sizeof(rest) > sizeof(path))
		return HPT_KERNEL_UNREADABLE;
	memcpy(path, env->sysfs_root, root);
	memcpy(path + root, rest, sizeof(rest));
	n = hpt_file_read(path, line, sizeof(line) - 1);
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
