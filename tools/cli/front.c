// SPDX-License-Identifier: MIT
/* Finds the command in a table and runs it: tools/cli/front.h. */
#include "cli/front.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/complete.h"
#include "cli/err.h"
#include "cli/nearest.h"
#include "cli/out.h"
#include "cli/program.h"
#include "cli/util.h"

/* The table of the program, and the arguments of main(), for another program that takes the command line over. */
static const struct cmd *const *cmds;
static char **whole;

static int run_help(const struct cmd *cmd, int argc, char *argv[]);

static const struct opt no_opts[] = { { 0 } };

const struct cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND...]",
	.help = "list the commands, or describe one",
	.details = "Lists the commands, or describes one of them.",
	.opts = no_opts,
	.run = run_help,
};

static void print_cmd(const struct cmd *cmd)
{
	printf("  %-10s %s\n", cmd->name, cmd->help);
	if (cmd->program && !program_is_there(cmd))
		printf("  %-10s (not installed: package %s)\n", "", cmd->program);
}

static void print_usage(void)
{
	printf("Usage: hpt [OPTION...] [COMMAND [OPTION...]]\n\n"
	       "One clock over whatever counter this machine has, chosen for you and explained.\n"
	       "Without a command: %s.\n\nCommands:\n", cmds[0]->name);
	for (const struct cmd *const *c = cmds; *c; c++)
		print_cmd(*c);
	fputs("\nOptions:\n"
	      "  -h, --help     show this help\n"
	      "  -V, --version  show the version\n"
	      "  -j, --json     as after the command\n\n"
	      "'hpt help COMMAND' describes one command; 'man hpt' describes all.\n", stdout);
}

static int print_version(void)
{
	/* The library found at run time may have another version than the one at build time. */
	if (strcmp(hpt_version(), HPT_VERSION_STRING) != 0)
		printf("hpt %s (libhpt %s)\n", HPT_VERSION_STRING, hpt_version());
	else
		printf("hpt %s\n", HPT_VERSION_STRING);
	return EXIT_SUCCESS;
}

/* Finds a command, or a sub-command of @of. NULL: reported on stderr. */
static const struct cmd *find_cmd(const struct cmd *of, const char *name)
{
	struct nearest near = { .text = name };

	for (const struct cmd *const *c = of ? of->subs : cmds; *c; c++) {
		if (!strcmp(args_word(*c), name))
			return *c;
		nearest_offer(&near, args_word(*c));
	}
	if (of)
		err_print("%s: unknown command '%s'%s; see 'hpt help %s'", of->name, name, nearest_hint(&near, "").s,
			of->name);
	else
		err_print("unknown command '%s'%s; see 'hpt help'", name, nearest_hint(&near, "").s);
	return NULL;
}

static int run_help(const struct cmd *cmd, int argc, char *argv[])
{
	const struct cmd *about;
	int flags = args_flags(cmd, argc, argv);

	if (flags < 0)
		return args_exit(flags);
	if (optind == argc) {
		print_usage();
		return EXIT_SUCCESS;
	}
	about = find_cmd(NULL, argv[optind++]);
	if (about && about->program)
		return program_become(about, whole);
	if (about && about->subs && optind < argc)
		about = find_cmd(about, argv[optind++]);
	if (!about)
		return EXIT_USAGE;
	if (optind < argc)
		return args_surplus(cmd, argv);
	args_help(about);
	return EXIT_SUCCESS;
}

/*
 * The next file opened would take the number of a closed standard stream, and be read as standard input or written as
 * output. /dev/null opened in the wrong direction fails on use, as a closed stream does. Programs that the
 * command becomes find the stream closed again.
 */
static void keep_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) < 0)
			_exit(EXIT_FAILURE);
}

/* @argv: the command and what follows, ended by NULL. */
static int run_cmd(int argc, char *argv[])
{
	const struct cmd *cmd = find_cmd(NULL, argv[0]);

	if (cmd && cmd->program)
		return program_become(cmd, whole);
	if (cmd && cmd->subs && argc > 1 && *argv[1] != '-') {
		cmd = find_cmd(cmd, argv[1]);
		argc--;
		argv++;
	}
	if (!cmd)
		return EXIT_USAGE;
	optind = 0; /* glibc: restart getopt with another argv */
	return cmd->run(cmd, argc, argv);
}

/* As if --json came after the words of the command. */
static int run_json(int argc, char *argv[])
{
	static char json[] = "--json";
	char **all = xcalloc((size_t)argc + 2, sizeof(all[0]));
	const struct cmd *cmd = find_cmd(NULL, argv[0]);
	int words = cmd && cmd->subs && argc > 1 && *argv[1] != '-' ? 2 : 1, status = EXIT_USAGE;

	memcpy(all, argv, (size_t)words * sizeof(all[0]));
	all[words] = json;
	memcpy(all + words + 1, argv + words, (size_t)(argc - words) * sizeof(all[0]));
	if (cmd)
		status = run_cmd(argc + 1, all);
	free(all);
	return status;
}

static int run_default(bool is_json)
{
	char *argv[] = { xasprintf("%s", cmds[0]->name), NULL };
	int status;

	if (!is_json)
		fprintf(stderr, "This is 'hpt %s'; 'hpt help' lists the other commands.\n\n", argv[0]);
	status = (is_json ? run_json : run_cmd)(1, argv);
	free(argv[0]);
	return status;
}

static bool has_opt(const struct cmd *cmd, const char *text)
{
	for (const struct opt *o = cmd->opts; o->name; o++)
		if (!strncmp(text, o->name, strlen(o->name)) && strchr("=", text[strlen(o->name)]))
			return true;
	return false;
}

static int say_wrong(const char *option)
{
	struct nearest near = { .text = option + strspn(option, "-") };
	bool is_long = !strncmp(option, "--", 2);

	for (const struct cmd *const *c = cmds; *c; c++)
		if (is_long && has_opt(*c, near.text)) {
			err_print("option '%s' comes after the command; see 'hpt help'", option);
			return EXIT_USAGE;
		}
	for (const struct cmd *const *c = cmds; *c; c++) /* perhaps one of the options that only the program knows */
		if ((*c)->program && program_is_there(*c))
			return program_become(*c, whole);
	nearest_offer(&near, "help");
	nearest_offer(&near, "version");
	nearest_offer(&near, "json");
	err_print("unknown option '%s'%s; see 'hpt help'", option, nearest_hint(&near, "--").s);
	return EXIT_USAGE;
}

static int run(int argc, char *argv[])
{
	static const struct option longopts[] = {
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' },
		{ "json", no_argument, NULL, 'j' }, { 0 },
	};
	bool is_json = false;

	opterr = 0; /* this file and args.c print the messages */
	for (;;) {
		int at = optind; /* of the argument that getopt takes next */

		switch (getopt_long(argc, argv, "+hVj", longopts, NULL)) {
		case -1:
			if (optind == argc)
				return run_default(is_json);
			return (is_json ? run_json : run_cmd)(argc - optind, argv + optind);
		case 'h':
			print_usage();
			return EXIT_SUCCESS;
		case 'V':
			return print_version();
		case 'j':
			is_json = true;
			break;
		default:
			return say_wrong(argv[at]);
		}
	}
}

static int complete(int n, char *words[])
{
	/* getopt_long() in run() has these; complete_words() adds --help. */
	static const struct opt opts[] = {
		{ "version", 'V', "show the version", NULL, KIND_NONE },
		{ "json", 'j', "as after the command", NULL, KIND_NONE }, { 0 },
	};

	const struct cmd *cmd = complete_words(&(struct cmd){ .name = "", .opts = opts, .subs = cmds }, n, words);

	return cmd ? program_become(cmd, whole) : EXIT_SUCCESS;
}

int front_run(const struct cmd *const *table, int argc, char *argv[])
{
	int status;

	cmds = table;
	whole = argv;
	keep_standard_fds();
	setlocale(LC_CTYPE, ""); /* for widths in tables; numbers stay as they are */
	if (argc > 1 && !strcmp(argv[1], COMPLETE))
		status = complete(argc - 2, argv + 2);
	else
		status = run(argc, argv);
	return out_close() ? status : EXIT_FAILURE;
}
