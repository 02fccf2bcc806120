/* SPDX-License-Identifier: MIT */
/* A fake HPET in a page of memory, with a thread that counts, or with a script that supplies every loaded value. */
#ifndef HPT_TEST_FAKE_HPET_H
#define HPT_TEST_FAKE_HPET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FAKE_HPET_PERIOD 69841279u /* 14.31818 MHz */

enum fake_hpet_reg { FAKE_CAPS = 0x00, FAKE_PERIOD = 0x04, FAKE_CONFIG = 0x10, FAKE_COUNTER = 0xf0 };

/* The value that a load of width 4 or 8 at this offset of the page sees. */
typedef uint64_t fake_load_fn(uint32_t offset, uint32_t width);

struct fake_hpet {
	volatile uint8_t       *rw;   /* the device's side */
	const volatile uint8_t *page; /* the driver's side, read-only */
	pthread_t               thread;
	_Atomic bool            stop;
	bool                    running;
	uint64_t                start, step;
	uint32_t                period;
};

/* A 64-bit counter by Intel (8086h), enabled, with the usual period; it stays at 0. */
void fake_hpet_new(struct fake_hpet *h);
void fake_hpet_free(struct fake_hpet *h);

void fake_hpet_set(struct fake_hpet *h, enum fake_hpet_reg offset, uint32_t value);
void fake_hpet_set_counter(struct fake_hpet *h, uint64_t value);
uint64_t fake_hpet_counter(const struct fake_hpet *h);

/*
 * Counts from start, by whole 64-bit stores as the device does. step 0: at the rate of the period, by
 * CLOCK_MONOTONIC_RAW; else by that step with each store, as fast as stores are.
 */
void fake_hpet_run(struct fake_hpet *h, uint64_t start, uint64_t step);
void fake_hpet_stop(struct fake_hpet *h);

/*
 * A hook for the fake clock: waits until the running HPET has counted on, before the clock returns its time. With it
 * "does it count within 100 us" does not depend on when the updater's thread is scheduled.
 */
void fake_hpet_wait_tick(void);

#ifdef __x86_64__
/* From here on the script supplies every value that the driver loads, except registers below the counter. */
void fake_hpet_script(struct fake_hpet *h, fake_load_fn *script);

/* Loads of the counter since then. */
extern uint32_t fake_hpet_loads;
#endif

#endif
