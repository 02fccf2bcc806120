/* SPDX-License-Identifier: MIT */
/* Which processors libcpuid can name. It names one that it does not know by the best match of an older family. */
#ifndef HPT_TOOLS_CODENAME_H
#define HPT_TOOLS_CODENAME_H

#include <stdbool.h>
#include <stdint.h>

/* Has libcpuid's table of this version, such as "0.6.2", a processor of this family? @vendor: as hpt_cpu_info's. */
bool codename_is_known(const char *vendor, uint32_t family, const char *version);

#endif
