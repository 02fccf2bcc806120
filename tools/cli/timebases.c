// SPDX-License-Identifier: MIT
/* Reads and appends to files of time bases: tools/cli/timebases.h. */
#include "cli/timebases.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/util.h"

/* ---- Reading ---------------------------------------------------------------------------------------------- */

/* Why a time base cannot follow the one before it; NULL: it can. */
static const char *fault_of(const struct hpt_timebase_fields *before, const struct hpt_timebase_fields *it)
{
	static const uint8_t unknown[sizeof(it->boot_id)];

	if (before->source != it->source)
		return "is of another source than the one before it";
	if (!memcmp(it->boot_id, unknown, sizeof(unknown)))
		return "does not say which boot it is of";
	if (memcmp(before->boot_id, it->boot_id, sizeof(unknown)))
		return "is of another boot than the one before it";
	if (hpt_timebase_pair(before, it) == -EINVAL)
		return "is earlier than the one before it";
	return NULL;
}

static bool is_good(const char *what, const char *path, struct timebases *t, size_t i)
{
	const char *fault;

	if (hpt_timebase_decode(&t->bases[i], &t->fields[i])) {
		err_print("%s: %s: time base %zu is damaged, or of another version", what, path, i + 1);
		return false;
	}
	fault = i ? fault_of(&t->fields[i - 1], &t->fields[i]) : NULL;
	if (fault)
		err_print("%s: %s: time base %zu %s", what, path, i + 1, fault);
	return !fault;
}

static bool read_all(const char *what, const char *path, FILE *f, struct timebases *t)
{
	struct hpt_timebase base;
	size_t got, room = 0;

	while ((got = fread(&base, 1, sizeof(base), f)) == sizeof(base)) {
		if (t->n == room) {
			room = room ? 2 * room : 64;
			t->bases = xneed(realloc(t->bases, room * sizeof(*t->bases)));
			t->fields = xneed(realloc(t->fields, room * sizeof(*t->fields)));
		}
		t->bases[t->n++] = base;
		if (!is_good(what, path, t, t->n - 1))
			return false;
	}
	t->is_cut = got && t->n;
	if (ferror(f))
		err_print("%s: %s: %s", what, path, strerror(errno));
	else if (t->is_cut)
		err_print("%s: %s: time base %zu has %zu of its %zu bytes, and is left out: the file may be cut there",
			  what, path, t->n + 1, got, sizeof(base));
	else if (!t->n)
		err_print("%s: %s: %s", what, path, got ? "is no file of time bases" : "is empty");
	return !ferror(f) && t->n;
}

static void set_starts(struct timebases *t)
{
	t->starts = xcalloc(t->n + 1, sizeof(*t->starts));
	for (size_t i = 0; i < t->n; i++)
		if (!i || hpt_timebase_pair(&t->fields[i - 1], &t->fields[i]))
			t->starts[t->n_generations++] = i;
	t->starts[t->n_generations] = t->n;
}

/* Reports why a file cannot be opened. */
static void report_open(const char *what, const char *path)
{
	if (*path)
		err_print("%s: %s: %s", what, path, strerror(errno));
	else
		err_print("%s: the name of the file of time bases is empty", what);
}

bool timebases_read(const char *what, const char *path, struct timebases *ret)
{
	int fd = open_input(path);
	FILE *f = fd < 0 ? NULL : xneed(fdopen(fd, "rb"));
	bool is_read;

	*ret = (struct timebases){ 0 };
	if (!f) {
		report_open(what, path);
		return false;
	}
	is_read = read_all(what, path, f, ret);
	fclose(f);
	if (is_read)
		set_starts(ret);
	else
		timebases_free(ret);
	return is_read;
}

void timebases_free(struct timebases *t)
{
	free(t->bases);
	free(t->fields);
	free(t->starts);
	*t = (struct timebases){ 0 };
}

/* ---- Finding ---------------------------------------------------------------------------------------------- */

/*
 * True if a tick is in the generation of the time bases i to end - 1. That ends where the next one begins. If it is not
 * known which is the next, or if the next restarted the counter, it ends with its last time base.
 */
static bool has(const struct timebases *t, size_t i, size_t end, int64_t tick)
{
	const struct hpt_timebase_fields *last = &t->fields[end - 1], *next = &t->fields[end];

	if (tick < t->fields[i].start)
		return false;
	if (end == t->n || tick <= last->tick)
		return true;
	return next->generation == last->generation + 1 && next->start > last->tick && tick < next->start;
}

static void set_pair(const struct timebases *t, size_t i, size_t end, int64_t tick, struct timebases_pair *ret)
{
	bool is_alone = end == i + 1;

	/* Number i is the first, or not after the tick; the last but one at most. */
	for (size_t after = end - 1; i + 1 < after;) {
		size_t middle = i + (after - i) / 2;

		if (t->fields[middle].tick <= tick)
			i = middle;
		else
			after = middle;
	}
	*ret = (struct timebases_pair){ .first = &t->bases[i], .first_fields = &t->fields[i] };
	if (is_alone)
		return;
	ret->last = &t->bases[i + 1];
	ret->last_fields = &t->fields[i + 1];
}

bool timebases_find(const struct timebases *t, int64_t tick, struct timebases_pair *ret)
{
	size_t found = 0;

	for (size_t g = 0; g < t->n_generations; g++) {
		if (!has(t, t->starts[g], t->starts[g + 1], tick))
			continue;
		found++;
		set_pair(t, t->starts[g], t->starts[g + 1], tick, ret);
	}
	return found == 1;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/* The last time base of a regular file; false, with a message, if the file does not end with one. */
static bool read_last(const char *what, const char *path, off_t size, struct hpt_timebase_fields *ret)
{
	struct hpt_timebase last;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, &last, sizeof(last), size - (off_t)sizeof(last));

	if (fd < 0)
		err_print("%s: %s: %s", what, path, strerror(errno));
	else if (size % (off_t)sizeof(last) || n != sizeof(last) || hpt_timebase_decode(&last, ret))
		err_print("%s: %s: does not end with a time base, so none is appended", what, path);
	else
		return !close(fd);
	if (fd >= 0)
		close(fd);
	return false;
}

/* False, with a message, if timebases_read() would refuse the file because of the new time base. */
static bool may_append(const char *what, const char *path, int fd, const struct hpt_timebase *base)
{
	struct hpt_timebase_fields before, it;
	const char *fault;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return true;
	if (!read_last(what, path, st.st_size, &before) || hpt_timebase_decode(base, &it))
		return false;
	fault = fault_of(&before, &it);
	if (fault)
		err_print("%s: %s: nothing is appended, because a time base of now %s", what, path, fault);
	return !fault;
}

static bool append(const char *what, const char *path, int fd)
{
	struct hpt_timebase base;
	ssize_t n;
	int r;

	(void)flock(fd, LOCK_EX); /* for the order of time bases that several processes append */
	r = hpt_clock_get_timebase(NULL, &base, sizeof(base));
	if (r) {
		err_print("%s: the clock has no time base: %s", what, strerror(-r));
		return false;
	}
	if (!may_append(what, path, fd, &base))
		return false;
	errno = 0;
	n = write(fd, &base, sizeof(base));
	if (n != sizeof(base))
		err_print("%s: %s: %s", what, path, errno ? strerror(errno) : "only a part was written");
	return n == sizeof(base);
}

bool timebases_append(const char *what, const char *path)
{
	/* O_NONBLOCK: opening a FIFO that nobody reads fails, and does not wait. */
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	bool is_appended;

	if (fd < 0) {
		report_open(what, path);
		return false;
	}
	is_appended = append(what, path, fd);
	if (!close(fd))
		return is_appended;
	err_print("%s: %s: %s", what, path, strerror(errno));
	return false;
}
