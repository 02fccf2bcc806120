// SPDX-License-Identifier: MIT
// sleeps late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
// sleeps results: the results of sleeps, which are the same in each run.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono;

static void late(long count)
{
	while (count--) {
		auto began = steady_clock::now();
		std::this_thread::sleep_for(milliseconds(1));
		auto late = steady_clock::now() - began - milliseconds(1);
		std::printf("%lld\n", static_cast<long long>(duration_cast<nanoseconds>(late).count()));
	}
}

template <class Nap> static void result_of(const char *name, Nap nap)
{
	auto began = steady_clock::now();
	nap();
	std::printf("%s %s\n", name, steady_clock::now() - began < milliseconds(4) ? "early" : "in time");
}

static void waits()
{
	std::mutex m;
	std::condition_variable c;
	std::unique_lock<std::mutex> lock(m);

	auto how = c.wait_for(lock, milliseconds(4));
	std::printf("wait_for: %s\n", how == std::cv_status::timeout ? "timeout" : "woken");
	auto answer = std::async(std::launch::async, [] { std::this_thread::sleep_for(milliseconds(4)); return 42; });
	std::printf("async: %d\n", answer.get());
}

static void results()
{
	for (int i = 0; i < 5; i++) {
		result_of("sleep_for", [] { std::this_thread::sleep_for(milliseconds(4)); });
		result_of("sleep_until", [] { std::this_thread::sleep_until(steady_clock::now() + milliseconds(4)); });
	}
	auto wall = system_clock::now() + milliseconds(4);
	std::this_thread::sleep_until(wall);
	std::printf("system_clock %s\n", system_clock::now() < wall ? "early" : "in time");
	std::this_thread::sleep_for(milliseconds(-1));
	waits();
}

int main(int argc, char **argv)
{
	if (argc > 2 && !std::strcmp(argv[1], "late"))
		late(std::atol(argv[2]));
	else
		results();
}
