/* SPDX-License-Identifier: MIT */
/* The command "hpt bench". */
#ifndef HPT_TOOLS_CMD_BENCH_H
#define HPT_TOOLS_CMD_BENCH_H

#include "cli/cmd.h"

extern const struct cmd cmd_bench;

#endif
