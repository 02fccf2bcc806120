// SPDX-License-Identifier: MIT
/* The clamp of steady_clock, on lines that step back and forth. */
#include "check.hh"

#include <random>
#include <vector>

namespace {

constexpr std::int64_t step = hpt::detail::clamp::step;

/* A line that a test sets. */
struct line {
	std::int64_t ns;
	hpt::detail::clamp clamp;

	explicit line(std::int64_t start) : ns(start)
	{
	}
	std::int64_t at(std::int64_t to)
	{
		ns = to;
		return clamp.now([this]() noexcept { return ns; });
	}
};

void check_without_steps()
{
	line l(0);

	/* Also below zero, as with the OS clock in a time namespace. */
	for (std::int64_t ns : { -5 * step, -step, INT64_C(0), INT64_C(1), step - 1, step, 3 * step, 100 * step })
		CHECK(l.at(ns) == ns);
	CHECK(l.clamp.lift() == 0);
}

void check_step_back()
{
	line l(0);
	const std::int64_t before = l.at(INT64_C(1000000000000));
	const std::int64_t after = l.at(5);

	CHECK(after >= before && after <= before + step);
	CHECK(l.at(6) == after + 1); /* it goes on at once */
	CHECK(l.at(5 + 7 * step) == after + 7 * step);
	CHECK(l.clamp.lift() == after - 5);
	/* Forward again: nothing is taken off. */
	CHECK(l.at(INT64_C(1000000000000)) == after - 5 + INT64_C(1000000000000));
}

/* Times that were returned since the floor was raised count too. */
void check_above_floor()
{
	line l(0);
	const std::int64_t floor = l.at(7 * step), before = l.at(8 * step - 1);

	CHECK(before == floor + step - 1);
	CHECK(l.at(-9 * step) >= before);
}

/*
 * During read number `at` of a call the line steps back, and another call finds that. The read returns what it read
 * before: it must not be taken for a time of the new line.
 */
void check_nested(int at)
{
	line l(0);
	int reads = 0;
	std::int64_t before = l.at(5 * step), nested = 0;

	l.ns = 7 * step; /* so that the floor is to be raised, by another read */
	const std::int64_t now = l.clamp.now([&]() noexcept {
		const std::int64_t ns = l.ns;

		if (++reads == at)
			nested = l.at(-1000 * step);
		return ns;
	});

	CHECK(nested >= before && now >= before && now <= nested + 3 * step);
	CHECK(l.at(-1000 * step + 1) <= nested + 3 * step);
}

/* Whatever is returned, no later time is smaller by a step; and not smaller at all where the line never steps back. */
void check_random_steps()
{
	std::mt19937_64 random(4711);
	line l(0);
	std::int64_t ns = 0, highest = l.at(0);

	for (int i = 0; i < 200000; i++) {
		const std::int64_t width = INT64_C(1) << random() % 45;
		const auto part = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width));

		ns += random() % 8 ? part : -part;
		const std::int64_t now = l.at(ns);

		if (now <= highest - step) {
			CHECK(now > highest - step);
			return;
		}
		highest = now > highest ? now : highest;
	}
}

/* Threads read a line that steps back under them. Each sees its own times and those that it was shown before. */
struct race {
	std::atomic<std::int64_t> ns{ 0 }, shown{ 0 };
	std::atomic<bool> is_over{ false };
	std::atomic<int> wrong{ 0 };
	hpt::detail::clamp clamp;

	void read()
	{
		std::int64_t before = shown.load();
		const std::int64_t now = clamp.now([this]() noexcept { return ns.fetch_add(7) + 7; });

		wrong += now <= before - step;
		while (before < now && !shown.compare_exchange_weak(before, now))
			;
	}
};

} // namespace

void test_clamp()
{
	check_without_steps();
	check_step_back();
	check_above_floor();
	check_nested(1);
	check_nested(2);
	check_random_steps();
}

void test_clamp_threads()
{
	race r;
	std::vector<std::thread> threads;
	const std::int64_t steps = 40;

	r.read(); /* before the first step back */
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&] {
			while (!r.is_over)
				r.read();
		});
	for (std::int64_t i = 0; i < steps; i++) {
		const std::int64_t until = r.shown.load() + step;

		r.ns -= (i % 10 + 2) * step * step;
		while (r.shown.load() < until)
			std::this_thread::yield();
	}
	r.is_over = true;
	for (std::thread &t : threads)
		t.join();
	CHECK(r.wrong == 0);
	CHECK(r.clamp.lift() >= steps * 2 * step * step);
}
