# SPDX-License-Identifier: MIT

#: lib/machine/ptp.c ptp
s/if (t->sec < 0 || /if (/
s/ || t->sec >= MOST_S || / || /
s/ || t->nsec >= NS_PER_S)/)/
s/before_ns < ret->raw_before_ns || after_ns >= ret->raw_after_ns)/false)/
s/r = q->call(q->fd, request, arg);/r = 0;/
s/	       narrow_offset(\&offset.sys_monoraw, \&offset.sys_monoraw, ret) ? 0/	       1 ? 0/
s/uint32_t clock = by_raw ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME;/uint32_t clock = CLOCK_MONOTONIC_RAW;/
s/uint32_t clock = by_raw ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME;/uint32_t clock = CLOCK_REALTIME;/
s/(void)narrow_offset(\&offset.ts\[0\]\[0\], \&offset.ts\[0\]\[2\], ret);/;/
s/return ptp_to_ns(\&offset.ts\[0\]\[1\], \&ret->device_ns) ? 0 : -ERANGE;/return ptp_to_ns(\&offset.ts[0][1], \&ret->device_ns), 0;/
s/tries < PTP_TRIES \&\& best_ns > GOOD_NS/tries < 1/
s/tries < PTP_TRIES \&\& best_ns > GOOD_NS/best_ns > GOOD_NS/
s/if (r == -EINVAL \&\& by_raw) {/if (false) {/
s/return best_ns < INT64_MAX ? 0 : r;/return r;/
s/if (reading.raw_after_ns - reading.raw_before_ns < best_ns) {/if (true) {/
s/return r == -ENOTTY || r == -EINVAL ? -HPT_ENOTDEVICE : r;/return r;/
s/r = caps.cross_timestamping ? ask_precise(\&q, \&reading) : -EOPNOTSUPP;/r = -EOPNOTSUPP;/
s/ | O_NONBLOCK | O_NOCTTY), r;/ | O_NOCTTY), r;/
s/^	close(fd);/	;/
