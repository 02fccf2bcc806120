// SPDX-License-Identifier: MIT
/* Writes to a temporary file, which replaces the old file when it is complete: tools/cli/file.h. */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"

/* The kernel's limit on symbolic links in a path: MAXSYMLINKS in include/linux/namei.h. */
#define LINKS_MAX 40

static bool report(const char *path)
{
	err_print("%s: %s", path, strerror(errno));
	return false;
}

/* Joins the folder of @path, up to its last slash, and @name. */
static char *in_folder_of(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *joined = xcalloc(folder + strlen(name) + 1, 1);

	memcpy(joined, path, folder);
	strcpy(joined + folder, name);
	return joined;
}

/* Returns the target of a link; NULL: @path is no link. */
static char *read_link(const char *path)
{
	for (size_t size = 128;; size *= 2) {
		char *text = xcalloc(size, 1);
		ssize_t n = readlink(path, text, size);

		if (n >= 0 && (size_t)n < size)
			return text;
		free(text);
		if (n < 0)
			return NULL;
	}
}

/*
 * Follows links to the place where the file is, or will be if the last link dangles. NULL with errno: the links form a
 * loop.
 */
static char *follow(const char *path)
{
	char *at = xcalloc(strlen(path) + 1, 1);

	strcpy(at, path);
	for (int i = 0; i <= LINKS_MAX; i++) {
		char *link = read_link(at), *next;

		if (!link)
			return at;
		next = in_folder_of(link[0] == '/' ? "" : at, link);
		free(link);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* The permissions of a new file. Only setting the mask returns it; no other thread makes files meanwhile. */
static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static void forget(struct file *f)
{
	free(f->path);
	free(f->target);
	free(f->temporary);
	*f = (struct file){ 0 };
}

static bool fail(struct file *f, int error)
{
	errno = error;
	report(f->path);
	if (f->temporary)
		unlink(f->temporary);
	forget(f);
	return false;
}

/*
 * A terminal, a pipe or another file that is not regular is written in place. The kernel refuses a folder, and a pipe
 * without a reader, for which open() would otherwise wait for ever.
 */
static bool open_itself(struct file *f)
{
	int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	f->to = fd < 0 ? NULL : fdopen(fd, "w");
	return f->to || fail(f, errno);
}

/*
 * Finds /dev/stdout and /dev/stderr: a socket cannot be opened by that name, and a file that a shell has opened would
 * be replaced or truncated.
 */
static int stream_at(const struct stat *st)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat own;

		if (fstat(fd, &own) == 0 && own.st_dev == st->st_dev && own.st_ino == st->st_ino)
			return fd;
	}
	return -1;
}

static bool open_stream(struct file *f, int stream)
{
	int fd = fcntl(stream, F_DUPFD_CLOEXEC, 0);

	f->to = fd < 0 ? NULL : fdopen(fd, "w");
	return f->to || fail(f, errno);
}

/*
 * The folder's permissions decide whether files may be replaced, the file's own whether it may be written: a read-only
 * file is not meant to be lost. Where fchmod() fails, on foreign file systems, there are no permissions to keep.
 */
static bool open_temporary(struct file *f, const struct stat *old)
{
	mode_t mode = old ? old->st_mode & 0777 : new_mode();
	char *temporary;
	int fd;

	if (old && faccessat(AT_FDCWD, f->target, W_OK, AT_EACCESS) < 0)
		return fail(f, errno);
	temporary = in_folder_of(f->target, ".hpt-XXXXXX");
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		int error = errno;

		free(temporary);
		return fail(f, error);
	}
	f->temporary = temporary;
	fchmod(fd, mode);
	f->to = fdopen(fd, "w");
	if (!f->to) {
		int error = errno;

		close(fd);
		return fail(f, error);
	}
	return true;
}

static void append_partial(char **path)
{
	char *longer = xasprintf("%s.partial", *path);

	free(*path);
	*path = longer;
}

void file_divert(struct file *f)
{
	if (!f->temporary)
		return;
	append_partial(&f->path);
	append_partial(&f->target);
	f->replaces = false;
}

bool file_open(struct file *f, const char *path)
{
	struct stat st;
	bool exists;

	*f = (struct file){ .path = strdup(path) };
	if (!f->path)
		return report(path);
	f->target = follow(path);
	if (!f->target)
		return fail(f, errno);
	/* Of the path, not of its target: /dev/stdout may lead to a pipe by a link whose text is no path. */
	exists = stat(path, &st) == 0;
	if (!exists && errno != ENOENT)
		return fail(f, errno);
	if (!exists && (!path[0] || path[strlen(path) - 1] == '/'))
		return fail(f, path[0] ? EISDIR : ENOENT);
	if (exists && stream_at(&st) >= 0)
		return open_stream(f, stream_at(&st));
	if (exists && !S_ISREG(st.st_mode))
		return open_itself(f);
	f->replaces = exists;
	return open_temporary(f, exists ? &st : NULL);
}

/*
 * Does not call fsync(), which may take long: a user who loses power in the second after a benchmark can run it again.
 * Errors that only the end of writing shows, such as a full disk, are seen nevertheless.
 */
static bool close_whole(FILE *to)
{
	bool is_whole = fflush(to) == 0 && !ferror(to);
	int error = errno;

	/*
	 * The errno of an earlier write is lost by now: one more line feed, in a file that is lost anyway, brings it
	 * back.
	 */
	if (!is_whole)
		error = write(fileno(to), "\n", 1) < 0 ? errno : EIO;
	if (fclose(to) != 0 && is_whole) {
		error = errno;
		is_whole = false;
	}
	errno = error;
	return is_whole;
}

bool file_commit(struct file *f)
{
	if (!close_whole(f->to))
		return fail(f, errno);
	if (f->temporary && rename(f->temporary, f->target) < 0)
		return fail(f, errno);
	forget(f);
	return true;
}

void file_abandon(struct file *f)
{
	if (!f->to)
		return;
	fclose(f->to);
	if (f->temporary)
		unlink(f->temporary);
	forget(f);
}

bool file_folder(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return true;
	if (errno != EEXIST)
		return report(path);
	if (stat(path, &st) < 0)
		return report(path);
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode) || report(path);
}
