/* SPDX-License-Identifier: MIT */
/* The command "hpt cpu". */
#ifndef HPT_TOOLS_CMD_CPU_H
#define HPT_TOOLS_CMD_CPU_H

#include "cli/cmd.h"

extern const struct cmd cmd_cpu;

#endif
