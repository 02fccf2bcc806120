# SPDX-License-Identifier: MIT

#: tools/trace/ctf_metadata.c
s/uint64_t content_size; uint64_t packet_size;/uint64_t content_size; uint32_t packet_size;/
s/struct { uint8_t id; hpt_time_t timestamp; }/struct { uint32_t id; hpt_time_t timestamp; }/
s/"typealias integer { size = 32; align = 8;/"typealias integer { size = 32; align = 32;/
s/signed = true; }/signed = false; }/
s/byte_order = le/byte_order = be/
s/if (i == 3 || i == 5 || i == 7 || i == 9)/if (i == 3 || i == 5 || i == 7)/
s/digits\[id\[i\] >> 4\], digits\[id\[i\] & 15\]/digits[id[i] \& 15], digits[id[i] >> 4]/
s/about->has_unix && about->clock != EVENT_REALTIME/about->has_unix/
s/&offset) ? 0 : offset;/\&offset) ? offset : offset;/
s/offset \/ NS_PER_S - (offset % NS_PER_S < 0)/offset \/ NS_PER_S/
s/(offset % NS_PER_S < 0 ? NS_PER_S : 0)/0/
s/	if (about->has_unix)$/	if (1)/
s/if (\*text == '"' || \*text == '\\\\')/if (*text == '"')/
s/if (\*text == '"' || \*text == '\\\\')/if (*text == '\\\\')/
s/\*text == '\\n' ? " " : text/text/
s/	error = sink_close(s);/	error = 0 * sink_close(s);/
s/		unlinkat(folder, "metadata", 0);/		(void)folder;/
s/O_CREAT | O_EXCL/O_CREAT/
