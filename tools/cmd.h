/* SPDX-License-Identifier: MIT */
/* The shape of a command, and what all commands say in the same words. */
#ifndef HPT_TOOLS_CMD_H
#define HPT_TOOLS_CMD_H

#include <stdbool.h>

/* Beside EXIT_SUCCESS and EXIT_FAILURE. */
#define HPT_EXIT_USAGE     2
#define HPT_EXIT_DEGRADED  3 /* measured, and not as good as it claims to be */
#define HPT_EXIT_BACKWARDS 4 /* time went backwards */

/* An option. The last of a table has no name. */
struct hpt_opt {
	const char *name;       /* long name */
	int         letter;     /* what hpt_args_next() returns; also the short option if it is a letter */
	const char *help;
	const char *value;      /* what its value is called, which is then in optarg; NULL: it takes none */
};

struct hpt_cmd {
	const char *name;               /* of a sub-command both words: "bench read" */
	const char *args;               /* operands, as in the usage line; "" if it takes none */
	const char *help;               /* one line, as in 'hpt help' */
	const char *details;            /* more, as in 'hpt help COMMAND' */
	const struct hpt_opt *opts;     /* --help is in every command and not listed */
	int (*run)(const struct hpt_cmd *cmd, int argc, char *argv[]);
	const struct hpt_cmd *const *subs; /* up to a NULL: what the first argument can name; NULL: it has none */
};

extern const struct hpt_cmd hpt_cmd_info, hpt_cmd_sources, hpt_cmd_cpu, hpt_cmd_now, hpt_cmd_convert, hpt_cmd_check,
	hpt_cmd_sleep, hpt_cmd_bench;

/* One line on stderr, whatever bytes the arguments hold. */
void hpt_err(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What hpt_args_next() returns besides letters. */
#define HPT_ARGS_END   (-1)     /* operands begin at optind */
#define HPT_ARGS_WRONG (-2)     /* said so on stderr: exit 2 */
#define HPT_ARGS_HELP  (-3)     /* printed the help: exit 0 */

int hpt_args_next(const struct hpt_cmd *cmd, int argc, char *argv[]);

/* All options: a mask of 1 << index in cmd->opts, or HPT_ARGS_WRONG, HPT_ARGS_HELP. */
int hpt_args_flags(const struct hpt_cmd *cmd, int argc, char *argv[]);

/* Says that argv[optind] is one too many. Returns HPT_EXIT_USAGE. */
int hpt_args_surplus(const struct hpt_cmd *cmd, char *argv[]);

/* The exit status for HPT_ARGS_WRONG or HPT_ARGS_HELP. */
int hpt_args_exit(int result);

/* What a command is called by whoever has said the commands above it: its last word. */
const char *hpt_args_word(const struct hpt_cmd *cmd);

/* 'hpt help COMMAND' on stdout. */
void hpt_args_help(const struct hpt_cmd *cmd);

#endif
