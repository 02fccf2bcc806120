// SPDX-License-Identifier: MIT
/* libuv: nanoseconds to read, milliseconds to sleep. */
#include <uv.h>

#include "peer.h"

HPT_PEER_LOOPS(hrtime, uv_hrtime())

static void sleep_ms(int64_t ns)
{
	uv_sleep((unsigned)(ns / 1000000));
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("uv_hrtime", hrtime, 0),
	HPT_PEER_SLEEPS("uv_sleep (ms only)", sleep_ms, 1000000),
	HPT_PEER_LAST,
};
