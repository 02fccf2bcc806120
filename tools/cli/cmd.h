/* SPDX-License-Identifier: MIT */
/* A command of hpt: its name, options and help, and its exit statuses. */
#ifndef HPT_TOOLS_CMD_H
#define HPT_TOOLS_CMD_H

/* Besides EXIT_SUCCESS and EXIT_FAILURE. */
#define EXIT_USAGE     2
#define EXIT_DEGRADED  3 /* measured, and worse than the clock claims */
#define EXIT_BACKWARDS 4 /* time went backwards */

/* Those of commands that run a program, whose other statuses are the program's own, as of env(1) and timeout(1). */
#define EXIT_OWN       125 /* this command failed, or was called wrongly */
#define EXIT_NOT_RUN   126 /* the program cannot be run, or must not */
#define EXIT_NOT_FOUND 127

/* The kind of a value, for the completion of command lines. */
enum kind {
	KIND_NONE,
	KIND_SOURCE,        /* tsc, hpet, os, arch, mmio */
	KIND_POLICY,        /* balanced, frugal, strict, nospin, spin */
	KIND_BOUNDS,        /* clockbound, chrony, kernel, vmclock, phc, fbclock; several with commas between */
	KIND_TIMESCALE,     /* utc, tai */
	KIND_WAITS,         /* all, ms, none */
	KIND_COARSE,        /* fine, keep */
	KIND_FORMAT,        /* perfetto, chrome, ctf, otlp */
	KIND_TOOL,          /* lines, perf, ftrace, lttng */
	KIND_CLOCK,         /* ticks, raw, monotonic, boottime, realtime, tai */
	KIND_FILE, KIND_FOLDER,
	KIND_DURATION, KIND_TIME,
	KIND_CPU, KIND_NUMBER,
	KIND_COMMAND,
	KIND_PROGRAM,       /* and its arguments: options end at it */
};

/* An option. The last of a table has no name. A letter means the same in all commands. */
struct opt {
	const char *name;       /* long name */
	int         letter;     /* what args_next() returns; also the short option if it is a letter */
	const char *help;
	const char *value;      /* the name of its value, which is then in optarg; NULL: it takes no value.
				   In brackets: it may be left out, and then optarg is NULL */
	enum kind kind;     /* of that value */
};

struct cmd {
	const char *name;               /* of a sub-command both words: "bench read" */
	const char *args;               /* operands, as in the usage line; "" if it takes no operands */
	enum kind operands;         /* what they are */
	const char *help;               /* one line, as in 'hpt help' */
	const char *details;            /* the text of 'hpt help COMMAND' */
	const struct opt *opts;     /* without --help, which every command has */
	int (*run)(const struct cmd *cmd, int argc, char *argv[]);
	const struct cmd *const *subs; /* ends with NULL: what the first argument can name; NULL: no sub-commands */
	const char *program;            /* the executable, and its package, that has the rest of this command: here
					   it has a name and a help; NULL: it is here */
};

#endif
