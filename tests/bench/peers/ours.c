// SPDX-License-Identifier: MIT
/* The library itself with its default clock, in a shared object like every peer: after a long sleep that matters. */
#include <hpt/hpt.h>

#include "peer.h"

HPT_PEER_LOOPS(now, hpt_now(NULL))
HPT_PEER_LOOPS(now_ns, hpt_now_ns(NULL))
HPT_PEER_LOOPS(unordered, hpt_now_unordered(NULL))

static void sleep_ours(int64_t ns)
{
	hpt_sleep_ns(NULL, ns);
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("hpt_now", now, 0),
	HPT_PEER_READS("hpt_now_ns", now_ns, 0),
	HPT_PEER_READS("hpt_now_unordered", unordered, 0),
	HPT_PEER_SLEEPS("hpt_sleep_ns", sleep_ours, 1),
	HPT_PEER_LAST,
};
