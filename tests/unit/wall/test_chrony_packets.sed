# SPDX-License-Identifier: MIT

#: lib/wall/chrony_packets.c chrony chrony_packets
s/^	if (exponent > 8)$/	if (exponent > 80)/
s/return v >> (exponent < -62 ? 62 : -exponent);/return v >> (exponent < -20 ? 20 : -exponent);/
s/(x >> 31 ? 128 : 0)/0/
s/(x >> 24 & 1 ? 0x2000000 : 0)/0/
s/	if (!coefficient)$/	if (0)/
s/(coefficient - 1) \* NS_PER_S, exponent/coefficient * NS_PER_S + 0, exponent/
s/	if (high != 0x7fffffff)/	if (1)/
s/	if (s > (uint64_t)(HPT_WALL_MOST_NS/	if (0 \&\& s > (uint64_t)(HPT_WALL_MOST_NS/
s/length >= REPLY_HEADER && reply/reply/
s/ && reply\[TYPE\] == IS_REPLY//
s/ && !reply\[2\]//
s/ && !reply\[3\]//
s/ && get_32(reply + REPLY_SEQUENCE) == sequence;/;/
s/status == STATUS_UNAUTH || //
s/ || status == STATUS_NO_HOST_ACCESS)/)/
s/reply\[VERSION\] != PROTOCOL || //
s/ || status != STATUS_SUCCESS//
s/get_16(reply + COMMAND) == (uint32_t)command && //
s/ || get_16(reply + REPLY) != tells//
s/^	    length != expected)/	    0)/
s/(femto.lo_ns \/ 2 + femto.hi_ns \/ 2) \/ PPM/femto.lo_ns \/ PPM * 2/
s/	for (int i = 0; i < n; i++)/	for (int i = 0; i < 0; i++)/
s/hashed(key_of(source + ADDRESS), source + MODE, 2)/key_of(source + ADDRESS)/
s/key_of(by_id)/key_of(tracking + REF_ADDRESS)/
s/	if (get_16(tracking + REF_ADDRESS + ADDRESS_FAMILY) != FAMILY_NONE)/	if (0)/
s/	put_16(by_id + ADDRESS_FAMILY, FAMILY_IPV4);//
s/		.reached = get_16(reply + REACHED),/		.reached = 0,/
s/	put_32(request + REQUEST_INDEX, index);/	;/
s/	if (reply\[VERSION\] == PROTOCOL && get_16(reply + STATUS) == STATUS_NO_SUCH_SOURCE)/	if (0)/
s/		.since_s = get_32(reply + SINCE),/		.since_s = 4,/
s/		.original_bits = get_32(reply + ORIGINAL),/		.original_bits = get_32(reply + SINCE),/
s/		.latest = get_seconds(reply + LATEST),/		.latest = get_seconds(reply + ORIGINAL),/
s/		.freq_ppb = get_ppb(reply + FREQ_PPM),/		.freq_ppb = 0,/
s/	return !memcmp(tracking + REF_ID, later + REF_ID, CORRECTION - REF_ID) &&/	return/
