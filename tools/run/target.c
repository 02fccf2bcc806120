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

#include "cli/util.h"
#include "run/shebang.h"

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
	return xasprintf("%.*s%s%s", n, folder, n ? "/" : "", name);
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
	return strchr(name, '/') ? is_program(name) ? xasprintf("%s", name) : NULL : search(name);
}

bool target_is_there(const char *name)
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

/* ---- Its C library ----------------------------------------------------------------------------------------------- */

/* Each version of glibc defines its own name and those of all before it. The object is tested with 2.28 and later. */
#define GLIBC_LEAST "GLIBC_2.28"

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* 1, or 0: the object there has the name, or has not. -1: there is none for such programs. */
static int has_name(const char *path, struct elf_kind kind, const char *name)
{
	struct elf_facts facts;
	int fd = open_regular(path), r = -1;

	if (fd < 0)
		return -1;
	if (elf_facts_read(fd, &facts) && elf_kind_is_same(facts.kind, kind))
		r = elf_facts_has_name(fd, name);
	close(fd);
	return r;
}

/* The same for the C library in a folder, which may begin with $ORIGIN, the folder of the program. */
static int is_recent_in(const char *folder, int n, const struct target *t)
{
	static const char *const origins[] = { "$ORIGIN", "${ORIGIN}" };
	char *real = realpath(t->path, NULL), *path = NULL;
	int r;

	for (size_t i = 0; real && i < sizeof(origins) / sizeof(origins[0]); i++) {
		int length = (int)strlen(origins[i]);

		if (!path && n >= length && !strncmp(folder, origins[i], (size_t)length))
			path = xasprintf("%.*s%.*s/libc.so.6", (int)(file_name(real) - real), real, n - length,
					    folder + length);
	}
	if (!path)
		path = xasprintf("%.*s/libc.so.6", n, folder);
	r = has_name(path, t->elf.kind, GLIBC_LEAST);
	free(path);
	free(real);
	return r;
}

/* The first of a list of folders that has one counts. */
static int is_recent_among(const char *folders, const struct target *t)
{
	int r = -1;

	while (*folders && r < 0) {
		int n = (int)strcspn(folders, ":;");

		if (n)
			r = is_recent_in(folders, n, t);
		folders += n + (folders[n] != '\0');
	}
	return r;
}

/*
 * A dynamic linker and its C library are made for each other, and lie in one folder: that of the system, or of a
 * program that brings its own. The folders that the program names come first. LD_LIBRARY_PATH names none that is too
 * old for the program, but not for this command.
 */
static bool is_old(const struct target *t, const char *loader)
{
	char *real = realpath(loader, NULL);
	int r = is_recent_among(t->elf.folders, t);

	if (r < 0 && real)
		r = is_recent_in(real, (int)(file_name(real) - real), t);
	free(real);
	return !r;
}

static enum target_state state_of(const struct target *t)
{
	/* A dynamic linker that is called by its name has none itself. */
	const char *loader = t->elf.has_interpreter ? t->elf.interpreter : t->path;

	if (!t->elf.has_interpreter && !t->elf.has_soname)
		return TARGET_STATIC;
	if (!strncmp(file_name(loader), "ld-musl", 7))
		return TARGET_MUSL;
	/* That of glibc shares internal functions with the C library. */
	if (!has_name(loader, t->elf.kind, "GLIBC_PRIVATE"))
		return TARGET_NO_GLIBC;
	return is_old(t, loader) ? TARGET_OLD_GLIBC : TARGET_GOOD;
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

/* Returns true if the file is a script, whose interpreter is then *interpreter. */
static bool read_file(struct target *t, char interpreter[SHEBANG_MAX])
{
	char head[SHEBANG_MAX];
	int fd = open_regular(t->path);
	bool is_script = false;
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, head, sizeof(head), 0);
	if (n > 0 && shebang_parse(head, (size_t)n, interpreter))
		is_script = true;
	else if (n > 0 && elf_facts_read(fd, &t->elf))
		t->state = state_of(t);
	close(fd);
	return is_script;
}

void target_find(const char *name, struct target *ret)
{
	char interpreter[SHEBANG_MAX];
	int scripts = 0;

	*ret = (struct target){ .state = TARGET_UNKNOWN, .path = look_up(name) };
	while (ret->path && read_file(ret, interpreter)) {
		free(ret->path);
		ret->path = ++scripts > SCRIPTS_MAX ? NULL : xasprintf("%s", interpreter);
	}
	/* Of scripts the kernel ignores these bits. */
	if (ret->path && is_privileged(ret->path))
		ret->state = TARGET_PRIVILEGED;
}

void target_clear(struct target *t)
{
	free(t->path);
	t->path = NULL;
}

const char *target_hindrance(enum target_state state)
{
	switch (state) {
	case TARGET_STATIC:
		return "is statically linked";
	case TARGET_MUSL:
		return "is linked with musl";
	case TARGET_NO_GLIBC:
		return "has another C library than glibc";
	case TARGET_OLD_GLIBC:
		return "has a glibc that is older than 2.28";
	case TARGET_PRIVILEGED:
		return "runs with privileges of its own";
	default:
		return NULL;
	}
}
