/* SPDX-License-Identifier: MIT */
/*
 * A program that Tracy profiles. Without an argument it ends as soon as the profiler has started. With one it prints by
 * how many ppb Tracy's rate differs from that of the TSC over CLOCK_MONOTONIC_RAW during two seconds: the rate of the
 * start, or with "connected" that which a viewer gets after them.
 */
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <x86intrin.h>

#define private public
#include "client/TracyProfiler.hpp"

struct Moment {
	uint64_t tick;
	int64_t ns, width;
};

static Moment bracket()
{
	timespec ts;
	unsigned cpu;
	uint64_t before = __rdtscp(&cpu);

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	uint64_t after = __rdtscp(&cpu);
	return Moment{ before + (after - before) / 2, ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec,
		       static_cast<int64_t>(after - before) };
}

static Moment narrowest()
{
	Moment best = bracket();

	for (int i = 0; i < 10000; i++) {
		Moment next = bracket();

		if (next.width < best.width)
			best = next;
	}
	return best;
}

int main(int argc, char **argv)
{
	tracy::Profiler &profiler = tracy::GetProfiler();

	if (argc == 1)
		return 0;
	Moment first = narrowest();
	std::this_thread::sleep_for(std::chrono::seconds(2));
	Moment last = narrowest();
	double measured = static_cast<double>(last.ns - first.ns) / static_cast<double>(last.tick - first.tick);

	if (!std::strcmp(argv[1], "connected"))
		profiler.CalibrateTimer();
	std::printf("%.1f\n", (profiler.m_timerMul / measured - 1) * 1e9);
	return 0;
}
