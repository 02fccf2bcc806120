/* SPDX-License-Identifier: MIT */
/* Values of options and operands. False: the text was refused, with a message on stderr. */
#ifndef HPT_TOOLS_TAKE_H
#define HPT_TOOLS_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/cmd.h"

/* The last value that take_duration() and take_seconds() take: without limit. */
#define TAKE_ANY INT64_MAX

/*
 * As args_next(), of a command with OPT_SOURCE, which it takes: of several the last counts. *source stays if there is
 * none.
 */
int take_next(const struct cmd *cmd, int argc, char *argv[], uint32_t *source);

bool take_source(const struct cmd *cmd, const char *text, uint32_t *ret);

/* A duration with a unit; take_seconds() also takes a bare number of seconds. */
bool take_duration(const struct cmd *cmd, const char *text, int64_t min_ns, int64_t max_ns, int64_t *ret_ns);
bool take_seconds(const struct cmd *cmd, const char *text, int64_t min_ns, int64_t max_ns, int64_t *ret_ns);

/* Unix time. */
bool take_time(const struct cmd *cmd, const char *text, int64_t *ret_unix_ns);

/* A whole number; @what: "number of rounds". */
bool take_integer(const struct cmd *cmd, const char *text, const char *what, int64_t min, int64_t max,
		     int64_t *ret);

/* How wrong a clock's rate may be: 50ppm, 0.5ppm, 500ppb. */
bool take_rate(const struct cmd *cmd, const char *text, uint32_t *ret_ppb);

bool take_policy(const struct cmd *cmd, const char *text, uint32_t *ret);

/* Not empty, and with its end in size bytes; @what: "path". */
bool take_text(const struct cmd *cmd, const char *what, const char *given, char *ret, size_t size);

/* A numeric address with a port, or a path: what the library takes for that of a daemon. */
bool take_address(const struct cmd *cmd, const char *given, char *ret, size_t size);

/* Makes @source the default clock's; AUTO: leaves the library's choice. Before any other use of the default clock. */
bool take_default(const struct cmd *cmd, uint32_t source);

#endif
