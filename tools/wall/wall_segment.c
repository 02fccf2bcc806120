// SPDX-License-Identifier: MIT
/*
 * Writes a segment of ClockBound's: tools/wall/wall_segment.h. By write(2), not by a mapping: whoever cuts the file
 * short would end this process by SIGBUS.
 */
#include "wall/wall_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "cli/err.h"
#include "cli/util.h"

/* Of the first statement in a new file. To readers 0 is a file without one. */
#define FIRST_GENERATION 2

/* Another publisher may make the file, or somebody remove it, between two looks. */
#define OPEN_TRIES 10

/* As ClockBound's daemon makes it: for everybody to read. */
#define MODE 0644

/* FAILED is false too. AGAIN: somebody else made the file, or it is not there. */
enum outcome { FAILED, DONE, AGAIN };

static enum outcome fail(const char *path, const char *why)
{
	err_print("cannot publish to %s: %s", path, why);
	return FAILED;
}

static bool write_at(struct wall_segment *seg, const unsigned char *bytes, size_t size, size_t at)
{
	ssize_t n = pwrite(seg->fd, bytes, size, (off_t)at);

	if (n == (ssize_t)size)
		return true;
	return fail(seg->path, n < 0 ? strerror(errno) : "it cannot be written whole");
}

/* ---- A file that exists ------------------------------------------------------------------------------------------ */

static uint16_t generation_in(const unsigned char *bytes)
{
	uint16_t generation;

	memcpy(&generation, bytes + HPT_CLOCKBOUND_GENERATION, sizeof(generation));
	return generation;
}

/* NULL: it is a segment of this version. */
static const char *why_other(const struct wall_segment *seg, const unsigned char *bytes, const struct stat *st)
{
	unsigned char there[HPT_CLOCKBOUND_HEADER];

	if (pread(seg->fd, there, sizeof(there), 0) != sizeof(there) || memcmp(there, bytes, HPT_CLOCKBOUND_SIZE))
		return "it is a file of another program, and stays as it is";
	if (memcmp(there, bytes, HPT_CLOCKBOUND_GENERATION) || st->st_size != (off_t)seg->size)
		return "it has another version of ClockBound's layout; remove it, or name another file";
	return NULL;
}

/* By a write lock, which those that may only read cannot take. NULL: nobody else has it. */
static const char *why_locked(const struct wall_segment *seg)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (!fcntl(seg->fd, F_OFD_SETLK, &whole))
		return NULL;
	return errno == EAGAIN || errno == EACCES ? "another process publishes there" : strerror(errno);
}

/* NULL: nobody else can write there, as in a file that another user made first. */
static const char *why_open_to_others(const struct stat *st)
{
	if (st->st_uid != geteuid())
		return "it belongs to another user";
	return st->st_mode & (S_IWGRP | S_IWOTH) ? "other users may write to it" : NULL;
}

static enum outcome check_opened(struct wall_segment *seg, const unsigned char *bytes)
{
	const char *why;
	struct stat st;

	if (fstat(seg->fd, &st))
		return fail(seg->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail(seg->path, "it is no regular file");
	why = why_other(seg, bytes, &st);
	if (!why)
		why = why_open_to_others(&st);
	if (!why)
		why = why_locked(seg);
	return why ? fail(seg->path, why) : DONE;
}

static enum outcome open_existing(struct wall_segment *seg, const unsigned char *bytes)
{
	enum outcome r;

	seg->fd = open(seg->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (seg->fd < 0 && errno == ENOENT)
		return AGAIN;
	if (seg->fd < 0)
		return fail(seg->path, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
	r = check_opened(seg, bytes);
	if (r == DONE && pread(seg->fd, seg->bytes, seg->size, 0) != (ssize_t)seg->size)
		r = fail(seg->path, strerror(errno));
	if (r == DONE)
		seg->generation = generation_in(seg->bytes);
	else
		close(seg->fd);
	return r;
}

/* ---- A new file -------------------------------------------------------------------------------------------------- */

/* link(2) leaves a file alone that somebody else made meanwhile. */
static enum outcome fill_and_link(struct wall_segment *seg, const char *temporary, const unsigned char *bytes)
{
	const char *why;

	if (!write_at(seg, bytes, seg->size, 0))
		return FAILED;
	why = fchmod(seg->fd, MODE) ? strerror(errno) : why_locked(seg);
	if (why)
		return fail(seg->path, why);
	if (link(temporary, seg->path))
		return errno == EEXIST ? AGAIN : fail(seg->path, strerror(errno));
	seg->generation = FIRST_GENERATION;
	memcpy(seg->bytes, bytes, seg->size);
	return DONE;
}

static enum outcome make_new(struct wall_segment *seg, const unsigned char *bytes)
{
	char *temporary = xasprintf("%s.XXXXXX", seg->path);
	enum outcome r = FAILED;

	seg->fd = mkostemp(temporary, O_CLOEXEC);
	if (seg->fd < 0) {
		(void)fail(seg->path, strerror(errno));
	} else {
		r = fill_and_link(seg, temporary, bytes);
		unlink(temporary);
		if (r != DONE)
			close(seg->fd);
	}
	free(temporary);
	return r;
}

/* Where a file outlives a restart of the machine, so does its statement, and the counter begins again. */
static void warn_of_disk(const struct wall_segment *seg)
{
	struct statfs fs;

	/* Its type differs between architectures. */
	if (!fstatfs(seg->fd, &fs) && (uint32_t)fs.f_type != TMPFS_MAGIC && (uint32_t)fs.f_type != RAMFS_MAGIC)
		err_print("%s is on a disk: after a restart of the machine programs would believe what it says of "
			  "before; name a file in memory, as below /dev/shm", seg->path);
}

bool wall_segment_open(struct wall_segment *seg, const char *path, const struct wall_statement *first)
{
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	enum outcome r = AGAIN;

	*seg = (struct wall_segment){ .path = path };
	seg->size = wall_statement_bytes(first, FIRST_GENERATION, bytes);
	for (int tries = 0; r == AGAIN && tries < OPEN_TRIES; tries++) {
		r = open_existing(seg, bytes);
		if (r == DONE && !wall_segment_write(seg, first)) {
			close(seg->fd);
			return false;
		}
		if (r == AGAIN)
			r = make_new(seg, bytes);
	}
	if (r == AGAIN)
		(void)fail(path, "others make and remove it");
	if (r != DONE)
		return false;
	warn_of_disk(seg);
	return true;
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

/* NULL: the file is as this process left it. */
static const char *why_not_ours(const struct wall_segment *seg)
{
	unsigned char there[HPT_CLOCKBOUND_V3_SIZE];
	struct stat st;

	if (fstat(seg->fd, &st))
		return strerror(errno);
	if (!st.st_nlink)
		return "somebody removed or replaced it";
	if (st.st_size != (off_t)seg->size || pread(seg->fd, there, seg->size, 0) != (ssize_t)seg->size ||
	    memcmp(there, seg->bytes, seg->size))
		return "another program writes there";
	return NULL;
}

static bool write_generation(struct wall_segment *seg, uint16_t generation)
{
	seg->generation = generation;
	memcpy(seg->bytes + HPT_CLOCKBOUND_GENERATION, &generation, sizeof(generation));
	return write_at(seg, (const unsigned char *)&generation, sizeof(generation), HPT_CLOCKBOUND_GENERATION);
}

/*
 * As ShmWriter::write() of clock-bound-shm 2.0.3, src/writer.rs: an odd generation while the statement is written, then
 * the next even one, but never 0. A writer that was killed meanwhile leaves an odd one, with which readers keep to what
 * they read before. The fences keep the order for readers on other CPUs, which map the pages that write(2) fills.
 */
bool wall_segment_write(struct wall_segment *seg, const struct wall_statement *s)
{
	const size_t at = HPT_CLOCKBOUND_HEADER;
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE];
	const char *why = why_not_ours(seg);
	uint16_t odd = seg->generation | 1, even = (uint16_t)(odd + 1);

	if (why)
		return fail(seg->path, why);
	(void)wall_statement_bytes(s, odd, bytes);
	if (!write_generation(seg, odd))
		return false;
	atomic_thread_fence(memory_order_seq_cst);
	if (!write_at(seg, bytes + at, seg->size - at, at))
		return false;
	memcpy(seg->bytes + at, bytes + at, seg->size - at);
	atomic_thread_fence(memory_order_seq_cst);
	return write_generation(seg, even ? even : FIRST_GENERATION);
}

void wall_segment_close(struct wall_segment *seg)
{
	close(seg->fd);
}
