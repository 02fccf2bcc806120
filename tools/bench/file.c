// SPDX-License-Identifier: MIT
/* Files by way of a temporary one: file.h. */
#include "bench/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "util.h"

/* As many symbolic links as the kernel follows: MAXSYMLINKS in include/linux/namei.h. */
#define LINKS_MAX 40

static bool tell(const char *path)
{
	hpt_err("%s: %s", path, strerror(errno));
	return false;
}

/* With what is before the last slash of another path, the slash with it. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *joined = hpt_calloc(folder + strlen(name) + 1, 1);

	memcpy(joined, path, folder);
	strcpy(joined + folder, name);
	return joined;
}

/* What a link says, as long as it is; NULL: no link. */
static char *read_link(const char *path)
{
	for (size_t size = 128;; size *= 2) {
		char *text = hpt_calloc(size, 1);
		ssize_t n = readlink(path, text, size);

		if (n >= 0 && (size_t)n < size)
			return text;
		free(text);
		if (n < 0)
			return NULL;
	}
}

/* Link after link to where a file is or, behind a link to nothing, will be. NULL with errno: they go round. */
static char *follow(const char *path)
{
	char *at = hpt_calloc(strlen(path) + 1, 1);

	strcpy(at, path);
	for (int i = 0; i <= LINKS_MAX; i++) {
		char *link = read_link(at), *next;

		if (!link)
			return at;
		next = beside(link[0] == '/' ? "" : at, link);
		free(link);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* What a new file may be for whom. The mask cannot be read but by setting it; no other thread makes files. */
static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static void forget(struct hpt_file *f)
{
	free(f->path);
	free(f->target);
	free(f->temporary);
	*f = (struct hpt_file){ 0 };
}

static bool fail(struct hpt_file *f, int error)
{
	errno = error;
	tell(f->path);
	if (f->temporary)
		unlink(f->temporary);
	forget(f);
	return false;
}

/*
 * What is no regular file is written where it is: a terminal, a pipe. A folder is refused by the kernel, and a pipe that
 * nobody reads, which would be waited for without end.
 */
static bool open_itself(struct hpt_file *f)
{
	int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	f->to = fd < 0 ? NULL : fdopen(fd, "w");
	return f->to || fail(f, errno);
}

/*
 * /dev/stdout, whatever that is: a socket cannot be opened by that name, and a file that a shell has opened would be
 * replaced under it or begun anew.
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

static bool open_stream(struct hpt_file *f, int stream)
{
	int fd = fcntl(stream, F_DUPFD_CLOEXEC, 0);

	f->to = fd < 0 ? NULL : fdopen(fd, "w");
	return f->to || fail(f, errno);
}

/*
 * The folder decides whether files may be replaced, the file itself whether it may be written: one that is read-only is
 * not meant to be lost. Where permissions cannot be set there are none to keep: file systems of other systems.
 */
static bool open_temporary(struct hpt_file *f, const struct stat *old)
{
	mode_t mode = old ? old->st_mode & 0777 : new_mode();
	char *temporary;
	int fd;

	if (old && faccessat(AT_FDCWD, f->target, W_OK, AT_EACCESS) < 0)
		return fail(f, errno);
	temporary = beside(f->target, ".hpt-XXXXXX");
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

bool hpt_file_open(struct hpt_file *f, const char *path)
{
	struct stat st;
	bool exists;

	*f = (struct hpt_file){ .path = strdup(path) };
	if (!f->path)
		return tell(path);
	f->target = follow(path);
	if (!f->target)
		return fail(f, errno);
	/* Of the path as it is: /dev/stdout leads to a pipe by a link whose words lead nowhere. */
	exists = stat(path, &st) == 0;
	if (!exists && errno != ENOENT)
		return fail(f, errno);
	if (!exists && (!path[0] || path[strlen(path) - 1] == '/'))
		return fail(f, path[0] ? EISDIR : ENOENT);
	if (exists && stream_at(&st) >= 0)
		return open_stream(f, stream_at(&st));
	if (exists && !S_ISREG(st.st_mode))
		return open_itself(f);
	return open_temporary(f, exists ? &st : NULL);
}

/*
 * Not forced to the disk: that takes as long as the disk likes, and who loses power in the second after a benchmark
 * runs it again. Errors that only the end of writing shows, such as a full disk, are seen all the same.
 */
static bool close_whole(FILE *to)
{
	bool is_whole = fflush(to) == 0 && !ferror(to);
	int error = errno;

	/* What stopped an earlier write is forgotten by now: a line feed more, in what is lost anyway, tells. */
	if (!is_whole)
		error = write(fileno(to), "\n", 1) < 0 ? errno : EIO;
	if (fclose(to) != 0 && is_whole) {
		error = errno;
		is_whole = false;
	}
	errno = error;
	return is_whole;
}

bool hpt_file_commit(struct hpt_file *f)
{
	if (!close_whole(f->to))
		return fail(f, errno);
	if (f->temporary && rename(f->temporary, f->target) < 0)
		return fail(f, errno);
	forget(f);
	return true;
}

void hpt_file_abandon(struct hpt_file *f)
{
	if (!f->to)
		return;
	fclose(f->to);
	if (f->temporary)
		unlink(f->temporary);
	forget(f);
}

bool hpt_file_folder(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return true;
	if (errno != EEXIST)
		return tell(path);
	if (stat(path, &st) < 0)
		return tell(path);
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode) || tell(path);
}
