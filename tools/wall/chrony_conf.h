/* SPDX-License-Identifier: MIT */
/* What chrony.conf says of the directives that matter to bounds, with the files that it includes. */
#ifndef HPT_TOOLS_CHRONY_CONF_H
#define HPT_TOOLS_CHRONY_CONF_H

#include <stdbool.h>
#include <stdint.h>

struct chrony_conf {
	const char *path;
	const char *wrong;           /* why `path` itself was not read, as a sentence; NULL: it was */
	bool is_whole;               /* all of it was read: what is not here, chronyd does by default */
	bool has_included;           /* what is here may be of a file that `path` includes */
	int64_t cmdport;             /* 323 by default */
	char bindcmdaddress[16];     /* IPv4; empty: by default, 127.0.0.1 */
	int64_t maxclockerror_ppb;   /* 1000 by default */
	bool has_allow, has_smoothtime;
	bool has_leap_table;         /* leapsectz or leapseclist */
};

/* That of the daemon which answers at this address; NULL: it is on another machine. */
const char *chrony_conf_path(const char *address);

/* All by default. */
void chrony_conf_begin(struct chrony_conf *ret, const char *path);

/* One line, which is changed, of a directive that includes nothing. */
void chrony_conf_take(struct chrony_conf *c, char *line);

/* Reads chrony_conf.path. No more of a file than 64 KiB is read, and no more than 64 files. */
void chrony_conf_read(struct chrony_conf *c);

#endif
