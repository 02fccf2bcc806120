/* SPDX-License-Identifier: MIT */
/*
 * audio_callback.c - an audio device without sound: each 64 frames at 48 000 Hz a callback fills the next buffer.
 *
 *	cc -o audio_callback audio_callback.c $(pkg-config --cflags --libs libhpt) -lm
 *	./audio_callback [BUFFERS [HARMONICS]]
 *
 * A buffer lasts 64/48000 s = 1333333.3 ns. A timer with a period in whole nanoseconds runs away from the sound card by
 * a frame in 83 s. The rational ticker does not: tick n comes n * 64/48000 s after the first. The callback makes a tone
 * of that many harmonics and has until the next tick, when the device plays the buffer. A buffer that is not ready by
 * then, or that had no callback at all, is an xrun. Xruns are counted and fail nothing. Exit 1 means that a callback
 * began early, or that the ticks drifted. Ctrl-C ends the program.
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <hpt/hpt.h>

#define FRAMES 64
#define RATE   48000

static hpt_ticker *ticker;

static void on_signal(int number)
{
	(void)number;
	hpt_ticker_interrupt(ticker);
}

/* The nanoseconds from the first tick to tick n, rounded up as the ticker does. */
static int64_t tick_ns(int64_t n)
{
	return (n * FRAMES * (1000000000 / 1000) + RATE / 1000 - 1) / (RATE / 1000);
}

/* The sound from a frame on: 440 Hz and its harmonics. Returns the sum of squares, by which the tone is checked. */
static double callback(float *buffer, int64_t frame, long harmonics)
{
	double sum = 0;

	for (int i = 0; i < FRAMES; i++) {
		double phase = 2 * 3.14159265358979 * (double)((frame + i) * 440 % RATE) / RATE, value = 0;

		for (long h = 1; h <= harmonics; h++)
			value += sin((double)h * phase) / (double)h;
		buffer[i] = (float)value;
		sum += value * value;
	}
	return sum;
}

/* How far the next tick is from where it has to be. */
static int check_drift(int64_t first_ns, int64_t buffers)
{
	int64_t next_ns, drift;

	if (hpt_ticker_next_ns(ticker, &next_ns) < 0)
		return 1;
	drift = next_ns - first_ns - tick_ns(buffers);
	printf("drift after %" PRId64 " buffers: %" PRId64 " frames, %" PRId64 " ns\n", buffers,
	       drift * RATE / 1000000000, drift);
	printf("with a period of 1333333 ns: %" PRId64 " ns\n", buffers * 1333333 - tick_ns(buffers));
	return drift != 0;
}

/* Tick n is when buffer n is played, and the callback for buffer n + 1 begins. */
static int play(int64_t first_ns, int64_t buffers, long harmonics)
{
	static float buffer[FRAMES];
	uint64_t generation = hpt_clock_generation(NULL);
	int64_t tick = -1, callbacks = 0, unready = 0, uncalled = 0, longest = 0, all = 0;
	double sum = 0;

	while (tick + 1 < buffers) {
		int64_t began, took;
		uint64_t missed;

		if (hpt_ticker_wait(ticker, &missed) < 0)
			break; /* -ECANCELED: on_signal() was called */
		began = hpt_now_ns(NULL);
		tick += 1 + (int64_t)missed;
		uncalled += (int64_t)missed;
		if (began < first_ns + tick_ns(tick) && hpt_clock_generation(NULL) == generation) {
			fprintf(stderr, "audio_callback: callback %" PRId64 " began early\n", tick);
			return 1;
		}
		sum += callback(buffer, tick * FRAMES, harmonics);
		took = hpt_now_ns(NULL) - began;
		unready += began + took > first_ns + tick_ns(tick + 1);
		longest = took > longest ? took : longest;
		all += took;
		callbacks++;
	}
	printf("%" PRId64 " buffers, %" PRId64 " callbacks\n", tick + 1, callbacks);
	printf("%" PRId64 " xruns: %" PRId64 " too late, %" PRId64 " without a callback\n", unready + uncalled, unready,
	       uncalled);
	if (!callbacks)
		return 0;
	printf("a callback took %.3f us on average, %.3f us at most, of 1333.333 us\n",
	       (double)all / (double)callbacks / 1e3, (double)longest / 1e3);
	printf("loudness: %.6f (root mean square)\n", sqrt(sum / (double)(callbacks * FRAMES)));
	if (hpt_clock_generation(NULL) != generation)
		return 0; /* the ticks have moved with the clock */
	return check_drift(first_ns, tick + 1);
}

int main(int argc, char **argv)
{
	char none[] = "", *rest = none, *rest2 = none;
	long buffers = argc > 1 ? strtol(argv[1], &rest, 10) : 3750;
	long harmonics = argc > 2 ? strtol(argv[2], &rest2, 10) : 8;
	int64_t first_ns;
	int result;

	if (argc > 3 || *rest || buffers < 1 || buffers > 1000000000 || *rest2 || harmonics < 1 || harmonics > 10000) {
		fprintf(stderr, "usage: audio_callback [BUFFERS [HARMONICS]]\n"
				"BUFFERS: 1 to 1000000000, HARMONICS: 1 to 10000\n");
		return 2;
	}
	first_ns = hpt_now_ns(NULL);
	if (hpt_ticker_new(NULL, 0, 0, &ticker) < 0 ||
	    hpt_ticker_start_rational(ticker, first_ns, FRAMES, RATE) < 0) {
		fprintf(stderr, "audio_callback: no ticker\n");
		return 1;
	}
	signal(SIGINT, on_signal);
	result = play(first_ns, buffers, harmonics);
	hpt_ticker_free(ticker);
	return result;
}
