// SPDX-License-Identifier: MIT
/* Writes the manifest: tools/trace/manifest.h. */
#include "trace/manifest.h"

/* A boot has a random id, and the name is that. Zeros are an unknown one, which is like no other. */
static void write_machine(const uint8_t *boot_id, size_t i, struct sink *to)
{
	static const char digits[] = "0123456789abcdef";
	static const uint8_t unknown[16];

	if (!memcmp(boot_id, unknown, sizeof(unknown))) {
		sink_text(to, "file-");
		sink_decimal(to, (int64_t)i + 1);
		return;
	}
	sink_text(to, "boot-");
	for (int at = 0; at < 16; at++) {
		char pair[2] = { digits[boot_id[at] >> 4], digits[boot_id[at] & 15] };

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
		write_machine(files[i].boot_id, i, to);
		sink_text(to, "\"}}");
	}
	sink_text(to, "\n]}}\n");
}
