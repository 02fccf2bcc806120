// SPDX-License-Identifier: MIT
/* Parses the options of a command and prints its help, both from its table of options: tools/args.h. */
#include "args.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"

#define OPTS_MAX 16

static bool takes_value(const struct hpt_cmd *cmd, int letter)
{
	for (const struct hpt_opt *o = cmd->opts; o->name; o++)
		if (o->letter == letter)
			return o->value;
	return false;
}

static void build_longopts(const struct hpt_cmd *cmd, struct option *longopts, char *letters)
{
	int n = 0;

	for (const struct hpt_opt *o = cmd->opts; o->name && n < OPTS_MAX; o++) {
		longopts[n++] = (struct option){ o->name, o->value ? required_argument : no_argument, NULL, o->letter };
		if (o->letter >= 128)
			continue;
		*letters++ = (char)o->letter;
		if (o->value)
			*letters++ = ':';
	}
	longopts[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	*letters++ = 'h';
	*letters = '\0';
	longopts[n] = (struct option){ 0 };
}

static bool is_known(const struct hpt_cmd *cmd, int letter)
{
	for (const struct hpt_opt *o = cmd->opts; o->name; o++)
		if (o->letter == letter)
			return true;
	return letter == 'h';
}

/* Names a long option whole; of a cluster of letters only the wrong one. */
static void say_wrong(const struct hpt_cmd *cmd, char *argv[])
{
	const char *text = argv[optind - 1];

	if (takes_value(cmd, optopt))
		hpt_err("%s: option '%s' needs a value; see 'hpt help %s'", cmd->name, text, cmd->name);
	else if (is_known(cmd, optopt))
		hpt_err("%s: option '%s' takes no argument; see 'hpt help %s'", cmd->name, text, cmd->name);
	else if (optopt < 0 || optopt >= 0x80) /* getopt splits letters of several bytes: optopt is half of one */
		hpt_err("%s: unknown option: its letter is not ASCII; see 'hpt help %s'", cmd->name, cmd->name);
	else if (optopt)
		hpt_err("%s: unknown option '-%c'; see 'hpt help %s'", cmd->name, optopt, cmd->name);
	else
		hpt_err("%s: unknown option '%s'; see 'hpt help %s'", cmd->name, text, cmd->name);
}

int hpt_args_next(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct option longopts[OPTS_MAX + 2];
	char letters[2 * OPTS_MAX + 2];
	int c;

	build_longopts(cmd, longopts, letters);
	c = getopt_long(argc, argv, letters, longopts, NULL);
	if (c == '?') {
		say_wrong(cmd, argv);
		return HPT_ARGS_WRONG;
	}
	if (c == 'h') {
		hpt_args_help(cmd);
		return HPT_ARGS_HELP;
	}
	return c == -1 ? HPT_ARGS_END : c;
}

int hpt_args_flags(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	int flags = 0, c;

	while ((c = hpt_args_next(cmd, argc, argv)) > 0)
		for (int i = 0; cmd->opts[i].name; i++)
			if (cmd->opts[i].letter == c)
				flags |= 1 << i;
	return c == HPT_ARGS_END ? flags : c;
}

int hpt_args_surplus(const struct hpt_cmd *cmd, char *argv[])
{
	hpt_err("%s: unexpected operand '%s'; see 'hpt help %s'", cmd->name, argv[optind], cmd->name);
	return HPT_EXIT_USAGE;
}

int hpt_args_exit(int result)
{
	return result == HPT_ARGS_HELP ? EXIT_SUCCESS : HPT_EXIT_USAGE;
}

static void print_opt(const struct hpt_opt *o)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
	if (o->letter < 128)
		printf("  -%c, --%-17s %s\n", o->letter, name, o->help);
	else
		printf("      --%-17s %s\n", name, o->help);
}

const char *hpt_args_word(const struct hpt_cmd *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');

	return blank ? blank + 1 : cmd->name;
}

static void print_subs(const struct hpt_cmd *cmd)
{
	printf("Commands:\n");
	for (const struct hpt_cmd *const *sub = cmd->subs; *sub; sub++)
		printf("  %-10s %s\n", hpt_args_word(*sub), (*sub)->help);
	printf("\n'hpt help %s COMMAND' describes one of them.\n\n", cmd->name);
}

void hpt_args_help(const struct hpt_cmd *cmd)
{
	if (cmd->subs)
		printf("Usage: hpt %s COMMAND [OPTION...]\n       hpt %s %s\n\n", cmd->name, cmd->name, cmd->args);
	else
		printf("Usage: hpt %s [OPTION...]%s%s\n\n", cmd->name, *cmd->args ? " " : "", cmd->args);
	printf("%s\n\n", cmd->details);
	if (cmd->subs)
		print_subs(cmd);
	printf("Options:\n");
	for (const struct hpt_opt *o = cmd->opts; o->name; o++)
		print_opt(o);
	print_opt(&(struct hpt_opt){ .name = "help", .letter = 'h', .help = "show this help" });
}
