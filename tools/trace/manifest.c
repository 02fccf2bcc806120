// SPDX-License-Identifier: MIT
/* Writes the manifest: tools/trace/manifest.h. */
#include "trace/manifest.h"

/* A boot has a random id, and the name is that. */
static void write_machine(const uint8_t *boot_id, struct sink *to)
{
	static const char digits[] = "0123456789abcdef";

	sink_text(to, "boot-");
	for (int i = 0; i < 16; i++) {
		char pair[2] = { digits[boot_id[i] >> 4], digits[boot_id[i] & 15] };

		sink_bytes(to, pair, 2);
	}
}

void manifest_write(const struct manifest_file *files, size_t n, struct sink *to)
{
	sink_text(to, "{\"perfetto_manifest\":{\"version\":1,\"trace_time\":{\"clock\":\"REALTIME\"},\"files\":[");
	for (size_t i = 0; i < n; i++) {
		sink_text(to, i ? ",\n{\"path\":\"" : "\n{\"path\":\"");
		sink_json(to, files[i].path, strlen(files[i].path));
		sink_text(to, "\",\"machine\":{\"name\":\"");
		write_machine(files[i].boot_id, to);
		sink_text(to, "\"}}");
	}
	sink_text(to, "\n]}}\n");
}
