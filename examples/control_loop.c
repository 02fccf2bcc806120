/* SPDX-License-Identifier: MIT */
/*
 * control_loop.c - a control loop of 1 kHz: a PI controller keeps a motor at its speed, and a ticker keeps the rounds.
 *
 *	cc -o control_loop control_loop.c $(pkg-config --cflags --libs libhpt)
 *	./control_loop [SECONDS [balanced|frugal|strict|nospin|spin]]
 *
 * The controller takes each round for 1 ms. The simulated motor turns in real time; a second one has perfect rounds.
 * The program prints how late the rounds began, the CPU time, and how far the two motors were apart. The policy nospin
 * leaves all waiting to the kernel. Ctrl-C ends the program with the figures up to there. Exit 1 means that a round
 * began early or was not counted, never that one was late.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <hpt/hpt.h>

#define PERIOD_NS INT64_C(1000000)

static hpt_ticker *ticker;

/* hpt_ticker_interrupt() may be called in a signal handler, and ends the wait whenever the signal comes. */
static void on_signal(int number)
{
	(void)number;
	hpt_ticker_interrupt(ticker);
}

struct motor {
	double speed;
	double voltage;
	double integral; /* the controller's memory */
};

/* The motor follows its voltage with a time constant of 50 ms, and starts against friction. */
static void turn(struct motor *m, double seconds)
{
	double final = 10 * m->voltage - 5;

	m->speed += (final - m->speed) * (seconds < 0.05 ? seconds / 0.05 : 1);
}

/* The PI controller, once a round. The speed is to rise from 100 to 150 rad/s in half a second, and to fall again. */
static void control(struct motor *m, int64_t round)
{
	int64_t phase = round % 1000;
	double wanted = 100 + 0.1 * (double)(phase < 500 ? phase : 1000 - phase);

	m->integral += (wanted - m->speed) * 0.001;
	m->voltage = 0.5 * (wanted - m->speed) + 20 * m->integral;
}

static int report(int64_t rounds, int64_t missed, double apart)
{
	struct hpt_ticker_info info;

	if (hpt_ticker_get_info(ticker, &info, sizeof(info)) < 0)
		return 1;
	printf("%" PRIu64 " rounds, %" PRIu64 " missed\n", info.ticks, info.missed);
	printf("late: %.3f us in the median, 99 %% within %.3f us, %.3f us at most\n",
	       (double)info.late_median_ns / 1e3, (double)info.late_p99_ns / 1e3, (double)info.late_max_ns / 1e3);
	printf("CPU time: %.3f s\n", (double)clock() / CLOCKS_PER_SEC);
	printf("from the motor with perfect rounds: %.6f rad/s on average\n", rounds ? apart / (double)rounds : 0);
	if (info.ticks == (uint64_t)rounds && info.missed == (uint64_t)missed)
		return 0;
	fprintf(stderr, "control_loop: %" PRId64 " rounds and %" PRId64 " missed ones were seen\n", rounds, missed);
	return 1;
}

/* The ticker was made after start_ns. */
static int loop(int64_t start_ns, int64_t end)
{
	struct motor real = { 100, 10, 0.5 }, perfect = real;
	uint64_t generation = hpt_clock_generation(NULL);
	int64_t round = 0, rounds = 0;
	hpt_time_t before = hpt_now(NULL), now;
	double apart = 0;

	while (round < end) {
		uint64_t missed;

		if (hpt_ticker_wait(ticker, &missed) < 0)
			break; /* -ECANCELED: on_signal() was called */
		now = hpt_now(NULL);
		rounds++;
		/* Times of two generations, before and after a suspend for example, cannot be compared. */
		if (hpt_now_ns(NULL) < start_ns + (round + 1 + (int64_t)missed) * PERIOD_NS &&
		    hpt_clock_generation(NULL) == generation) {
			fprintf(stderr, "control_loop: round %" PRId64 " began early\n", round + 1);
			return 1;
		}
		turn(&real, (double)hpt_ticks_to_ns(NULL, now - before) / 1e9);
		before = now;
		for (int64_t latest = round + 1 + (int64_t)missed; round < latest; control(&perfect, ++round))
			turn(&perfect, 0.001);
		control(&real, round);
		apart += real.speed > perfect.speed ? real.speed - perfect.speed : perfect.speed - real.speed;
	}
	return report(rounds, round - rounds, apart);
}

int main(int argc, char **argv)
{
	static const char *const policies[] = { "balanced", "frugal", "strict", "nospin", "spin" };
	const char *wanted = argc > 2 ? argv[2] : "balanced";
	char none[] = "", *rest = none;
	double seconds = argc > 1 ? strtod(argv[1], &rest) : 2;
	uint32_t policy = HPT_SLEEP_BALANCED; /* the constants count in the order of the names */
	int64_t start_ns;
	int result;

	while (policy <= HPT_SLEEP_SPIN && strcmp(wanted, policies[policy]))
		policy++;
	if (argc > 3 || policy > HPT_SLEEP_SPIN || *rest || !(seconds >= 0.001 && seconds <= 1e6)) {
		fprintf(stderr, "usage: control_loop [SECONDS [balanced|frugal|strict|nospin|spin]]\n"
				"SECONDS is a number from 0.001 to 1000000.\n");
		return 2;
	}
	start_ns = hpt_now_ns(NULL);
	if (hpt_ticker_new(NULL, PERIOD_NS, 0, &ticker) < 0 || hpt_ticker_set_policy(ticker, policy, 0) < 0) {
		fprintf(stderr, "control_loop: no ticker\n");
		return 1;
	}
	signal(SIGINT, on_signal);
	printf("1 kHz for %g s, policy %s\n", seconds, wanted);
	result = loop(start_ns, (int64_t)(seconds * 1000));
	hpt_ticker_free(ticker);
	return result;
}
