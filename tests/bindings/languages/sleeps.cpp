// SPDX-License-Identifier: MIT
// sleeps.cpp - the figures of the examples in other languages, in C++, with std::chrono and std::this_thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <hpt/hpt.hpp>

static volatile long long time_ns; // so that no read is left out

template <class Call> static double cost(int count, Call call)
{
	const auto start = hpt::steady_clock::now();

	for (int i = 0; i < count; i++)
		call();
	return std::chrono::duration<double, std::nano>(hpt::steady_clock::now() - start).count() / count;
}

int main()
{
	static double found[4][100];
	const std::chrono::milliseconds ms(1);
	hpt_clock_info info;

	if (hpt_clock_get_info(nullptr, &info, sizeof(info)) < 0)
		return 1;
	for (int i = 0; i < 100; i++) {
		found[0][i] = cost(1000, [] { time_ns = hpt::steady_clock::now().time_since_epoch().count(); });
		found[1][i] = cost(1000, [] { time_ns = std::chrono::steady_clock::now().time_since_epoch().count(); });
		found[2][i] = cost(1, [&] { hpt::sleep_for(ms); }) / 1e3 - 1000;
		found[3][i] = cost(1, [&] { std::this_thread::sleep_for(ms); }) / 1e3 - 1000;
	}
	for (auto &values : found)
		std::sort(values, values + 100);
	std::printf("source: %s\nread: hpt %.1f ns, steady_clock %.1f ns\n", hpt_source_name(info.source), found[0][50],
		    found[1][50]);
	std::printf("late: hpt %.3f us in the median, 90 %% within %.3f us\n", found[2][50], found[2][90]);
	std::printf("late: sleep_for %.3f us in the median, 90 %% within %.3f us\n", found[3][50], found[3][90]);
	return 0;
}
