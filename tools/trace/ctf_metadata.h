/* SPDX-License-Identifier: MIT */
/* The description of a CTF trace, in its language TSDL, and the sizes that follow from it. */
#ifndef HPT_TOOLS_CTF_METADATA_H
#define HPT_TOOLS_CTF_METADATA_H

#include "trace/encoder.h"

#define CTF_MAGIC             0xc1fc1fc1u
#define CTF_PACKET_HEAD_BYTES 52u /* magic and id; begin, end, content and packet in bits */
#define CTF_EVENT_BYTES       33u /* kind, time, error, ticks, process, thread; then the name and a NUL */

/* Makes the file metadata in a folder, which must not have one. Returns an errno, or 0. */
int ctf_metadata_write(const struct about *about, int folder);

#endif
