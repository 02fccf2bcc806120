// SPDX-License-Identifier: MIT
/* All tests but main.cc as one unit, which compiles faster than one by one. */
#include "clamp.cc"
#include "clocks.cc"
#include "durations.cc"
#include "papers.cc"
#include "sleeps.cc"
#include "stop.cc"
#include "tickers.cc"
#include "timers.cc"
#include "waits.cc"
#include "walls.cc"
