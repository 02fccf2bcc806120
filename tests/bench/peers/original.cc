// SPDX-License-Identifier: MIT
/*
 * The original HighPerTimer, github.com/ifedotova/highpertimer: built together with the user's own copy of its sources,
 * of which nothing is here.
 */
#include <cstdint>

#include <sys/time.h>

#include "HighPerTimer.h"

#include "peer.h"

using HPTimer::HighPerTimer;

static HighPerTimer timer;

HPT_PEER_LOOPS(now, HighPerTimer::Now().HPTics())
HPT_PEER_LOOPS(set_now, (timer.SetNow(), timer.HPTics()))

static void sleep_us(int64_t ns)
{
	timer.USecSleep(static_cast<uint64_t>(ns / 1000));
}

static void sleep_ns(int64_t ns)
{
	timer.NSecSleep(static_cast<uint64_t>(ns));
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("HighPerTimer::Now", now, 0),
	HPT_PEER_READS("HighPerTimer::SetNow", set_now, 0),
	HPT_PEER_SLEEPS("HighPerTimer::USecSleep", sleep_us, 1000),
	HPT_PEER_SLEEPS("HighPerTimer::NSecSleep", sleep_ns, 1),
	HPT_PEER_LAST,
};
