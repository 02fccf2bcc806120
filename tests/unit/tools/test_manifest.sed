# SPDX-License-Identifier: MIT

#: tools/trace/manifest.c
s/if (!memcmp(boot_id, unknown, sizeof(unknown)))/if (0)/
s/		sink_decimal(to, (int64_t)i + 1);/		;/
s/digits\[boot_id\[at\] >> 4\]/digits[0]/
s/digits\[boot_id\[at\] & 15\]/digits[0]/
s/at < 16; at++/at < 15; at++/
s/\\"clock\\":\\"REALTIME\\"/\\"clock\\":\\"BOOTTIME\\"/
s/sink_json(to, files\[i\].path, strlen(files\[i\].path));/sink_text(to, files[i].path);/
s/sink_text(to, i ? ",\\n/sink_text(to, 1 ? ",\\n/
s/write_machine(files\[i\].boot_id, i, to);/write_machine(files[0].boot_id, i, to);/
