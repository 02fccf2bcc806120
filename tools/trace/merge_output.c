// SPDX-License-Identifier: MIT
/* One output or one for each file: tools/trace/merge_output.h. */
#include "trace/merge_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/file.h"
#include "cli/util.h"
#include "trace/manifest.h"

/* The line is UTC's, which is what Perfetto takes CLOCK_REALTIME of all machines for: the manifest names that. */
static struct about about_of(const struct merge_output *out)
{
	return (struct about){
		.clock = EVENT_REALTIME, .has_unix = true, .has_stamp = true, .is_viewers_line = true,
		.n_processes = out->n_inputs, .processes = out->names,
	};
}

/*
 * What a name may take in the header of every form of tar. Perfetto's reader gives a longer one the NUL that ends it in
 * the archive, and does not find it in the manifest.
 */
#define MEMBER_MOST 99

/* How many bytes of UTF-8 are whole characters, of n at most. */
static size_t whole_characters(const char *text, size_t n)
{
	if (strlen(text) <= n)
		return strlen(text);
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* Numbers keep files of one name apart. */
static char *member(const struct merge_output *out, size_t i)
{
	static const char suffix[] = ".pftrace";
	char number[24];
	size_t used = (size_t)snprintf(number, sizeof(number), "%zu-", i + 1) + strlen(suffix);

	return xasprintf("%s%.*s%s", number, (int)whole_characters(out->names[i], MEMBER_MOST - used), out->names[i],
			 suffix);
}

static bool report(const struct merge_output *out, const char *name, int error)
{
	err_print("%s: %s/%s: %s", out->what, out->folder, name, strerror(error));
	return false;
}

static int create(const struct merge_output *out, const char *name)
{
	return openat(out->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
}

static const char manifest_name[] = "perfetto_manifest.json";

static bool write_manifest(const struct merge_output *out)
{
	struct manifest_file *files = xcalloc(out->n_inputs, sizeof(*files));
	char **paths = xcalloc(out->n_inputs, sizeof(*paths));
	struct sink *to = xcalloc(1, sizeof(*to));
	int fd = create(out, manifest_name), error = fd < 0 ? errno : 0;

	for (size_t i = 0; i < out->n_inputs; i++) {
		paths[i] = member(out, i);
		files[i] = (struct manifest_file){ paths[i], out->inputs[i].bases.fields[0].boot_id };
	}
	if (fd >= 0) {
		sink_open(to, fd);
		manifest_write(files, out->n_inputs, to);
		error = sink_close(to);
		close(fd);
	}
	for (size_t i = 0; i < out->n_inputs; i++)
		free(paths[i]);
	free(paths);
	free(files);
	free(to);
	if (error && fd >= 0)
		unlinkat(out->fd, manifest_name, 0);
	return !error || report(out, manifest_name, error);
}

static bool begin_member(struct merge_output *out, size_t i)
{
	struct about about = about_of(out);
	char *name = member(out, i);
	int fd = create(out, name);
	bool is_good = fd >= 0 || report(out, name, errno);

	is_good = is_good && output_begin_file(&out->outputs[i], out->to, &about, out->what, fd, out->folder);
	out->n += is_good;
	free(name);
	return is_good;
}

/* What was begun: another try finds the folder as it was. */
static void remove_members(const struct merge_output *out)
{
	for (size_t i = 0; i < out->n; i++) {
		char *name = member(out, i);

		unlinkat(out->fd, name, 0);
		free(name);
	}
	unlinkat(out->fd, manifest_name, 0);
}

/* Perfetto's folder: the manifest, and a trace for each file. */
static bool begin_folder(struct merge_output *out)
{
	bool is_new = access(out->folder, F_OK) != 0, has_manifest, is_good;

	if (!file_folder(out->folder))
		return false;
	out->fd = open(out->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (out->fd < 0)
		err_print("%s: %s: %s", out->what, out->folder, strerror(errno));
	is_good = out->fd >= 0 && write_manifest(out);
	has_manifest = is_good;
	for (size_t i = 0; i < out->n_inputs && is_good; i++)
		is_good = begin_member(out, i);
	if (has_manifest && !is_good)
		remove_members(out);
	if (is_new && !is_good)
		rmdir(out->folder);
	return is_good;
}

static bool begin_one(struct merge_output *out)
{
	struct about about = about_of(out);

	out->n = output_begin(&out->outputs[0], out->to, &about, out->what, out->folder);
	return out->n;
}

static bool end_all(struct merge_output *out)
{
	bool is_good = true;

	for (size_t i = 0; i < out->n; i++)
		is_good &= output_end(&out->outputs[i]);
	free(out->outputs);
	free(out->names);
	if (out->fd >= 0)
		close(out->fd);
	return is_good;
}

bool merge_output_begin(struct merge_output *out)
{
	bool is_perfetto = out->to == &encoder_perfetto;

	out->fd = -1;
	out->outputs = xcalloc(is_perfetto ? out->n_inputs : 1, sizeof(*out->outputs));
	out->names = xcalloc(out->n_inputs, sizeof(*out->names));
	for (size_t i = 0; i < out->n_inputs; i++)
		out->names[i] = out->inputs[i].name;
	if (is_perfetto ? begin_folder(out) : begin_one(out))
		return true;
	end_all(out);
	return false;
}

void merge_output_put(struct merge_output *out, const struct event *events, size_t n)
{
	if (out->fd < 0) {
		output_put(&out->outputs[0], events, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		output_put(&out->outputs[events[i].process], &events[i], 1);
}

bool merge_output_is_lost(const struct merge_output *out)
{
	for (size_t i = 0; i < out->n; i++)
		if (output_is_lost(&out->outputs[i]))
			return true;
	return false;
}

bool merge_output_end(struct merge_output *out)
{
	return end_all(out);
}
