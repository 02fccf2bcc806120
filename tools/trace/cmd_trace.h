/* SPDX-License-Identifier: MIT */
/* The command "hpt trace". */
#ifndef HPT_TOOLS_CMD_TRACE_H
#define HPT_TOOLS_CMD_TRACE_H

#include "cli/cmd.h"

extern const struct cmd cmd_trace;

#endif
