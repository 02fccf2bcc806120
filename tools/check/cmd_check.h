/* SPDX-License-Identifier: MIT */
/* The command "hpt check". */
#ifndef HPT_TOOLS_CMD_CHECK_H
#define HPT_TOOLS_CMD_CHECK_H

#include "cli/cmd.h"

extern const struct cmd cmd_check;

#endif
