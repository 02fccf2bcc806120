// SPDX-License-Identifier: MIT
/* Parses the options of a command and prints its help, both from its table of options: tools/cli/args.h. */
#include "cli/args.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/nearest.h"

#define OPTS_MAX 24

/* The help fits a terminal of 80 columns. */
#define HELP_WIDTH  79
#define HELP_INDENT 26

/* The longest paragraph. */
#define HELP_PARAGRAPH 2048

bool args_needs_value(const struct opt *o)
{
	return o->value && *o->value != '[';
}

static bool needs_value(const struct cmd *cmd, int letter)
{
	for (const struct opt *o = cmd->opts; o->name; o++)
		if (o->letter == letter)
			return args_needs_value(o);
	return false;
}

/* no_argument, required_argument or optional_argument; in getopt's string as many colons. */
static int argument_of(const struct opt *o)
{
	return !o->value ? no_argument : args_needs_value(o) ? required_argument : optional_argument;
}

static void build_longopts(const struct cmd *cmd, struct option *longopts, char *letters)
{
	int n = 0;

	if (cmd->operands == KIND_PROGRAM)
		*letters++ = '+'; /* options end at the first operand */
	for (const struct opt *o = cmd->opts; o->name && n < OPTS_MAX; o++) {
		longopts[n++] = (struct option){ o->name, argument_of(o), NULL, o->letter };
		if (o->letter >= 128)
			continue;
		*letters++ = (char)o->letter;
		for (int i = 0; i < argument_of(o); i++)
			*letters++ = ':';
	}
	longopts[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	*letters++ = 'h';
	*letters = '\0';
	longopts[n] = (struct option){ 0 };
}

static bool is_known(const struct cmd *cmd, int letter)
{
	for (const struct opt *o = cmd->opts; o->name; o++)
		if (o->letter == letter)
			return true;
	return letter == 'h';
}

static struct hint hint(const struct cmd *cmd, const char *text)
{
	char name[32];
	struct nearest near = { .text = name };

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text + 2, "="), text + 2);
	for (const struct opt *o = cmd->opts; o->name; o++)
		nearest_offer(&near, o->name);
	nearest_offer(&near, "help");
	return nearest_hint(&near, "--");
}

/* Names a long option whole; of a cluster of letters only the wrong one. */
static void say_wrong(const struct cmd *cmd, char *argv[])
{
	const char *text = argv[optind - 1];

	if (needs_value(cmd, optopt))
		err_print("%s: option '%s' needs a value; see 'hpt help %s'", cmd->name, text, cmd->name);
	else if (is_known(cmd, optopt))
		err_print("%s: option '%s' takes no argument; see 'hpt help %s'", cmd->name, text, cmd->name);
	else if (optopt < 0 || optopt >= 0x80) /* getopt splits letters of several bytes: optopt is half of one */
		err_print("%s: unknown option: its letter is not ASCII; see 'hpt help %s'", cmd->name, cmd->name);
	else if (optopt)
		err_print("%s: unknown option '-%c'; see 'hpt help %s'", cmd->name, optopt, cmd->name);
	else
		err_print("%s: unknown option '%s'%s; see 'hpt help %s'", cmd->name, text, hint(cmd, text).s,
			cmd->name);
}

int args_next(const struct cmd *cmd, int argc, char *argv[])
{
	struct option longopts[OPTS_MAX + 2];
	char letters[3 * OPTS_MAX + 3];
	int c;

	build_longopts(cmd, longopts, letters);
	c = getopt_long(argc, argv, letters, longopts, NULL);
	if (c == '?') {
		say_wrong(cmd, argv);
		return ARGS_WRONG;
	}
	if (c == 'h') {
		args_help(cmd);
		return ARGS_HELP;
	}
	return c == -1 ? ARGS_END : c;
}

int args_flags(const struct cmd *cmd, int argc, char *argv[])
{
	int flags = 0, c;

	while ((c = args_next(cmd, argc, argv)) > 0)
		for (int i = 0; cmd->opts[i].name; i++)
			if (cmd->opts[i].letter == c)
				flags |= 1 << i;
	return c == ARGS_END ? flags : c;
}

int args_surplus(const struct cmd *cmd, char *argv[])
{
	err_print("%s: unexpected operand '%s'; see 'hpt help %s'", cmd->name, argv[optind], cmd->name);
	return EXIT_USAGE;
}

int args_usage(const struct cmd *cmd, const char *what)
{
	err_print("%s: %s; see 'hpt help %s'", cmd->name, what, cmd->name);
	return EXIT_USAGE;
}

int args_exit(int result)
{
	return result == ARGS_HELP ? EXIT_SUCCESS : EXIT_USAGE;
}

/*
 * Prints words on lines of the help's width, which end where the text has blanks or line ends. @at: the column of the
 * first line, @indent: that of the others.
 */
static void print_words(const char *text, int at, int indent)
{
	while (*text) {
		int n = (int)strcspn(text, " \n");

		if (at > indent && at + 1 + n > HELP_WIDTH) {
			printf("\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		printf("%.*s", n, text);
		at += n;
		text += n + (text[n] != '\0');
	}
	putchar('\n');
}

/* Fills each paragraph, but leaves tables, which have several blanks in a row, as they are. */
static void print_details(const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		char paragraph[HELP_PARAGRAPH];

		snprintf(paragraph, sizeof(paragraph), "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
		if (strstr(paragraph, "  "))
			puts(paragraph);
		else
			print_words(paragraph, 0, 0);
		putchar('\n');
		text = end ? end + 2 : "";
	}
}

static void print_opt(const struct opt *o)
{
	char name[32];
	int at;

	if (o->value && !args_needs_value(o))
		snprintf(name, sizeof(name), "%s[=%s", o->name, o->value + 1);
	else
		snprintf(name, sizeof(name), "%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
	if (o->letter < 128)
		at = printf("  -%c, --%-*s", o->letter, HELP_INDENT - 8, name);
	else
		at = printf("      --%-*s", HELP_INDENT - 8, name);
	if (strlen(name) > HELP_INDENT - 9) { /* no blank is left before the help */
		printf("\n%*s", HELP_INDENT, "");
		at = HELP_INDENT;
	}
	print_words(o->help, at, HELP_INDENT);
}

const char *args_word(const struct cmd *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');

	return blank ? blank + 1 : cmd->name;
}

static void print_subs(const struct cmd *cmd)
{
	printf("Commands:\n");
	for (const struct cmd *const *sub = cmd->subs; *sub; sub++)
		print_words((*sub)->help, printf("  %-10s ", args_word(*sub)), 13);
	printf("\n'hpt help %s COMMAND' describes one of them.\n\n", cmd->name);
}

void args_help(const struct cmd *cmd)
{
	if (cmd->subs)
		printf("Usage: hpt %s COMMAND [OPTION...]\n       hpt %s %s\n\n", cmd->name, cmd->name, cmd->args);
	else
		printf("Usage: hpt %s [OPTION...]%s%s\n\n", cmd->name, *cmd->args ? " " : "", cmd->args);
	print_details(cmd->details);
	if (cmd->subs)
		print_subs(cmd);
	printf("Options:\n");
	for (const struct opt *o = cmd->opts; o->name; o++)
		print_opt(o);
	print_opt(&(struct opt){ .name = "help", .letter = 'h', .help = "show this help" });
}
