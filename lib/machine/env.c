// SPDX-License-Identifier: MIT
/* What an environment's files say: lib/machine/env.h. */
#include "machine/env.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"

COLD int hpt_path_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

COLD ssize_t hpt_file_read(const char *path, char *buf, size_t size)
{
	int fd = hpt_path_open(path);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, buf, size);
	close(fd);
	return n;
}

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

/* A property of one or two big-endian cells of 32 bits. */
COLD uint64_t hpt_counter_hz(const struct hpt_env *env)
{
	unsigned char bytes[9];
	ssize_t n = hpt_file_read(env->timebase_path, (char *)bytes, sizeof(bytes));
	uint64_t hz = 0;

	if (n != 4 && n != 8)
		return env->counter_hz ? env->counter_hz() : 0;
	for (ssize_t i = 0; i < n; i++)
		hz = hz << 8 | bytes[i];
	return hz;
}

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
	if (hpt_file_read(env->vmclock_path, (char *)page, sizeof(page)) != sizeof(page))
		return false;
	if (little_endian(page, 4) != VMCLOCK_MAGIC || little_endian(page + VMCLOCK_SEQ, 4) & 1)
		return false;
	*ret = little_endian(page + VMCLOCK_MARKER, 8);
	return true;
}

/* As the kernel prints it: 8-4-4-4-12 digits, lower case. */
COLD bool hpt_boot_id(const struct hpt_env *env, uint8_t ret[16])
{
	char text[36];
	bool is_good = hpt_file_read(env->boot_id_path, text, sizeof(text)) == sizeof(text);
	int n = 0;

	memset(ret, 0, 16);
	for (int i = 0; is_good && i < 36; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
		int digit = is_dash ? 0 : hpt_hex_digit(text[i]);

		is_good = is_dash ? text[i] == '-' : digit >= 0;
		if (is_good && !is_dash) {
			ret[n / 2] = (uint8_t)(ret[n / 2] << 4 | digit);
			n++;
		}
	}
	if (!is_good)
		memset(ret, 0, 16);
	return is_good;
}
