// SPDX-License-Identifier: MIT
/* GLib: microseconds. */
#include <glib.h>

#include "peer.h"

HPT_PEER_LOOPS(monotonic, g_get_monotonic_time())
HPT_PEER_LOOPS(real, g_get_real_time())

static void sleep_us(int64_t ns)
{
	g_usleep((gulong)(ns / 1000));
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("g_get_monotonic_time", monotonic, 0),
	HPT_PEER_READS("g_get_real_time", real, 0),
	HPT_PEER_SLEEPS("g_usleep", sleep_us, 1000),
	HPT_PEER_LAST,
};
