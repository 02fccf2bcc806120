# SPDX-License-Identifier: MIT

#: tools/trace/perfetto.c
s/#define SNAPSHOT_NS (10 \* NS_PER_MS)/#define SNAPSHOT_NS (9 * NS_PER_MS)/
s/\[EVENT_BEGIN\] = 1, \[EVENT_END\] = 2/[EVENT_BEGIN] = 2, [EVENT_END] = 1/
s/\[EVENT_RAW\] = 5, \[EVENT_BOOTTIME\] = 6/[EVENT_RAW] = 6, [EVENT_BOOTTIME] = 5/
s/		add_clock(p, EVENT_REALTIME, unix_ns);/		add_clock(p, EVENT_REALTIME, ns);/
s/proto_varint(&p->inner, THREAD_TID, e->track);/proto_varint(\&p->inner, THREAD_TID, 0);/
s/proto_varint(&p->inner, PROCESS_PID, e->process + UINT64_C(1));/proto_varint(\&p->inner, PROCESS_PID, e->process);/
s/e->process < p->about->n_processes ?/e->process + 1 < p->about->n_processes ?/
s/		if (tracks_is_new(&p->tracks, &events\[i\]))/		if (1)/
s/		add_name(&p->inner, THREAD_NAME, e->thread, e->thread_length);/		;/
s/	if (e->thread)/	if (e->thread_length + 1)/
s/	if (e->error_ns != EVENT_ERROR_UNKNOWN)/	if (1)/
s/	if (p->about->has_stamp)/	if (1)/
s/	if (n > NAME_MOST)/	if (0)/
s/((unsigned char)name\[n\] & 0xc0) == 0x80/0/
s/	if (e->kind != EVENT_END)/	if (1)/
s/!p->has_snapshot || (has_two/(has_two/
s/(has_two \&\& ns > p->snapshot_ns/(ns > p->snapshot_ns/
s/ns - p->snapshot_ns >= SNAPSHOT_NS/ns - p->snapshot_ns > SNAPSHOT_NS/
s/			p->snapshot_ns = events\[i\].ns;/			;/
s/proto_varint(&p->packet, PACKET_TIMESTAMP, (uint64_t)e->ns);/proto_varint(\&p->packet, PACKET_TIMESTAMP, (uint64_t)e->ns \& 0x7fffffffffffff);/
