// SPDX-License-Identifier: MIT
/* The newest families in the tables of libcpuid's versions: tools/info/codename.h. */
#include "info/codename.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Its ChangeLog has the first processor of AMD's family 26 (Granite Ridge) in 0.7.0. */
static const struct {
	const char *vendor;
	uint32_t newest;                /* family */
	unsigned since;                 /* the version that has it, as 1000 * major + minor; 0: any */
} tables[] = {
	{ "amd", 25, 0 }, { "amd", 26, 7 }, { "hygon", 24, 0 }, { "intel", 15, 0 },
};

bool codename_is_known(const char *vendor, uint32_t family, const char *version)
{
	unsigned major = 0, minor = 0, ours;
	bool has_vendor = false;

	sscanf(version, "%u.%u", &major, &minor);
	ours = 1000 * major + minor;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (strcmp(vendor, tables[i].vendor) != 0)
			continue;
		if (family <= tables[i].newest && ours >= tables[i].since)
			return true;
		has_vendor = true;
	}
	return !has_vendor;
}
