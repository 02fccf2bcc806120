/* SPDX-License-Identifier: MIT */
/* The kernel of the fake world, as far as sleeping needs one: waits that end with a set lateness, slack and slices. */
#ifndef HPT_TEST_FAKE_KERNEL_H
#define HPT_TEST_FAKE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The reason that ends a wait before its time: hooks of world.event set it. */
enum fake_end { FAKE_GOES_ON, FAKE_SIGNAL, FAKE_SPURIOUS };

/* A wait: as requested, but until_ns is its end, later by the slack. */
struct fake_wait {
	clockid_t id;
	int64_t until_ns, slack_ns, slice_ns;
	uint64_t at_ps;
	uint32_t value, word;
};

#define FAKE_WAITS_KEPT 64

struct fake_kernel {
	int64_t late_ns;              /* how late each wait ends (negative: early), ... */
	int64_t late_long_ns;         /* waits of more than 2.3 ms (no brief one) later still by this, ... */
	int64_t (*lateness_ns)(void); /* ... or a function that returns it all */
	int refusal;                  /* -errno instead of any wait; 0: waits */
	uint64_t wait_ps;             /* duration of the call itself */
	enum fake_end ends;
	int64_t slack_ns;             /* negative: cannot be read */
	bool ignores_slack;           /* as for a real-time thread */

	bool is_filtered;             /* by seccomp */
	int scheduler;                /* SCHED_ */
	uint32_t cpus;                /* that the process may use */
	bool is_pinned;               /* the thread, to one of them */
	int64_t slice_ns;             /* the thread's; 0: the kernel has none */
	int64_t kernels_slice_ns;     /* what a slice of 0 becomes */
	int64_t slice_set_ns;         /* the latest that was set */
	int64_t rttime_ns;            /* INT64_MAX: no limit */
	uint32_t limit_gets;          /* questions for these limits, but the first */

	uint32_t waits, wakes, slack_gets, slack_sets, slice_gets, slice_sets;
	struct fake_wait wait[FAKE_WAITS_KEPT]; /* the first waits */
};

extern struct fake_kernel kernel;

/* Installs the fake kernel in fake_env; the slack is 50 us, no wait is late. */
void fake_kernel_reset(void);

#endif
