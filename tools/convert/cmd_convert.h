/* SPDX-License-Identifier: MIT */
/* The command "hpt convert". */
#ifndef HPT_TOOLS_CMD_CONVERT_H
#define HPT_TOOLS_CMD_CONVERT_H

#include "cli/cmd.h"

extern const struct cmd cmd_convert;

#endif
