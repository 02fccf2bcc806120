/* SPDX-License-Identifier: MIT */
/* The command "hpt sources". */
#ifndef HPT_TOOLS_CMD_SOURCES_H
#define HPT_TOOLS_CMD_SOURCES_H

#include "cli/cmd.h"

extern const struct cmd cmd_sources;

#endif
