/* SPDX-License-Identifier: MIT */
/* The memory in which the programs under "hpt run --stats" count. */
#ifndef HPT_TOOLS_TALLY_FILE_H
#define HPT_TOOLS_TALLY_FILE_H

#include "preload/tally.h"

/*
 * Returns counts of zero, and puts their path, which leads to a descriptor of this process, into the environment of
 * programs that start later. NULL: errno.
 */
struct hpt_tally *tally_file_new(void);

#endif
