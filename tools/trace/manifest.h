/* SPDX-License-Identifier: MIT */
/* Perfetto's perfetto_manifest, version 1: which traces of a folder are of which machine, and by which clock. */
#ifndef HPT_TOOLS_MANIFEST_H
#define HPT_TOOLS_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

#include "trace/sink.h"

struct manifest_file {
	const char *path;               /* in the folder, UTF-8 */
	const uint8_t *boot_id;         /* 16 bytes: files of one boot are of one machine */
};

void manifest_write(const struct manifest_file *files, size_t n, struct sink *to);

#endif
