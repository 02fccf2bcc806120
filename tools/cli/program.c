// SPDX-License-Identifier: MIT
/* Finds the executables that are commands of hpt, and becomes one: tools/cli/program.h. */
#include "cli/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"

/* Another folder than those below. */
#define CHOSEN "HPT_EXEC_PATH"

static const char *chosen_folder(void)
{
	const char *folder = secure_getenv(CHOSEN);

	return folder && *folder ? folder : NULL;
}

/* The folder of this executable; "" where /proc is not mounted. */
struct folder { char s[PATH_MAX]; };
static struct folder own_folder(void)
{
	struct folder ret;
	ssize_t n = readlink("/proc/self/exe", ret.s, sizeof(ret.s) - 1);
	char *slash;

	ret.s[n > 0 ? n : 0] = '\0';
	slash = strrchr(ret.s, '/');
	if (slash)
		*slash = '\0';
	return ret;
}

/* Takes the path; NULL: there is no such file. */
static char *existing(char *path)
{
	if (!access(path, F_OK))
		return path;
	free(path);
	return NULL;
}

/*
 * Beside this executable, as in the folder of a build; in its prefix, wherever that was moved to; where it was to be
 * installed. Never in PATH, where another's program may have the name. NULL: it is nowhere.
 */
static char *find(const char *name)
{
	const char *chosen = chosen_folder();
	struct folder own = own_folder();
	char *path = NULL;

	if (chosen)
		return existing(xasprintf("%s/%s", chosen, name));
	if (*own.s)
		path = existing(xasprintf("%s/%s", own.s, name));
	if (!path && *own.s)
		path = existing(xasprintf("%s/%s/%s", own.s, HPT_EXEC_FROM_BIN, name));
	return path ? path : existing(xasprintf("%s/%s", HPT_EXEC_FOLDER, name));
}

bool program_is_there(const struct cmd *cmd)
{
	char *path = find(cmd->program);

	free(path);
	return path != NULL;
}

int program_become(const struct cmd *cmd, char *argv[])
{
	const char *chosen = chosen_folder();
	char *path = find(cmd->program);

	if (!path) {
		err_print("%s: the program %s is not in %s: install the package %s", cmd->name, cmd->program,
			chosen ? chosen : HPT_EXEC_FOLDER, cmd->program);
		return EXIT_NOT_FOUND;
	}
	execv(path, argv);
	err_print("%s: %s cannot be run: %s", cmd->name, path, strerror(errno));
	free(path);
	return EXIT_NOT_RUN;
}
