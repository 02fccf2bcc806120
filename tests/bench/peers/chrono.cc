// SPDX-License-Identifier: MIT
/* C++: std::chrono and std::this_thread. */
#include <chrono>
#include <cstdint>
#include <thread>

#include "peer.h"

HPT_PEER_LOOPS(steady, std::chrono::steady_clock::now().time_since_epoch().count())
HPT_PEER_LOOPS(system, std::chrono::system_clock::now().time_since_epoch().count())

static void sleep_for(int64_t ns)
{
	std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("std::chrono::steady_clock", steady, 0),
	HPT_PEER_READS("std::chrono::system_clock", system, 0),
	HPT_PEER_SLEEPS("std::this_thread::sleep_for", sleep_for, 1),
	HPT_PEER_LAST,
};
