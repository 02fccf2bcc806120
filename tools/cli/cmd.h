/* SPDX-License-Identifier: MIT */
/* A command of hpt: its name, options and help, and its exit statuses. */
#ifndef HPT_TOOLS_CMD_H
#define HPT_TOOLS_CMD_H

/* Besides EXIT_SUCCESS and EXIT_FAILURE. */
#define HPT_EXIT_USAGE     2
#define HPT_EXIT_DEGRADED  3 /* measured, and worse than the clock claims */
#define HPT_EXIT_BACKWARDS 4 /* time went backwards */

/* Those of "hpt run", whose other statuses are the program's own, as of env(1) and timeout(1). */
#define HPT_EXIT_OWN       125 /* this command failed, or was called wrongly */
#define HPT_EXIT_NOT_RUN   126 /* the program cannot be run, or must not */
#define HPT_EXIT_NOT_FOUND 127

/* The kind of a value, for the completion of command lines. */
enum hpt_kind {
	HPT_KIND_NONE,
	HPT_KIND_SOURCE,        /* tsc, hpet, os, arch, mmio */
	HPT_KIND_POLICY,        /* balanced, frugal, strict, nospin, spin */
	HPT_KIND_BOUNDS,        /* clockbound, chrony, kernel, vmclock, phc, fbclock; several with commas between */
	HPT_KIND_TIMESCALE,     /* utc, tai */
	HPT_KIND_FILE, HPT_KIND_FOLDER,
	HPT_KIND_DURATION, HPT_KIND_TIME,
	HPT_KIND_CPU, HPT_KIND_NUMBER,
	HPT_KIND_COMMAND,
	HPT_KIND_PROGRAM,       /* and its arguments: options end at it */
};

/* An option. The last of a table has no name. A letter means the same in all commands. */
struct hpt_opt {
	const char *name;       /* long name */
	int         letter;     /* what hpt_args_next() returns; also the short option if it is a letter */
	const char *help;
	const char *value;      /* the name of its value, which is then in optarg; NULL: it takes no value.
				   In brackets: it may be left out, and then optarg is NULL */
	enum hpt_kind kind;     /* of that value */
};

struct hpt_cmd {
	const char *name;               /* of a sub-command both words: "bench read" */
	const char *args;               /* operands, as in the usage line; "" if it takes no operands */
	enum hpt_kind operands;         /* what they are */
	const char *help;               /* one line, as in 'hpt help' */
	const char *details;            /* the text of 'hpt help COMMAND' */
	const struct hpt_opt *opts;     /* without --help, which every command has */
	int (*run)(const struct hpt_cmd *cmd, int argc, char *argv[]);
	const struct hpt_cmd *const *subs; /* ends with NULL: what the first argument can name; NULL: no sub-commands */
};

#endif
