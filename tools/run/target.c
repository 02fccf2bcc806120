// SPDX-License-Identifier: MIT
/* Finds the program that a command line runs: tools/run/target.h. */
#include "run/target.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "run/shebang.h"
#include "util.h"

/* Scripts whose interpreter is a script: exec_binprm() in fs/exec.c follows five. */
#define SCRIPTS_MAX 5

/* ---- The search in PATH ------------------------------------------------------------------------------------------ */

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS);
}

static char *in_folder(const char *folder, int n, const char *name)
{
	return hpt_asprintf("%.*s%s%s", n, folder, n ? "/" : "", name);
}

/* NULL: not found. An empty folder is the current one. */
static char *search(const char *name)
{
	const char *folders = getenv("PATH");
	char *path = NULL;

	if (!folders)
		folders = "/bin:/usr/bin"; /* confstr(_CS_PATH) */
	for (;;) {
		int n = (int)strcspn(folders, ":");

		path = in_folder(folders, n, name);
		if (is_program(path))
			return path;
		free(path);
		if (!folders[n])
			return NULL;
		folders += n + 1;
	}
}

static char *look_up(const char *name)
{
	if (!*name)
		return NULL;
	return strchr(name, '/') ? is_program(name) ? hpt_asprintf("%s", name) : NULL : search(name);
}

bool hpt_target_is_there(const char *name)
{
	char *path = look_up(name);
	bool is_there = path;

	free(path);
	return is_there;
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

/* Whether exec gives the program other IDs than the caller's real ones, as bprm_fill_uid() in fs/exec.c decides. */
static bool changes_ids(const struct stat *st, bool is_trusted)
{
	uid_t uid = is_trusted && st->st_mode & S_ISUID ? st->st_uid : geteuid();
	gid_t gid = is_trusted && st->st_mode & S_ISGID && st->st_mode & S_IXGRP ? st->st_gid : getegid();

	return uid != getuid() || gid != getgid();
}

/* The capabilities of a file are nothing new to root: cap_bprm_creds_from_file() in security/commoncap.c. */
static bool is_privileged(const char *path)
{
	struct statvfs fs;
	struct stat st;
	bool has_suid = !statvfs(path, &fs) && !(fs.f_flag & ST_NOSUID);

	if (stat(path, &st))
		return false;
	if (changes_ids(&st, has_suid && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1))
		return true;
	return has_suid && getuid() && getxattr(path, "security.capability", NULL, 0) > 0;
}

/* -1: no regular file, or unreadable. A file of another kind is not opened: a FIFO waits, a device may act. */
static int open_regular(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static enum hpt_target_state state_of(const struct hpt_elf_facts *elf)
{
	/* A dynamic linker that is called by its name has none itself. */
	if (!*elf->interpreter)
		return elf->has_soname ? HPT_TARGET_GOOD : HPT_TARGET_STATIC;
	return !strncmp(elf->interpreter, "ld-musl", 7) ? HPT_TARGET_MUSL : HPT_TARGET_GOOD;
}

/* Returns true if the file is a script, whose interpreter is then *interpreter. */
static bool read_file(struct hpt_target *t, char interpreter[HPT_SHEBANG_MAX])
{
	char head[HPT_SHEBANG_MAX];
	int fd = open_regular(t->path);
	bool is_script = false;
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, head, sizeof(head), 0);
	if (n > 0 && hpt_shebang_parse(head, (size_t)n, interpreter))
		is_script = true;
	else if (n > 0 && hpt_elf_facts_read(fd, &t->elf))
		t->state = state_of(&t->elf);
	close(fd);
	return is_script;
}

void hpt_target_find(const char *name, struct hpt_target *ret)
{
	char interpreter[HPT_SHEBANG_MAX];
	int scripts = 0;

	*ret = (struct hpt_target){ .state = HPT_TARGET_UNKNOWN, .path = look_up(name) };
	while (ret->path && read_file(ret, interpreter)) {
		free(ret->path);
		ret->path = ++scripts > SCRIPTS_MAX ? NULL : hpt_asprintf("%s", interpreter);
	}
	/* Of scripts the kernel ignores these bits. */
	if (ret->path && is_privileged(ret->path))
		ret->state = HPT_TARGET_PRIVILEGED;
}

void hpt_target_clear(struct hpt_target *t)
{
	free(t->path);
	t->path = NULL;
}

const char *hpt_target_hindrance(enum hpt_target_state state)
{
	switch (state) {
	case HPT_TARGET_STATIC:
		return "is statically linked";
	case HPT_TARGET_MUSL:
		return "is linked with musl";
	case HPT_TARGET_PRIVILEGED:
		return "runs with privileges of its own";
	default:
		return NULL;
	}
}
