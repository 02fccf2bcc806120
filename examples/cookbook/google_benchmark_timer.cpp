// SPDX-License-Identifier: MIT
/*
 * google_benchmark_timer.cpp - benchmarks of google-benchmark by libhpt's clock.
 *
 *	c++ -o google_benchmark_timer google_benchmark_timer.cpp $(pkg-config --cflags --libs libhpt benchmark)
 */
#include <benchmark/benchmark.h>
#include <hpt/hpt.hpp>

#include <chrono>
#include <string>

static void format(benchmark::State &state)
{
	for (auto _ : state) {
		const auto start = hpt::steady_clock::now();

		benchmark::DoNotOptimize(std::to_string(state.range(0)));
		state.SetIterationTime(std::chrono::duration<double>(hpt::steady_clock::now() - start).count());
	}
	state.SetLabel(hpt_source_name(hpt::clock().info().source));
}

BENCHMARK(format)->Arg(7)->Arg(1234567)->UseManualTime();
BENCHMARK_MAIN();
