/* SPDX-License-Identifier: MIT */
/* The command "hpt bench". */
#ifndef HPT_TOOLS_CMD_BENCH_H
#define HPT_TOOLS_CMD_BENCH_H

#include "cli/cmd.h"

/* Of hpt's list, which has the command without its executable. */
#define BENCH_HELP "cost of reads, sleeps and wakes here, and of the alternatives"

extern const struct cmd cmd_bench;

#endif
