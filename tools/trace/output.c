// SPDX-License-Identifier: MIT
/* Begins and ends the output of an encoder: tools/trace/output.h. */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/file.h"

/* Not all zeros, which OpenTelemetry forbids. */
static void set_id(uint8_t id[16])
{
	if (getrandom(id, 16, 0) != 16)
		memset(id, 0, 16);
	id[0] |= 1;
}

static bool report(const struct output *o, int error)
{
	if (o->folder)
		err_print("%s: %s: %s", o->what, o->folder, strerror(error));
	else
		err_print("write error: %s", strerror(error));
	return false;
}

static bool open_folder(struct output *o)
{
	if (!file_folder(o->folder))
		return false;
	o->fd = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return o->fd >= 0 || report(o, errno);
}

bool output_begin(struct output *o, const struct encoder *encoder, const struct about *about, const char *what,
		  const char *folder)
{
	o->encoder = encoder;
	o->what = what;
	o->folder = encoder->needs_folder ? folder : NULL;
	o->is_file = false;
	o->about = *about;
	set_id(o->about.id);
	if (!o->folder)
		o->fd = STDOUT_FILENO;
	else if (!open_folder(o))
		return false;
	sink_open(&o->sink, o->fd);
	o->state = encoder->begin(&o->about, &o->sink, o->fd);
	if (o->state)
		return true;
	report(o, errno);
	if (o->folder)
		close(o->fd);
	return false;
}

bool output_begin_file(struct output *o, const struct encoder *encoder, const struct about *about, const char *what,
		       int fd, const char *shown)
{
	*o = (struct output){ .encoder = encoder, .what = what, .folder = shown, .is_file = true, .fd = fd };
	o->about = *about;
	set_id(o->about.id);
	sink_open(&o->sink, fd);
	o->state = encoder->begin(&o->about, &o->sink, -1);
	if (o->state)
		return true;
	report(o, errno);
	close(fd);
	return false;
}

bool output_end(struct output *o)
{
	int error = o->encoder->end(o->state);

	if (!o->folder || o->is_file)
		error = sink_close(&o->sink);
	if (o->folder && close(o->fd) && !error)
		error = errno;
	return !error || report(o, error);
}
