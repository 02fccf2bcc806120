# SPDX-License-Identifier: MIT

#: tools/trace/sink.c
s/while (n && !s->error)/while (n)/
s/value < 0 ? 0 - (uint64_t)value/value < 0 ? (uint64_t)value/
s/'0' + rest \/ 10 % 10/'0' + rest % 10/
s/if (n > SINK_BYTES)/if (0)/
s/c >= 0x20 \&\& c != '"'/c >= 0x20/
s/c >= 0x20 \&\& c != /c >= 0x1f \&\& c != /
s/c != '\\\\'/true/
s/hex\[c >> 4\]/hex[0]/
