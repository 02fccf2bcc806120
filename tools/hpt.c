// SPDX-License-Identifier: MIT
/* The command hpt: finds the command in a table and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "args.h"
#include "cmd.h"
#include "err.h"
#include "out.h"

static int run_help(const struct hpt_cmd *cmd, int argc, char *argv[]);

static const struct hpt_opt no_opts[] = { { 0 } };

static const struct hpt_cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND...]",
	.help = "list the commands, or describe one",
	.details = "Lists the commands, or describes one of them.",
	.opts = no_opts,
	.run = run_help,
};

static const struct hpt_cmd *const cmds[] = {
	&hpt_cmd_info, &hpt_cmd_sources, &hpt_cmd_cpu, &hpt_cmd_now, &hpt_cmd_convert, &hpt_cmd_check,
	&hpt_cmd_sleep, &hpt_cmd_bench, &cmd_help, NULL,
};

static void print_usage(FILE *to)
{
	fputs("Usage: hpt COMMAND [OPTION...]\n\n"
	      "One clock over whatever counter this machine has, chosen for you and explained.\n\nCommands:\n", to);
	for (const struct hpt_cmd *const *c = cmds; *c; c++)
		fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->help);
	fputs("\nOptions:\n"
	      "  -h, --help     show this help\n"
	      "  -V, --version  show the version\n\n"
	      "'hpt help COMMAND' describes one command; 'man hpt' describes all.\n", to);
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
static const struct hpt_cmd *find_cmd(const struct hpt_cmd *of, const char *name)
{
	for (const struct hpt_cmd *const *c = of ? of->subs : cmds; *c; c++)
		if (!strcmp(hpt_args_word(*c), name))
			return *c;
	if (of)
		hpt_err("%s: unknown command '%s'; see 'hpt help %s'", of->name, name, of->name);
	else
		hpt_err("unknown command '%s'; see 'hpt help'", name);
	return NULL;
}

static int run_help(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	const struct hpt_cmd *about;
	int flags = hpt_args_flags(cmd, argc, argv);

	if (flags < 0)
		return hpt_args_exit(flags);
	if (optind == argc) {
		print_usage(stdout);
		return EXIT_SUCCESS;
	}
	about = find_cmd(NULL, argv[optind++]);
	if (about && about->subs && optind < argc)
		about = find_cmd(about, argv[optind++]);
	if (!about)
		return HPT_EXIT_USAGE;
	if (optind < argc)
		return hpt_args_surplus(cmd, argv);
	hpt_args_help(about);
	return EXIT_SUCCESS;
}

/*
 * The next file opened would take the number of a closed standard stream, and be read as standard input or written as
 * output. /dev/null opened in the wrong direction fails on use, as a closed stream does.
 */
static void keep_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(EXIT_FAILURE);
}

static int run_cmd(int argc, char *argv[])
{
	const struct hpt_cmd *cmd = find_cmd(NULL, argv[0]);

	if (cmd && cmd->subs && argc > 1 && *argv[1] != '-') {
		cmd = find_cmd(cmd, argv[1]);
		argc--;
		argv++;
	}
	if (!cmd)
		return HPT_EXIT_USAGE;
	optind = 0; /* glibc: restart getopt with another argv */
	return cmd->run(cmd, argc, argv);
}

static int run(int argc, char *argv[])
{
	static const struct option longopts[] = {
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' }, { 0 },
	};

	opterr = 0; /* this file and args.c print the messages */
	switch (getopt_long(argc, argv, "+hV", longopts, NULL)) {
	case -1:
		if (optind < argc)
			return run_cmd(argc - optind, argv + optind);
		print_usage(stderr);
		return HPT_EXIT_USAGE;
	case 'h':
		print_usage(stdout);
		return EXIT_SUCCESS;
	case 'V':
		return print_version();
	default:
		hpt_err("unknown option '%s'; see 'hpt help'", argv[1]);
		return HPT_EXIT_USAGE;
	}
}

int main(int argc, char *argv[])
{
	int status;

	keep_standard_fds();
	setlocale(LC_CTYPE, ""); /* for widths in tables; numbers stay as they are */
	status = run(argc, argv);
	return hpt_out_close() ? status : EXIT_FAILURE;
}
