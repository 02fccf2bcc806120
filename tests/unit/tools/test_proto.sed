# SPDX-License-Identifier: MIT

#: tools/trace/proto.c
s/value >= 0x80; value >>= 7/value > 0x80; value >>= 7/
s/LENGTH = 2/LENGTH = 3/
s/if (PROTO_BYTES - p->n < PROTO_HEAD_BYTES)/if (0)/
s/if (room < PROTO_HEAD_BYTES)/if (0)/
s/if (n > room - PROTO_HEAD_BYTES)/if (0)/
