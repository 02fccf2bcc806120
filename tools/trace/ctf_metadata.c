// SPDX-License-Identifier: MIT
/* Writes TSDL: tools/trace/ctf_metadata.h. */
#include "trace/ctf_metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/util.h"
#include "math/units.h"

static const char types[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n";

static const char packets[] =
	"typealias integer { size = 64; align = 8; signed = false; map = clock.hpt.value; } := hpt_time_t;\n"
	"stream {\n"
	"\tpacket.context := struct {\n"
	"\t\thpt_time_t timestamp_begin; hpt_time_t timestamp_end;\n"
	"\t\tuint64_t content_size; uint64_t packet_size;\n"
	"\t};\n"
	"\tevent.header := struct { uint8_t id; hpt_time_t timestamp; };\n"
	"};\n";

static const char *const names[] = {
	[EVENT_INSTANT] = "instant", [EVENT_BEGIN] = "begin", [EVENT_END] = "end",
};

static void write_uuid(struct sink *s, const uint8_t id[16])
{
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++) {
		char pair[2] = { digits[id[i] >> 4], digits[id[i] & 15] };

		sink_bytes(s, pair, 2);
		if (i == 3 || i == 5 || i == 7 || i == 9)
			sink_text(s, "-");
	}
}

static void write_trace(struct sink *s, const struct about *about)
{
	sink_text(s, types);
	sink_text(s, "trace {\n\tmajor = 1; minor = 8; byte_order = le; uuid = \"");
	write_uuid(s, about->id);
	sink_text(s, "\";\n\tpacket.header := struct { uint32_t magic; uint8_t uuid[16]; };\n};\n");
}

static void write_field(struct sink *s, const char *key, int64_t value)
{
	sink_text(s, "\t");
	sink_text(s, key);
	sink_text(s, " = ");
	sink_decimal(s, value);
	sink_text(s, ";\n");
}

/* The offset makes Unix times of the values, as those of LTTng: exact at the trace's first moment. */
static void write_clock(struct sink *s, const struct about *about)
{
	int64_t offset = 0;

	if (about->has_unix && about->clock != EVENT_REALTIME)
		offset = __builtin_sub_overflow(about->first_unix_ns, about->first_ns, &offset) ? 0 : offset;
	sink_text(s, "clock {\n\tname = hpt;\n\tdescription = \"CLOCK_");
	sink_text(s, encoder_clock_name(about->clock));
	sink_text(s, "\";\n");
	write_field(s, "freq", NS_PER_S);
	/* Rounded down, so that the rest is not negative. */
	write_field(s, "offset_s", offset / NS_PER_S - (offset % NS_PER_S < 0));
	write_field(s, "offset", offset % NS_PER_S + (offset % NS_PER_S < 0 ? NS_PER_S : 0));
	if (about->has_unix)
		sink_text(s, "\tabsolute = TRUE;\n");
	sink_text(s, "};\n");
}

static void write_event(struct sink *s, int id)
{
	sink_text(s, "event {\n\tname = \"");
	sink_text(s, names[id]);
	sink_text(s, "\";\n");
	write_field(s, "id", id);
	sink_text(s, "\tfields := struct {\n\t\tint64_t error_ns; int64_t ticks; uint32_t process; uint32_t track;\n"
		     "\t\tstring name;\n\t};\n};\n");
}

/* The strings of TSDL are those of C. */
static void write_quoted(struct sink *s, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			sink_text(s, "\\");
		sink_bytes(s, *text == '\n' ? " " : text, 1);
	}
}

static void write_env(struct sink *s, const struct about *about)
{
	sink_text(s, "env {\n\ttracer_name = \"hpt\";\n");
	for (size_t i = 0; i < about->n_processes; i++) {
		sink_text(s, "\tprocess_");
		sink_decimal(s, (int64_t)i);
		sink_text(s, " = \"");
		write_quoted(s, about->processes[i]);
		sink_text(s, "\";\n");
	}
	sink_text(s, "};\n");
}

int ctf_metadata_write(const struct about *about, int folder)
{
	int fd = openat(folder, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666), error;
	struct sink *s;

	if (fd < 0)
		return errno;
	s = xneed(malloc(sizeof(*s)));
	sink_open(s, fd);
	write_trace(s, about);
	write_env(s, about);
	write_clock(s, about);
	sink_text(s, packets);
	for (int i = EVENT_INSTANT; i <= EVENT_END; i++)
		write_event(s, i);
	error = sink_close(s);
	if (close(fd) && !error)
		error = errno;
	free(s);
	if (error) /* the next try finds no part of it */
		unlinkat(folder, "metadata", 0);
	return error;
}
