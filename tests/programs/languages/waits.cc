// SPDX-License-Identifier: MIT
// waits KIND late COUNT [THREADS]: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns, of each
// thread; then "cpu" and the CPU time of a wait, in ns.
// waits KIND results: the results of waits that expire and of those that events end, which are the same in each run.
// KIND: sleep, wait_for, system, future.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono;

static const int warm_up = 30, items = 200;

// A queue of numbers: of which a wait with a time-out ends when one comes.
class Queue {
	std::mutex m;
	std::condition_variable c;
	std::deque<int> numbers;

public:
	void put(int number)
	{
		std::lock_guard<std::mutex> lock(m);
		numbers.push_back(number);
		c.notify_one();
	}

	bool get(int &number, nanoseconds length, bool by_system_clock)
	{
		std::unique_lock<std::mutex> lock(m);
		auto some = [this] { return !numbers.empty(); };
		if (by_system_clock)
			c.wait_until(lock, system_clock::now() + length, some);
		else
			c.wait_for(lock, length, some);
		if (numbers.empty())
			return false;
		number = numbers.front();
		numbers.pop_front();
		return true;
	}
};

// What a thread waits for: each item ends a wait.
class Room {
	const std::string kind;
	Queue queue;
	std::vector<std::promise<int>> promises{std::size_t(items)};
	std::vector<std::future<int>> futures;
	std::size_t taken = 0;

public:
	explicit Room(const std::string &name) : kind(name)
	{
		for (auto &promise : promises)
			futures.push_back(promise.get_future());
	}

	// No item can end it.
	bool is_empty() const { return kind == "sleep"; }

	void put(int number)
	{
		if (kind == "future")
			promises[std::size_t(number)].set_value(number);
		else
			queue.put(number);
	}

	bool get(int &number, nanoseconds length)
	{
		if (is_empty()) {
			std::this_thread::sleep_for(length);
			return false;
		}
		if (kind != "future")
			return queue.get(number, length, kind == "system");
		if (futures[taken].wait_for(length) != std::future_status::ready)
			return false;
		number = futures[taken++].get();
		return true;
	}
};

static void late_by(const std::string &kind, long count, std::vector<long long> *found)
{
	Room room(kind);
	int none;

	for (long i = -warm_up; i < count; i++) {
		auto began = steady_clock::now();
		room.get(none, milliseconds(1));
		auto late = steady_clock::now() - began - milliseconds(1);
		if (i >= 0)
			found->push_back(duration_cast<nanoseconds>(late).count());
	}
}

static double cpu_ns()
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return double(ts.tv_sec) * 1e9 + double(ts.tv_nsec);
}

static void late(const std::string &kind, long count, std::size_t threads)
{
	std::vector<std::vector<long long>> found(threads);
	std::vector<std::thread> running;
	double began = cpu_ns();

	for (auto &one : found)
		running.emplace_back(late_by, kind, count, &one);
	for (auto &one : running)
		one.join();
	began = (cpu_ns() - began) / double(threads) / double(count + warm_up);
	for (auto &one : found)
		for (auto ns : one)
			std::printf("%lld\n", ns);
	std::printf("cpu %.0f\n", began);
}

// Clock: the one that the wait names.
template <class Clock> static void expired(Room &room)
{
	for (int i = 0, none; i < 5; i++) {
		auto began = Clock::now();
		bool got = room.get(none, milliseconds(4));
		bool early = Clock::now() - began < milliseconds(4);
		std::printf("%s, %s\n", got ? "got" : "none", early ? "early" : "in time");
	}
}

template <class Clock> static void handed_over(Room &room)
{
	int expected = 0, number;
	bool early = false;
	std::thread putter([&room] {
		for (int i = 0; i < items; i++) {
			std::this_thread::sleep_for(microseconds(i * 37 % 21 * 100));
			room.put(i);
		}
	});

	while (expected < items) {
		auto began = Clock::now();
		if (!room.get(number, expected ? milliseconds(1) : milliseconds(60000)))
			early |= Clock::now() - began < milliseconds(1);
		else if (number != expected++)
			std::printf("%d instead of %d\n", number, expected - 1);
	}
	putter.join();
	std::printf("%d items, %s\n", expected, early ? "early" : "in time");
}

template <class Clock> static void results(Room &room)
{
	expired<Clock>(room);
	if (!room.is_empty())
		handed_over<Clock>(room);
}

int main(int argc, char **argv)
{
	const std::string kind = argc > 2 ? argv[1] : "";
	Room room(kind);

	if (argc > 3) {
		late(kind, std::atol(argv[3]), argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1);
		return 0;
	}
	if (kind == "system")
		results<system_clock>(room);
	else
		results<steady_clock>(room);
}
