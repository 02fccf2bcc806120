/* SPDX-License-Identifier: MIT */
/* The command "hpt convert". */
#ifndef HPT_TOOLS_CMD_CONVERT_H
#define HPT_TOOLS_CMD_CONVERT_H

#include "cli/cmd.h"

extern const struct hpt_cmd hpt_cmd_convert;

#endif
