/* SPDX-License-Identifier: MIT */
/* The command "hpt doctor". */
#ifndef HPT_TOOLS_CMD_DOCTOR_H
#define HPT_TOOLS_CMD_DOCTOR_H

#include "cli/cmd.h"

extern const struct cmd cmd_doctor;

#endif
