// SPDX-License-Identifier: MIT
/* Reads /sys/class/uio: lib/machine/uio.h. */
#include "machine/uio.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "math/hex.h"

/* Longer than any path here, and than a name that is looked for. */
#define PATH_SIZE 256u

/* Appends text to a path. False: it does not fit. */
static COLD bool append(char *path, size_t size, const char *text)
{
	size_t at = strlen(path), n = strlen(text);

	if (n >= size - at)
		return false;
	memcpy(path + at, text, n + 1);
	return true;
}

static COLD bool append_number(char *path, size_t size, uint32_t number)
{
	char digits[11], *at = digits + sizeof(digits) - 1;

	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	return append(path, size, at);
}

/* The path of a device in a folder: root, "/class/uio/uio" or "/uio", its number. */
static COLD bool device_path(char *ret, size_t size, const char *root, const char *folder, uint32_t number)
{
	ret[0] = '\0';
	return append(ret, size, root) && append(ret, size, folder) && append_number(ret, size, number);
}

/* The first line of an attribute of the device, without its end. False: unreadable, or longer than size. */
static COLD bool read_attribute(const struct hpt_env *env, uint32_t number, const char *attribute, char *ret,
				size_t size)
{
	char path[PATH_SIZE];
	ssize_t n;

	if (!device_path(path, sizeof(path), env->sysfs_root, "/class/uio/uio", number) ||
	    !append(path, sizeof(path), attribute))
		return false;
	n = hpt_file_read(path, ret, size);
	if (n < 0 || (size_t)n >= size)
		return false;
	ret[n] = '\0';
	while (*ret && *ret != '\n')
		ret++;
	*ret = '\0';
	return true;
}

/* A number as the kernel prints these: 0x and hexadecimal digits. */
static COLD bool read_number(const struct hpt_env *env, uint32_t number, const char *attribute, uint64_t *ret)
{
	char text[32];
	uint64_t value = 0;

	if (!read_attribute(env, number, attribute, text, sizeof(text)) || text[0] != '0' ||
	    text[1] != 'x' || !text[2])
		return false;
	for (const char *c = text + 2; *c; c++) {
		int digit = hpt_hex_digit(*c);

		if (digit < 0 || value >> 60)
			return false;
		value = value << 4 | (uint64_t)digit;
	}
	*ret = value;
	return true;
}

static COLD bool has_name(const struct hpt_env *env, uint32_t number, const char *name)
{
	char text[PATH_SIZE];

	return read_attribute(env, number, "/name", text, sizeof(text)) && !strcmp(text, name);
}

COLD int hpt_uio_find(const struct hpt_env *env, const char *name, struct hpt_uio *ret)
{
	uint32_t number = 0;

	while (number < HPT_UIO_DEVICES && !has_name(env, number, name))
		number++;
	if (number == HPT_UIO_DEVICES || !device_path(ret->path, sizeof(ret->path), env->dev_root, "/uio", number) ||
	    !read_number(env, number, "/maps/map0/offset", &ret->offset) ||
	    !read_number(env, number, "/maps/map0/size", &ret->size))
		return -ENODEV;
	return 0;
}
