// SPDX-License-Identifier: MIT
/* Reads and parses the UUID: lib/machine/boot_id.h. */
#include "machine/boot_id.h"

#include <string.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "math/hex.h"

/* As the kernel prints it: 8-4-4-4-12 digits, lower case. */
COLD bool hpt_boot_id(const struct hpt_env *env, uint8_t ret[16])
{
	char text[36];
	bool is_good = hpt_file_read(env, "/proc/sys/kernel/random/boot_id", text, sizeof(text)) == sizeof(text);
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
