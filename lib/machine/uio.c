// SPDX-License-Identifier: MIT
/* Reads /sys/class/uio: lib/machine/uio.h. */
#include "machine/uio.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "math/decimal.h"
#include "math/hex.h"

/* Longer than a name that is looked for. */
#define NAME_SIZE 256u

/* The first line of an attribute of the device, without its end. False: unreadable, or longer than size. */
static COLD bool read_attribute(const struct hpt_env *env, uint32_t number, const char *attribute, char *ret,
				size_t size)
{
	char path[64] = "/sys/class/uio/uio";
	ssize_t n;

	hpt_decimal_append(path, number);
	n = hpt_file_read(env, strcat(path, attribute), ret, size);
	if (n < 0 || (size_t)n >= size)
		return false;
	ret[n] = '\0';
	while (*ret && *ret != '\n')
		ret++;
	*ret = '\0';
	return true;
}

/* A number as the kernel prints these: 0x and hexadecimal digits. */
static COLD bool attribute_number(const struct hpt_env *env, uint32_t number, const char *attribute, uint64_t *ret)
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
	char text[NAME_SIZE];

	return read_attribute(env, number, "/name", text, sizeof(text)) && !strcmp(text, name);
}

COLD int hpt_uio_find(const struct hpt_env *env, const char *name, struct hpt_uio *ret)
{
	uint32_t number = 0;

	while (number < HPT_UIO_DEVICES && !has_name(env, number, name))
		number++;
	if (number == HPT_UIO_DEVICES || !attribute_number(env, number, "/maps/map0/offset", &ret->offset) ||
	    !attribute_number(env, number, "/maps/map0/size", &ret->size))
		return -ENODEV;
	strcpy(ret->path, "/dev/uio");
	hpt_decimal_append(ret->path, number);
	return 0;
}
